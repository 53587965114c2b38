import { A, clock, type Example, JSON_A, JSON_CLOCK } from './notations.ts'

const thinking = { promptTail: '<|im_start|>assistant\n<think>\n' }

/** Thoughts, and where they end. */
export const thoughts: Example[] = [
  ['a block', '<think>\nWhat now?\n</think>\n\nHello.', [{ thought: 'What now?' }, 'Hello.']],
  ['an empty block', '<think>\n\n</think>\n\nHello.', ['Hello.']],
  [
    'a block that the prompt opened',
    'What now?\n</think>\nHello.',
    [{ thought: 'What now?' }, 'Hello.'],
    thinking,
  ],
  [
    'a block that both opened',
    '<think>What now?</think>Hello.',
    [{ thought: 'What now?' }, 'Hello.'],
    thinking,
  ],
  ['a block that never closes', '<think>What now', [{ thought: 'What now' }]],
  [
    'two blocks',
    '<think>a</think>One.\n<think>b</think>\nTwo.',
    [{ thought: 'a' }, 'One.', { thought: '\n\nb' }, '\n\nTwo.'],
  ],
  [
    'a call in a block that closes is a thought',
    `<think>I may write <tool_call>${JSON_A}</tool_call> now.</think>No.`,
    [{ thought: `I may write <tool_call>${JSON_A}</tool_call> now.` }, 'No.'],
  ],
  [
    'a call in a block that never closes is meant',
    `I look.\n<tool_call>${JSON_A}</tool_call>`,
    [{ thought: 'I look.' }, A],
    thinking,
  ],
  [
    'unless the model ran out of tokens',
    `I look.\n<tool_call>${JSON_A}</tool_call> or`,
    [{ thought: `I look.\n<tool_call>${JSON_A}</tool_call> or` }],
    { ...thinking, truncated: true },
  ],
  [
    'a broken call in a block does not swallow its end',
    `<think>So <tool_call>{"name": "open_file", "arg</think>Hello <tool_call>${JSON_CLOCK}</tool_call>`,
    [{ thought: 'So <tool_call>{"name": "open_file", "arg' }, 'Hello', clock],
  ],
  ['Mistral', '[THINK]What now?[/THINK]Hello.', [{ thought: 'What now?' }, 'Hello.']],
  ['Gemma 4', '<|channel>thought\nWhat now?<channel|>Hello.', [{ thought: 'What now?' }, 'Hello.']],
  [
    'Apriel 1.6',
    'What now?\n[BEGIN FINAL RESPONSE]\nHello.',
    [{ thought: 'What now?' }, 'Hello.'],
    { promptTail: 'Here are my reasoning steps:\n' },
  ],
  [
    'Apriel 1.6, whose server does not tell how the prompt ended',
    `What now? <tool_calls>[${JSON_A}]</tool_calls>\n[BEGIN FINAL RESPONSE]\nHello.`,
    [{ thought: `What now? <tool_calls>[${JSON_A}]</tool_calls>` }, 'Hello.'],
  ],
  ['Granite', '<think>What now?</think><response>Hello.</response>', [{ thought: 'What now?' }, 'Hello.']],
]

/** Where calls without a mark count. */
export const places: Example[] = [
  ['at the start', `${JSON_A} So I looked.`, [A, 'So I looked.']],
  ['at the end', `Let me look.\n\n${JSON_A}\n`, ['Let me look.', A]],
  ['at the end of a line', `Let me look: ${JSON_A}`, ['Let me look:', A]],
  ['several at the end', `Let me look.\n${JSON_A}\n${JSON_CLOCK}`, ['Let me look.', A, clock]],
  ['beside a marked one', `${JSON_A} <tool_call>${JSON_CLOCK}</tool_call>`, [A, clock]],
  ['not in the middle', `One writes\n${JSON_A}\nto open a file.`, [`One writes\n${JSON_A}\nto open a file.`]],
  [
    'not at the end of a text that was cut',
    `One writes\n${JSON_A}`,
    [`One writes\n${JSON_A}`],
    { truncated: true },
  ],
  ['a fence at the end', `Let me look.\n\`\`\`json\n${JSON_A}\n\`\`\``, ['Let me look.', A]],
  [
    'not a fence in the middle',
    `Such as\n\`\`\`json\n${JSON_A}\n\`\`\`\nand so on.`,
    [`Such as\n\`\`\`json\n${JSON_A}\n\`\`\`\nand so on.`],
  ],
  ['a list of Python between words', '[clock()] and [open_file(path="a.md")]', [clock, 'and', A]],
  ['Python alone', 'open_file(path="a.md")', [A]],
  ['Python is code when words surround it', 'Use\nopen_file(path="a.md")', ['Use\nopen_file(path="a.md")']],
  ['a call has its line to itself', 'Say call:clock{} aloud', ['Say call:clock{} aloud']],
]

const same = (shows: string, text: string): Example => [shows, text, [text]]

/** Text that looks like a call but is not one. */
export const texts: Example[] = [
  same('prose', 'I could use open_file, but will explain it instead.'),
  same('a mark that is spoken of', 'The <tool_call> tag opens calls, and </tool_call> closes them.'),
  same('a mark in backticks', 'I write `<tool_call>` or `[TOOL_CALLS]` and so on.'),
  same('a call in backticks', `So: \`<tool_call>${JSON_A}</tool_call>\` or \`${JSON_A}\`.`),
  same(
    'a marked call in a fence in the middle',
    `So:\n\`\`\`xml\n<tool_call>${JSON_A}</tool_call>\n\`\`\`\nThat opens it.`,
  ),
  same('a fence of tildes with other text', `~~~xml\n<tool_call>${JSON_A}</tool_call>\nfirst\n~~~\nis it.`),
  same('a fence with other text', `\`\`\`\nfirst\n<tool_call>${JSON_A}</tool_call>\n\`\`\``),
  same('a quotation', `> <tool_call>${JSON_A}</tool_call>\n> ${JSON_A}`),
  same('a tag that begins alike', 'abc\n<tool_call fake> and <toolbox>'),
  same('a mark cut at the end', 'Hello\n<tool_c'),
  same('a single bracket', '<'),
  same('JSON', '{"status": "done", "files": [1, 2], "name": "open_file"}'),
  same('a name that is no tool', '{"name": "Ada", "arguments": ["for", "against"]}'),
  same('a list of people', '```json\n[{"name": "Ann", "parameters": {"age": 3}}]\n```'),
  same('a list that is only partly calls', `[${JSON_A}, {"name": "Ann"}]`),
  same('a call inside other data', `{"next": ${JSON_A}}`),
  same('a call inside data that was cut', `{"a": 1,\n "next": ${JSON_A}\n`),
  same('a definition', '{"name": "open_file", "description": "Opens", "parameters": {"type": "object"}}'),
  same('a name alone', '{"name": "clock"}'),
  same('a tag of other meaning', '<tools>a hammer</tools> and <json>{"a": 1}</json>'),
  same('a link', '[clock()](https://example.org) and [1] and [clock](x)'),
  same('mathematics', 'f(x) = {x | x > 0}, on [0, 1) || [a, b[; a < b >> c'),
  same('an indexed word', 'Use functools[0] or functools.reduce.'),
  same('a prompt of Python', '>>> print(1)\n1\n>>> clock()'),
  same('an action in prose', 'Action: The council decided\nto wait.'),
  same('a task list', '- [ ] plan\n- [x] clock'),
  same('code', '```python\nprint(open_file(path="a"))\n```\nruns.'),
  same('an end token in the middle', 'Models end with </s> or <|im_end|> mostly.'),
]
