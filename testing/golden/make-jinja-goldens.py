"""Writes what Jinja2, set up as in transformers, makes of our templates: python make-jinja-goldens.py (needs jinja2)."""

import json
from datetime import datetime
from pathlib import Path

from jinja2.ext import Extension, loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

here = Path(__file__).parent
now = datetime(2026, 11, 8, 9, 5, 7)


def raise_exception(message):
    raise ValueError(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


class Generation(Extension):
    tags = {"generation"}

    def parse(self, parser):
        next(parser.stream)
        return parser.parse_statements(["name:endgeneration"], drop_needle=True)


environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, Generation]
)
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = lambda format: now.strftime(format)

variables = json.loads((here / "jinja-variables.json").read_text("utf-8"))


def render(source):
    try:
        return {"source": source, "right": environment.from_string(source).render(**variables)}
    except Exception as error:
        return {"source": source, "refused": type(error).__name__}


sources = json.loads((here / "jinja-sources.json").read_text("utf-8"))
rows = ",\n".join("  " + json.dumps(render(source), ensure_ascii=False) for source in sources)
(here / "jinja-goldens.json").write_text(f"[\n{rows}\n]\n", "utf-8")
