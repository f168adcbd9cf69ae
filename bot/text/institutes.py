"""Names of companies, universities and institutes, as people say them.  Pure."""

import re

_COMPANIES = (
    r"google(?:\s+(?:ai|brain|deepmind|research))?|deep\s?mind|open\s?ai|anthropic|facebook(?:\s+ai)?"
    r"|meta\s+(?:ai|research|fair)|microsoft(?:\s+(?:ai|research))?|msr|amazon\s+(?:ai|science|web"
    r"\s+services)|apple\s+(?:ai|ml|research)|nvidia(?:\s+research)?|ibm(?:\s+research)?|huawei(?:\s+\S+)?"
    r"|tencent(?:\s+ai\s+lab)?|alibaba(?:\s+\S+)?|bytedance(?:\s+\S+)?|baidu(?:\s+research)?"
    r"|samsung(?:\s+\S+)?|salesforce(?:\s+research)?|adobe\s+research|hugging\s?face|sony\s+ai"
    r"|bell\s+labs|qualcomm|siemens|bosch|waymo|eleuther\s?ai|allen\s+institute\s+for\s+ai|ai2|mila"
    r"|cern|nasa|esa|eso|desy|fermilab|slac|inria|cnrs|nist|kaist|riken|mayo\s+clinic"
)
_SCHOOLS = (
    r"mit(?:\s+csail)?|cmu|carnegie\s+mellon|stanford|uc\s+berkeley|berkeley|harvard|princeton|yale"
    r"|caltech|oxford|eth(?:\s+z(?:u|ü|ue)rich)?|epfl|tsinghua|peking|nyu|ucl|ucla|ucsd|georgia\s+tech"
    r"|johns\s+hopkins|tum?\s+m(?:ü|u|ue)nchen|tu\s+\w+|imperial\s+college(?:\s+london)?"
)
_ELSEWHERE = (
    r"apple|meta|amazon|adobe|intel|netflix|spotify|uber|tesla|sony|mistral(?:\s+ai)?|deep\s?seek|xai"
    r"|cohere|cambridge|columbia|cornell|china|india|japan|korea|germany|france|europe|africa|my\s+"
    r"(?:group|institute|lab|university)|our\s+(?:group|institute|lab|university)"
)
_CALLED = (
    r"(?:the\s+)?(?:university|institute|college|academy)\s+of\s+[\w'’-]+(?:\s+[\w'’-]+){0,4}"
    r"|(?:the\s+)?(?:(?!(?:and|at|for|from|in|of|on|to|with)\s)[^\W\d_][\w'’.-]*\s+){1,4}(?:university|institute|polytechnic|universität|université)"
    r"(?:\s+(?:of|for)\s+[\w'’-]+(?:\s+[\w'’-]+){0,3})?"
    r"|max\s+planck(?:\s+institute)?(?:\s+for\s+[\w'’-]+(?:\s+[\w'’-]+){0,3})?"
    r"|(?:allen|weizmann|flatiron|broad|perimeter|turing|santa\s+fe)\s+institute"
)
_ALONE = re.compile(rf"(?:{_COMPANIES}|{_SCHOOLS}|{_CALLED})", re.IGNORECASE)
_LED_IN = re.compile(rf"(?:{_COMPANIES}|{_SCHOOLS}|{_CALLED}|{_ELSEWHERE})", re.IGNORECASE)
_DIVISION = re.compile(r"\s+(?:ai|nlp|vision|robotics|research)?\s*(?:lab|labs|group|team)?$", re.I)


def is_institute(name: str, *, led_in: bool = False) -> bool:
    """Whether it is the name of an institute, a company or a university, and of nothing else.

    What is a word of other things as well ("apple", "China") is one where it is `led_in`, as by
    "papers from".
    """
    forms = _LED_IN if led_in else _ALONE
    plain = name.strip(" .,")
    return any(forms.fullmatch(each) for each in (plain, _DIVISION.sub("", plain)))
