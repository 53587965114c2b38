import type { Manner } from '../read-message.ts'

const assistant = { promptTail: '<|start|>assistant' }

/** What the example shows, the message, its expected gist, and how it is passed to the reader. */
export type Example = [shows: string, text: string, gist: unknown[], manner?: Manner]

const open = (path: string) => ['open_file', { path }]
export const A = open('a.md')
export const clock = ['clock', {}]
export const JSON_A = '{"name": "open_file", "arguments": {"path": "a.md"}}'
export const JSON_CLOCK = '{"name": "clock", "arguments": {}}'

/** At least one example for each notation that some model writes. */
export const notations: Example[] = [
  [
    'Hermes, Qwen',
    `<tool_call>\n${JSON_A}\n</tool_call>\n<tool_call>\n${JSON_CLOCK}\n</tool_call>`,
    [A, clock],
  ],
  ['several in one tag', `<tool_call>\n${JSON_A}\n${JSON_CLOCK}\n</tool_call>`, [A, clock]],
  ['a list in the tag', `<tool_call>[${JSON_A}, ${JSON_CLOCK}]</tool_call>`, [A, clock]],
  ['wrong tag: tools', `<tools>${JSON_A}</tools>`, [A]],
  ['wrong tag: json', `On it.\n<json>\n${JSON_A}\n</json>`, ['On it.', A]],
  ['tool_code tag', '<tool_code>\nprint(open_file(path="a.md"))\n</tool_code>', [A]],
  [
    'Llama 3, bare',
    '{"type": "function", "name": "open_file", "parameters": {"path": "a.md"}}<|eot_id|>',
    [A],
  ],
  ['Llama 3, several', `${JSON_A}; ${JSON_CLOCK}`, [A, clock]],
  ['Llama 3, python tag', `Let me see. <|python_tag|>${JSON_A}<|eom_id|>`, ['Let me see.', A]],
  ['Llama 3, built-in', '<|python_tag|>open_file.call(path="a.md")<|eom_id|>', [A]],
  ['Llama 3, code', '<|python_tag|>x = 1\nprint(x)<|eom_id|>', [['python', { code: 'x = 1\nprint(x)' }]]],
  ['function tag', '<function=open_file>{"path": "a.md"}</function><|eom_id|>', [A]],
  ['function tag, attribute', '<function name="open_file">\n{"path": "a.md"}\n</function>', [A]],
  [
    'Llama 4',
    "<|python_start|>[open_file(path='a.md', line=3), clock()]<|python_end|>",
    [['open_file', { path: 'a.md', line: 3 }], clock],
  ],
  ['ToolACE, bare list', "[open_file(path='a.md')]", [A]],
  [
    'Gemma 4',
    '<|tool_call>call:plan{title:<|"|>a {b}, "c"<|"|>,urgent:true,limits:{hours:1.5}}<tool_call|>',
    [['plan', { title: 'a {b}, "c"', urgent: true, limits: { hours: 1.5 } }]],
  ],
  ['Gemma 4, no mark', 'One moment.\ncall:open_file{path:<|"|>a.md<|"|>}', ['One moment.', A]],
  [
    'Gemma 4, bare text',
    '<|tool_call>call:plan{title: high noon, share: 2, owner: null}<tool_call|>',
    [['plan', { title: 'high noon', share: 2, owner: null }]],
  ],
  [
    'FunctionGemma',
    '<start_function_call>call:plan{steps:[<escape>a<escape>,<escape>b<escape>]title:<escape>t<escape>}<end_function_call>',
    [['plan', { steps: ['a', 'b'], title: 't' }]],
  ],
  [
    'FunctionGemma, a text behind a bare value',
    '<start_function_call>call:plan{limits:{hours:[true,<escape>a<escape>]}}<end_function_call>',
    [['plan', { limits: { hours: [true, 'a'] } }]],
  ],
  ['Gemma 3', '```tool_code\nfound = open_file(path="a.md")\nprint(found)\n```<end_of_turn>', [A]],
  [
    'Mistral 0.3',
    `[TOOL_CALLS][{"name": "open_file", "arguments": {"path": "a.md"}, "id": "x1Y2z3W4v"}]</s>`,
    [A],
  ],
  [
    'Mistral Small 3',
    'Hm.[TOOL_CALLS]open_file[ARGS]{"path": "a.md"}[TOOL_CALLS]clock[CALL_ID]123456789[ARGS]{}',
    ['Hm.', A, clock],
  ],
  ['Mistral without [ARGS]', '[TOOL_CALLS]open_file{"path": "a.md"}', [A]],
  [
    'Qwen3-Coder',
    '<tool_call>\n<function=plan>\n<parameter=title>\n  two\nlines\n\n</parameter>\n<parameter=share>\n3\n</parameter>\n<parameter=steps>\n["a"]\n</parameter>\n</function>\n</tool_call>',
    [['plan', { title: '  two\nlines\n', share: 3, steps: ['a'] }]],
  ],
  [
    'Qwen3-Coder, no outer tag',
    '<function=open_file>\n<parameter=path>\na.md\n</parameter>\n</function>\n</tool_call>',
    [A],
  ],
  [
    'LFM2',
    'Well.<|tool_call_start|>[plan(urgent=true, owner=None)]<|tool_call_end|>',
    ['Well.', ['plan', { urgent: true, owner: null }]],
  ],
  ['MiniCPM 3', '<|tool_call_start|>\n```python\nopen_file(path="a.md")\n```\n<|tool_call_end|>', [A]],
  [
    'MiniCPM 5',
    '<function name="open_file"><param name="path"><![CDATA[<a> & b]]></param></function>',
    [open('<a> & b')],
  ],
  ['Phi-4', `functools[${JSON_A}]`, [A]],
  ['Phi-4, brackets missing', `<|tool_call|>${JSON_A}, ${JSON_CLOCK}<|end|>`, [A, clock]],
  ['Granite 3', `<|tool_call|>[${JSON_A}]<|end_of_text|>`, [A]],
  ['Firefunction 1', `<functioncall> ${JSON_A}\n<functioncall>${JSON_CLOCK}</functioncall>`, [A, clock]],
  [
    'MiniCPM 3',
    '<|thought_start|>\nI look.\n<|thought_end|>\n<|tool_call_start|>\n```python\nopen_file(path="a.md")\nclock()\n```\n<|tool_call_end|>',
    [{ thought: 'I look.' }, A, clock],
  ],
  ['Hammer, a list in a fence', `\`\`\`\n[${JSON_A}, ${JSON_CLOCK}]\n\`\`\``, [A, clock]],
  [
    'Functionary 2, behind its prompt',
    'open_file\n<|content|>{"path": "a.md"}\n<|from|>assistant\n<|recipient|> clock\n<|content|>{}',
    [A, clock],
    { promptTail: '<|from|>assistant\n<|recipient|>' },
  ],
  ['Functionary 2, an answer', 'all\n<|content|>It rains.', ['It rains.'], { promptTail: '<|recipient|>' }],
  [
    'Kimi K3, behind its prompt',
    'I look.<|close|>think<|sep|><|open|>response<|sep|>One moment.<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="clock" index="1"<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>',
    [{ thought: 'I look.' }, 'One moment.', clock],
    { promptTail: '<|open|>message role="assistant"<|sep|><|open|>think<|sep|>' },
  ],
  [
    'Kimi K3, all arguments at once',
    '<|open|>tools<|sep|><|open|>call tool="open_file" index="1"<|sep|><|open|>json type="object"<|sep|>{"path": "a.md"}<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    [A],
  ],
  ['Granite 20B', `<function_call> ${JSON_A}\n<function_call> ${JSON_CLOCK}`, [A, clock]],
  [
    'gpt-oss',
    '<|channel|>analysis<|message|>Look first.<|end|><|start|>assistant<|channel|>commentary<|message|>Opening it.<|end|><|start|>assistant<|channel|>commentary to=functions.open_file <|constrain|>json<|message|>{"path": "a.md"}<|call|>',
    [{ thought: 'Look first.' }, 'Opening it.', A],
    assistant,
  ],
  [
    'gpt-oss, recipient first',
    ' to=functions.clock<|channel|>analysis json<|message|>{}<|call|>',
    [clock],
    assistant,
  ],
  ['gpt-oss, answer', '<|channel|>final<|message|>Done.<|return|>', ['Done.'], assistant],
  [
    'GLM 4.5',
    '<tool_call>plan\n<arg_key>title</arg_key>\n<arg_value>42</arg_value>\n<arg_key>share</arg_key>\n<arg_value>42</arg_value>\n</tool_call>',
    [['plan', { title: '42', share: 42 }]],
  ],
  ['GLM 4.5, no arguments', 'Now.<tool_call>clock</tool_call>', ['Now.', clock]],
  [
    'DeepSeek 3',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>open_file\n```json\n{"path": "a.md"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>clock\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [A, clock],
  ],
  [
    'DeepSeek R1 distilled',
    'function<｜tool▁sep｜>open_file\n```json\n{"path": "a.md"}\n```<｜tool▁call▁end｜>',
    [A],
  ],
  [
    'DeepSeek 3.1',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>open_file<｜tool▁sep｜>{"path": "a.md"}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    [A],
  ],
  [
    'DeepSeek 3.2',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="plan">\n<｜DSML｜parameter name="title" string="true">7</｜DSML｜parameter>\n<｜DSML｜parameter name="share" string="false">7</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    [['plan', { title: '7', share: 7 }]],
  ],
  [
    'Functionary 3.2',
    'all\nLet me look.\n>>>open_file\n{"path": "a.md"}>>>clock\n{}',
    ['Let me look.', A, clock],
    { promptTail: '>>>' },
  ],
  ['Functionary 3.2, code', 'python\nprint(1)', [['python', { code: 'print(1)' }]], { promptTail: '>>>' }],
  ['Functionary 2', '<|from|>assistant\n<|recipient|>open_file\n<|content|>{"path": "a.md"}<|stop|>', [A]],
  [
    'Command R7B',
    '<|START_THINKING|>Look.<|END_THINKING|><|START_ACTION|>[\n  {"tool_call_id": "0", "tool_name": "open_file", "parameters": {"path": "a.md"}}\n]<|END_ACTION|>',
    [{ thought: 'Look.' }, A],
  ],
  ['Command R7B, answer', '<|START_RESPONSE|>Done.<|END_RESPONSE|>', ['Done.']],
  ['Command R', 'Action: ```json\n[{"tool_name": "open_file", "parameters": {"path": "a.md"}}]\n```', [A]],
  ['Nemotron', `<TOOLCALL>[${JSON_A}]</TOOLCALL>`, [A]],
  ['Nemotron, Python', '<TOOLCALL>[open_file(path="a.md"), clock()]</TOOLCALL>', [A, clock]],
  ['xLAM', `\`\`\`json\n[${JSON_A}]\n\`\`\``, [A]],
  ['OLMo 3', '<function_calls>open_file(path="a.md")\nclock()</function_calls>', [A, clock]],
  [
    'Apertus',
    '<|inner_prefix|>Hm.<|inner_suffix|><|tools_prefix|>[{"open_file": {"path": "a.md"}}]<|tools_suffix|>',
    [{ thought: 'Hm.' }, A],
  ],
  [
    'Seed-OSS',
    '<seed:think>Hm.</seed:think><seed:tool_call>\n<function=open_file>\n<parameter=path>\n a.md</parameter>\n</function>\n</seed:tool_call>',
    [{ thought: 'Hm.' }, open('\n a.md')],
  ],
  [
    'InternLM 2',
    'Sure.<|action_start|><|plugin|>{"name": "open_file", "parameters": {"path": "a.md"}}<|action_end|>',
    ['Sure.', A],
  ],
  ['Jamba, Hunyuan, Apriel', `<tool_calls>[${JSON_A}]</tool_calls>`, [A]],
  ['GigaChat 3', `<|message_sep|>\n\nfunction call<|role_sep|>\n${JSON_A}`, [A]],
  ['GigaChat 3.1', `<|function_call|>${JSON_A}`, [A]],
  [
    'node-llama-cpp',
    'Let me see.\n||call: open_file({"path": "a.md"})\n||call: clock()',
    ['Let me see.', A, clock],
  ],
  [
    'ReAct',
    'Thought: look first\nAction: open_file\nAction Input: {"path": "a.md"}\nObservation: …',
    ['Thought: look first', A, '\nObservation: …'],
  ],
  ['ReAct, bare input', 'Action: open_file\nAction Input: a.md', [A]],
  [
    'OpenAI',
    '{"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "open_file", "arguments": "{\\"path\\": \\"a.md\\"}"}}]}',
    [A],
  ],
  [
    'invoke tags',
    '<function_calls>\n<invoke name="open_file">\n<parameter name="path">a.md</parameter>\n</invoke>\n</function_calls>',
    [A],
  ],
  [
    'MiniMax M2',
    'Hm. <minimax:tool_call><invoke name="open_file"><parameter name="path">a <b> c</parameter></invoke><invoke name="clock"></invoke></minimax:tool_call>',
    ['Hm.', open('a <b> c'), clock],
  ],
  [
    'MiniMax M3',
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="plan">]<]minimax[>[<steps>]<]minimax[>[<item>a]<]minimax[>[</item>]<]minimax[>[</steps>]<]minimax[>[<limits>]<]minimax[>[<hours>2]<]minimax[>[</hours>]<]minimax[>[</limits>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
    [['plan', { steps: ['a'], limits: { hours: 2 } }]],
  ],
  [
    'Step 3',
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>open_file\n<steptml:invoke name="open_file"><steptml:parameter name="path">  a.md\n</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    [open('  a.md\n')],
  ],
  [
    'Kimi K2',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.open_file:0<|tool_call_argument_begin|>{"path": "a.md"}<|tool_call_end|><|tool_call_begin|>functions.clock:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    [A, clock],
  ],
  [
    'Kimi K3',
    'Hm.<|close|>think<|sep|><|open|>response<|sep|>On it.<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="plan" index="1"<|sep|><|open|>argument key="share" type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>',
    [{ thought: 'Hm.' }, 'On it.', ['plan', { share: 2 }]],
    { promptTail: '<|open|>think<|sep|>' },
  ],
  [
    'Solar Open',
    '<|think|>Look.<|end|><|begin|>assistant<|content|>On it.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>x1Y2z3W4v<|tool_call:name|>open_file<|tool_call:args|>{"path": "a.md"}<|tool_call:end|><|tool_call:begin|>x1Y2z3W4w<|tool_call:name|>clock<|tool_call:args|>{}<|tool_call:end|><|calls|>',
    [{ thought: 'Look.' }, 'On it.', A, clock],
    { promptTail: '<|begin|>assistant' },
  ],
  ['Solar Open, answer', '<|content|>Done.<|end|>', ['Done.'], { promptTail: '<|begin|>assistant' }],
  [
    'Solar Open, where nobody says how the prompt ends',
    '<|think|>Look.<|end|><|begin|>assistant<|content|>Done.',
    [{ thought: 'Look.' }, 'Done.'],
  ],
  [
    'Hy3',
    '<think:opensource>Look.</think:opensource><tool_calls:opensource>\n<tool_call:opensource>plan<tool_sep:opensource>\n<arg_key:opensource>title</arg_key:opensource>\n<arg_value:opensource>42</arg_value:opensource>\n<arg_key:opensource>share</arg_key:opensource>\n<arg_value:opensource>42</arg_value:opensource>\n</tool_call:opensource>\n<tool_call:opensource>clock<tool_sep:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>',
    [{ thought: 'Look.' }, ['plan', { title: '42', share: 42 }], clock],
  ],
  [
    'Muse',
    ' to=self<|message|>Look <first>.<|eom|><|start|>assistant to=user<|message|>On it.<|eom|><|start|>assistant to=open_file<|message|><atem:function_calls>\n<atem:invoke name="open_file">\n<atem:parameter name="path">a.md</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eot|>',
    [{ thought: 'Look <first>.' }, 'On it.', A],
    assistant,
  ],
  [
    'Muse, call first',
    ' to=open_file<|message|><atem:function_calls>\n<atem:invoke name="open_file">\n<atem:parameter name="path">a.md</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
    [A],
  ],
  [
    'LongCat',
    `<longcat_think>Hm.</longcat_think><longcat_tool_call>${JSON_A}</longcat_tool_call>`,
    [{ thought: 'Hm.' }, A],
  ],
]
