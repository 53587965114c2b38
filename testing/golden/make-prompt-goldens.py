"""
Writes the prompts that Jinja2, set up as in transformers, makes of our templates and conversations, with calls as data and no tools:
python make-prompt-goldens.py (needs jinja2; then npx oxfmt). `npm test` compares the prompts of a chat with them, without Python.
The templates in families.json do not write whole calls, so they get only the conversations without any.
"""

import json
from pathlib import Path

from jinja_environment import environment

here = Path(__file__).parent / "prompts"


def data_of(conversation):
    messages = [{"role": "system", "content": conversation["system"]}] if conversation.get("system") else []
    calls = results = 0
    for message in conversation["messages"]:
        given = {"role": message["role"], "content": message.get("text", "")}
        if message.get("calls"):
            given["tool_calls"] = [
                {"id": f"call{calls + at:05}", "type": "function", "function": call}
                for at, call in enumerate(message["calls"])
            ]
            calls += len(message["calls"])
        if message["role"] == "tool":
            given |= {"name": message["name"], "tool_call_id": f"call{results:05}"}
            results += 1
        messages.append(given)
    return messages


def in_parts(messages):
    return [{**message, "content": [{"type": "text", "text": message["content"]}]} for message in messages]


def render(source, conversation):
    variables = {"add_generation_prompt": True, "bos_token": "<s>", "eos_token": "</s>"}
    messages = data_of(conversation)
    for given in [messages, in_parts(messages)]:
        try:
            return {"right": environment.from_string(source).render(messages=given, **variables)}
        except Exception as error:
            refusal = str(error)
    return {"refused": refusal}


conversations = json.loads((here / "conversations.json").read_text("utf-8"))
templates = {path.stem: path.read_bytes().decode("utf-8") for path in here.glob("*.jinja")}
# Git would change a file with such line ends.
templates["windows-line-ends"] = templates["ordinary-tags"].replace("\n", "\r\n")
families = json.loads((here / "families.json").read_text("utf-8"))
rows = [
    {"template": name, "conversation": conversation["name"], **render(source, conversation)}
    for name, source in sorted((templates | families).items())
    for conversation in conversations
    if name not in families or all(message["role"] != "tool" for message in conversation["messages"])
]
lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
(here / "goldens.json").write_text(f"[\n{lines}\n]\n", "utf-8")
