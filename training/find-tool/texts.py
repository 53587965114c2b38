"""What both steps of the fit read: words as the search cuts them, and the files of tools and requests."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def words_of(text):
    """The words of a text as src/main/mcp/finding/read-request.ts cuts them."""
    split = re.sub(r"([a-zà-ÿ])([A-Z])", r"\1 \2", text)
    return re.findall(r"[^\W_]+", re.sub(r"([A-Z])([A-Z][a-z])", r"\1 \2", split).lower())


def lines(path):
    return [json.loads(line) for line in (ROOT / path).read_text().splitlines() if line.strip()]


def tools_and_requests():
    """Descriptions of all tools by server and name, and the requests that may be fitted to."""
    tools = {(t["server"], t["name"]): t["description"] for t in lines("evals/findtool/tools.jsonl")}
    tools |= {(t["server"], t["name"]): t["description"] for t in lines("training/find-tool/tools.jsonl")}
    requests = [r for r in lines("evals/findtool/requests.jsonl") if r["part"] == "tuned"]
    return tools, requests + lines("training/find-tool/requests.jsonl")
