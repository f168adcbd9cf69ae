"""The macros of LaTeX that we know, by what becomes of them."""


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "c": "\u0327",
    "k": "\u0328", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
MATH_ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303",
    "bar": "\u0304", "overline": "\u0304", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7",
    "Hat": "\u0302", "Tilde": "\u0303", "Bar": "\u0304",
    "mathring": "\u030a", "check": "\u030c", "breve": "\u0306",
    "acute": "\u0301", "grave": "\u0300",
}  # fmt: skip
LETTERS = {
    "i": "ı", "j": "ȷ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß", "ae": "æ", "AE": "Æ",
    "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
    "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
}  # fmt: skip
SYMBOLS = {
    "%": "%", "percent": "%",
    "&": "&", "#": "#", "_": "_", "$": "$", "{": "{", "}": "}", " ": " ", "\n": " ",
    "\t": " ", "\\": " ", "/": "", "-": "", ",": " ", ";": " ", ":": " ", "!": "", ">": " ",
    "|": "‖", "@": "", "quad": " ", "qquad": " ", "thinspace": " ", "enspace": " ", "to": "→",
    "times": "×", "sim": "∼", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ll": "≪", "gg": "≫",
    "approx": "≈", "pm": "±", "mp": "∓", "cdot": "·", "cdots": "⋯", "dots": "…", "ldots": "…",
    "infty": "∞", "in": "∈", "ell": "ℓ", "circ": "∘", "degree": "°", "star": "⋆", "ast": "∗",
    "prime": "′", "top": "⊤", "mid": "|", "vert": "|", "Vert": "‖", "lvert": "|", "rvert": "|",
    "lVert": "‖", "rVert": "‖", "lbrace": "{", "rbrace": "}", "colon": ":", "item": " • ",
    "R": "ℝ", "N": "ℕ", "Z": "ℤ", "eg": "e.g.", "ie": "i.e.", "LaTeX": "LaTeX", "TeX": "TeX",
    "textendash": "–", "textemdash": "—", "textasciitilde": "~", "textbackslash": "\\",
    "slash": "/", "euro": "€", "pounds": "£", "varepsilon": "ε", "epsilon": "ϵ", "dag": "†",
    "dagger": "†", "S": "§", "P": "¶", "copyright": "©", "textdegree": "°", "implies": "⟹",
    "iff": "⟺", "land": "∧", "lor": "∨", "neg": "¬", "lnot": "¬", "neq": "≠", "ne": "≠",
    "setminus": "∖", "lesssim": "≲", "gtrsim": "≳", "asymp": "≍", "textmu": "μ", "micro": "μ",
    "bot": "⊥", "subset": "⊂", "equiv": "≡", "lt": "<", "gt": ">", "and": " and ", "eps": "ε",
    "Box": "□", "square": "□", "Diamond": "◇", "bigstar": "★", "textregistered": "®",
    "texttrademark": "™", "bmod": "mod", "textgreater": ">", "textless": "<",
}  # fmt: skip
OPERATORS = _words(
    "log ln exp sin cos tan sinh cosh tanh max min arg argmax argmin inf sup lim det dim ker Pr "
    "mod gcd deg hom poly polylog"
)
# Their argument, as it stands.
TRANSPARENT = _words(
    "textbf textit emph textsc texttt textsf textrm textup textnormal textmd text underline ul "
    "mathrm mathsf mathbf mathit mathtt mathnormal boldsymbol bm pmb mbox hbox fbox operatorname "
    "operatorname* url mathop mathbin mathrel mathord ensuremath uline sout smash gls glspl ac "
    "acs acl acf acp textquote nolinkurl path num lowercase uppercase underbrace overbrace "
    "mathsfit textul unit si centerline abstract rev revise revised blue red hl keywords"
)
# They change how things look, and take nothing.
INVISIBLE = _words(
    "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm middle "
    "displaystyle textstyle scriptstyle limits nolimits em it bf tt sf sc rm sl "
    "bfseries itshape scshape "
    "ttfamily sffamily small footnotesize tiny large Large scriptsize normalsize noindent "
    "centering xspace protect nobreak allowbreak par newline linebreak smallskip medskip bigskip "
    "normalfont nonumber notag hfill relax mathstrut strut null cal"
)
# They and their argument say nothing to a reader.
DROPPED = _words(
    "label cite citep citet citealp citeauthor ref eqref cref Cref autoref begin end vspace hspace "
    "color phantom hphantom vphantom footnotemark pagestyle"
)
OPENING = frozenset({"lVert", "lvert", "langle", "lceil", "lfloor", "lbrace"})
ALPHABETS = {
    "mathcal": ("𝒜", "𝒶"), "mathscr": ("𝒜", "𝒶"), "mathbb": ("𝔸", "𝕒"), "mathds": ("𝔸", "𝕒"),
    "mathfrak": ("𝔄", "𝔞"), "mathbbm": ("𝔸", "𝕒"),
}  # fmt: skip
HOLES = {
    "𝒝": "ℬ", "𝒠": "ℰ", "𝒡": "ℱ", "𝒣": "ℋ", "𝒤": "ℐ", "𝒧": "ℒ", "𝒨": "ℳ", "𝒭": "ℛ",
    "𝒺": "ℯ", "𝒼": "ℊ", "𝓄": "ℴ", "𝔺": "ℂ", "𝔿": "ℍ", "𝕅": "ℕ", "𝕇": "ℙ", "𝕈": "ℚ", "𝕉": "ℝ",
    "𝕑": "ℤ", "𝔆": "ℭ", "𝔋": "ℌ", "𝔌": "ℑ", "𝔕": "ℜ", "𝔝": "ℨ",
}  # fmt: skip
RAISED = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW∘⊤′*⋆∗†,. ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ°ᵀ′*⋆∗†,. ",
        strict=True,
    )
)
LOWERED = dict(
    zip("0123456789+-−=()aehijklmnoprstuvx,. ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ,. ", strict=True)
)
