import { A, clock, type Example, JSON_A } from './notations.ts'

/** Mistakes that leave no doubt about what was meant. */
export const repairs: Example[] = [
  ['a comma too many', '<tool_call>{"name": "open_file", "arguments": {"path": "a.md",},}</tool_call>', [A]],
  ['keys without quotes', '<tool_call>{name: "open_file", arguments: {path: "a.md"}}</tool_call>', [A]],
  [
    'quotes of Python',
    "<tool_call>{'name': 'plan', 'arguments': {'urgent': True, 'owner': None}}</tool_call>",
    [['plan', { urgent: true, owner: null }]],
  ],
  ['curly quotes', '<tool_call>{“name”: “open_file”, “arguments”: {“path”: “a.md”}}</tool_call>', [A]],
  [
    'comments',
    '```json\n{\n  // look\n  "name": "open_file", /* here */ "arguments": {"path": "a.md"} # so\n}\n```',
    [A],
  ],
  ['a brace too many', '<tool_call>{"name": "open_file", "arguments": {"path": "a.md"}}}</tool_call>', [A]],
  ['a brace too few', '<tool_call>{"name": "open_file", "arguments": {"path": "a.md"}</tool_call>', [A]],
  ['doubled braces', '<tool_call>{{"name": "open_file", "arguments": {{"path": "a.md"}}}}</tool_call>', [A]],
  [
    'a line feed in a text',
    '<tool_call>{"name": "plan", "arguments": {"title": "a\nb"}}</tool_call>',
    [['plan', { title: 'a\nb' }]],
  ],
  [
    'one backslash',
    '<tool_call>{"name": "plan", "arguments": {"title": "\\d+\\.\\w"}}</tool_call>',
    [['plan', { title: '\\d+\\.\\w' }]],
  ],
  ['a fence in the tag', `<tool_call>\n\`\`\`json\n${JSON_A}\n\`\`\`\n</tool_call>`, [A]],
  ['a tag in the fence', `\`\`\`json\n<function_call> ${JSON_A} </function_call>\n\`\`\``, [A]],
  ['no closing tag', `<tool_call>${JSON_A}`, [A]],
  ['no opening tag', `${JSON_A}\n</tool_call><|im_end|>`, [A]],
  ['the wrong closing tag', '<|tool_call>call:open_file{path:<|"|>a.md<|"|>}<turn|>', [A]],
  ['a token in between', `<tool_call><|im_start|>${JSON_A}</tool_call>`, [A]],
  ['a token nobody knows', `${JSON_A}<|assistant_end|>`, [A]],
  [
    'text as arguments',
    '<tool_call>{"name": "open_file", "arguments": "{\\"path\\": \\"a.md\\"}"}</tool_call>',
    [A],
  ],
  ['other names', '<tool_call>{"tool": "open_file", "args": {"path": "a.md"}}</tool_call>', [A]],
  ['action and input', '{"action": "open_file", "action_input": {"path": "a.md"}}', [A]],
  ['no nesting', '<tool_call>{"name": "open_file", "path": "a.md"}</tool_call>', [A]],
  ['the name as key', '{"open_file": {"path": "a.md"}}', [A]],
  ['arguments before the name', '{"arguments": {"path": "a.md"}, "name": "open_file"}', [A]],
  ['a prefix', '<tool_call>{"name": "functions.open_file", "arguments": {"path": "a.md"}}</tool_call>', [A]],
  ['no arguments, none needed', '<tool_call>{"name": "clock"}</tool_call>', [clock]],
  ['junk before the list', `[TOOL_CALLS] list [${JSON_A}] and so on`, [A, 'and so on']],
  [
    'a call behind one that is nonsense',
    `<tool_call>open it</tool_call>\n<tool_call>${JSON_A}</tool_call>`,
    [{ refused: 'The call cannot be read: write one JSON object with "name" and "arguments".' }, A],
  ],
  [
    'parameters never closed',
    '<function=plan>\n<parameter=title>one\n<parameter=share>2\n</function>',
    [['plan', { title: 'one', share: 2 }]],
  ],
  [
    'a closing tag inside a value',
    '<tool_call>\n<function=plan>\n<parameter=title>\nthe </parameter> tag\n</parameter>\n</function>\n</tool_call>',
    [['plan', { title: 'the </parameter> tag' }]],
  ],
  [
    'a closing tag inside a text',
    '<tool_call>{"name": "plan", "arguments": {"title": "</tool_call>"}}</tool_call>',
    [['plan', { title: '</tool_call>' }]],
  ],
  [
    'a value without a comma behind it',
    '<start_function_call>call:plan{title:<escape>a<escape>owner:<escape>b<escape>}<end_function_call>',
    [['plan', { title: 'a', owner: 'b' }]],
  ],
]

/** Calls that must not run; the model gets the reason. */
export const refusals: Example[] = [
  [
    'what comes behind a call whose quotes do not pair up',
    `<tool_call>{"name": "open_file", "arguments": {"path": "say "hi" </tool_call><tool_call>${JSON_A}</tool_call>`,
    [
      { refused: 'The arguments of open_file cannot be read: a comma is missing before "h".' },
      {
        refused:
          'It was not run, because a call before it in the same message cannot be read. Send both again.',
      },
    ],
  ],
  [
    'a tool that does not exist',
    '<tool_call>{"name": "wipe_disk", "arguments": {}}</tool_call>',
    [{ refused: 'There is no tool named "wipe_disk". The tools are: open_file, clock, python, plan.' }],
  ],
  [
    'a text that was cut',
    '<tool_call>{"name": "open_file", "arguments": {"path": "/etc/pass',
    [{ refused: 'The call of open_file was cut off before it was complete. Send it again, in full.' }],
  ],
  [
    'a number that was cut',
    '[TOOL_CALLS]open_file[ARGS]{"path": "a.md", "line": 1',
    [{ refused: 'The call of open_file was cut off before it was complete. Send it again, in full.' }],
  ],
  [
    'a parameter that was cut',
    '<tool_call>\n<function=open_file>\n<parameter=path>\n/etc/pa',
    [{ refused: 'The call of open_file was cut off before it was complete. Send it again, in full.' }],
  ],
  [
    'a call that ran out of tokens',
    '<tool_call>{"name": "open_file", "arguments": {"path": "a.md"',
    [{ refused: 'The call of open_file was cut off before it was complete. Send it again, in full.' }],
    { truncated: true },
  ],
  [
    'what was needed is missing at the end',
    '<tool_call>{"name": "open_file", "arguments": {"line": 3}',
    [{ refused: 'The call of open_file was cut off before it was complete. Send it again, in full.' }],
  ],
  [
    'no arguments, some needed',
    '<tool_call>open_file</tool_call>',
    [{ refused: 'The arguments of open_file cannot be read: give it path, line.' }],
  ],
  [
    'a value of the wrong kind',
    '<function=open_file>\n<parameter=path>a</parameter>\n<parameter=line>ten</parameter>\n</function>',
    [
      {
        refused:
          'The arguments of open_file cannot be read: "line" cannot be read: it must be of type integer.',
      },
    ],
  ],
  [
    'a definition',
    '<tool_call>{"name": "open_file", "arguments": {"type": "object", "properties": {"path": {"type": "string"}}}}</tool_call>',
    [{ refused: 'This repeats what open_file takes. Give it values: path, line.' }],
  ],
  [
    'two names',
    '<tool_call>{"name": "open_file", "tool": "clock", "arguments": {}}</tool_call>',
    [{ refused: 'The call cannot be read: it names 2 tools at once.' }],
  ],
  [
    'words',
    'So:\n<tool_call>open the file</tool_call>',
    ['So:', { refused: 'The call cannot be read: write one JSON object with "name" and "arguments".' }],
  ],
  [
    'words on a line of their own',
    '<tool_call>\nopen the file\n</tool_call>',
    [{ refused: 'The call cannot be read: write one JSON object with "name" and "arguments".' }],
  ],
]
