"""The templates that mails are made from are the sources with their CSS inlined."""

import pytest

from tests.channels.inlining import SOURCES, TEMPLATES, inlined


@pytest.mark.parametrize("name", SOURCES)
def test_the_inlined_template_is_what_its_source_gives(name, request):
    result = TEMPLATES / f"{name}.inlined.j2"
    if request.config.getoption("--accept"):
        result.write_text(inlined(name))

    assert result.read_text() == inlined(name)
