"""Writes what Jinja2, set up as in transformers, makes of our templates: python make-jinja-goldens.py (needs jinja2; then npx oxfmt)."""

import json
from pathlib import Path

from jinja_environment import environment

here = Path(__file__).parent
variables = json.loads((here / "jinja-variables.json").read_text("utf-8"))


def render(source):
    try:
        return {"source": source, "right": environment.from_string(source).render(**variables)}
    except Exception as error:
        return {"source": source, "refused": type(error).__name__}


sources = json.loads((here / "jinja-sources.json").read_text("utf-8"))
rows = ",\n".join("  " + json.dumps(render(source), ensure_ascii=False) for source in sources)
(here / "jinja-goldens.json").write_text(f"[\n{rows}\n]\n", "utf-8")
