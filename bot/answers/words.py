"""English as questions about papers use it: what says nothing, and what says the same."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that carry no content in a question about papers.
STOP = _words("""
    a about after again against all also am among an and any are as at be because been before
    being best better between both but by can could did do does doing done during each either
    else ever every few for from get gets give given gives had has have having help helps here
    how i if in into is it its itself just know like made make makes many me more most much
    must my new no not of off on one only or other others our out over own paper papers per
    please recent recently said same say says should show shows showed so some still studies
    study such tell than that the their them then there these they thing things this those
    through to too under until up upon us use used uses using very was way ways we were what
    when where whether which while who whom whose why will with within without would you your
    author authors anyone anybody someone somebody something anything work works there's
    what's exist exists existing really actually currently state
""")

# Words that say what kind of thing is sought; they help, but seldom decide.
WEAK = _words("""
    achieve achieved achieves address algorithm approach approaches based call called claim
    claims compare compared compute computed describe design different effect enable explain
    find finding findings framework good idea important improve improved improvement
    improvements improves introduce introduced kind kinds large level measure measured method
    methods model models need needed number obtain obtained perform performance problem
    propose proposed proposes question reach reached reaches report reported reports research
    result results role score scores solve solves system systems technique techniques type
    types value happen happens happened main mean means name named possible common available
    several difference under come comes
""")

# Abbreviations so common that a paper may well do without them.
EVERYWHERE = _words("AI ML NLP LLM DL NN SOTA")

# Near-synonyms of the trade, by how they begin; a question rarely uses the abstract's own word.
KIN = (
    ("test", "evaluat", "experiment", "benchmark"),
    ("dataset", "corpus", "corpora", "benchmark", "collection"),
    ("fast", "speed", "speedup", "accelerat", "latenc", "throughput", "quick", "faster"),
    ("slow", "latenc", "overhead", "bottleneck"),
    ("cheap", "cost", "expens", "inexpens", "budget", "affordab"),
    ("beat", "outperform", "surpass", "exceed"),
    ("gain", "improv", "increas", "boost", "raise"),
    ("reduc", "lower", "decreas", "cut", "shrink", "fewer", "less", "sav"),
    ("limit", "fail", "weakness", "shortcoming", "struggl", "drawback"),
    ("code", "github", "open-sourc", "implementation", "repositor"),
    ("train", "finetun", "fine-tun", "post-train", "pretrain"),
    ("memor", "footprint", "vram"),
    ("robust", "resilien", "perturbation"),
    ("safe", "safet", "harm", "jailbreak"),
    ("attack", "adversar", "jailbreak", "exploit"),
    ("translat", "multilingual"),
    ("doctor", "clinic", "medic", "physician", "patient", "hospital"),
    ("child", "children", "kid"),
    ("drug", "molecul", "pharma"),
    ("car", "vehicle", "driv", "automotive"),
    ("robot", "manipulat", "embodied"),
    ("picture", "image", "photo", "visual"),
    ("film", "video"),
    ("speech", "audio", "voice", "spoken"),
    ("hallucinat", "fabricat", "factual", "confabulat"),
    ("forget", "forgot", "unlearn"),
    ("small", "lightweight", "compact", "tiny"),
    ("size", "billion", "parameter"),
    ("languag", "lingual"),
    ("privat", "privac", "confidential"),
    ("energy", "power", "joule", "carbon"),
    ("percent", "%"),
    ("accurac", "accurat", "correct"),
    ("success", "solv", "succeed", "complet"),
    ("defence", "defens"),
    ("behaviour", "behavior"),
    ("colour", "color"),
    ("lifelong", "continual", "continuous", "incremental"),
    ("forget", "retain", "catastrophic"),
    ("keep", "continual", "continuous", "retain", "maintain"),
    ("hide", "hidden", "conceal", "invisib"),
    ("split", "partition", "decompos", "divid"),
    ("assistant", "copilot", "agent"),
    ("old", "previous", "prior", "past", "earlier"),
    ("prove", "proof", "provabl", "theorem", "guarantee"),
    ("cause", "lead", "due"),
    ("detect", "identif", "discover", "recogni"),
    ("find", "detect", "discover", "identif"),
    ("human", "people", "user", "participant", "annotator"),
)
