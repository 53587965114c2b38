import { describe, expect, test } from 'vitest'
import { createToolCallReader } from './reader/call-reader.ts'
import type { Format } from './format-types.ts'
import { detectFormat, servedFormat } from './detect-format.ts'
import { piecesOf } from './marked-text.ts'
import { formats, type FormatId } from './format-table.ts'
import { writeCalls } from './write-calls.ts'

const chatml = '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>{% endfor %}'
const llama = '<|start_header_id|>{{ m.role }}<|end_header_id|>'

/** The identifying parts of real templates, each with the text around it. */
const templates: readonly (readonly [model: string, template: string, FormatId])[] = [
  ['Qwen 2.5', `${chatml} <tools> </tools> <tool_call>\\n{\\"name\\": … <tool_response>`, 'hermes'],
  ['Qwen 3', `${chatml} <think> '<tool_call>\\n{"name": "' + name + '", "arguments": '`, 'hermes'],
  ['Hermes 3 on Llama', `${chatml} <|begin_of_text|> <tools> <tool_call>`, 'hermes'],
  ['a Llama fine-tune with a tag', `${llama} ipython <|python_tag|> "parameters": <tool_call>`, 'hermes'],
  ['Granite 4', '<|start_of_role|> <tools> <tool_call> {"name": <function-name>', 'hermes'],
  ['Granite 3.3', '<|start_of_role|>tools<|end_of_role|> with <|tool_call|> followed by a list', 'granite3'],
  ['Granite 3.3, without a word of calls', '<|start_of_role|>available_tools<|end_of_role|>', 'granite3'],
  ['Qwen3-Coder', `${chatml} <tools> <tool_call>\\n<function=f>\\n<parameter=p>`, 'qwen-coder'],
  ['Llama 3.1', `${llama} ipython <|python_tag|> '"parameters": '`, 'llama3'],
  ['Llama 3.2', `${llama} "ipython" {"name": function name, "parameters": …} '"parameters": '`, 'llama3'],
  ['Functionary 3.1', `${llama} <function=example>{"a": 1}</function> <|python_tag|>`, 'function-tag'],
  ['Llama 4', '<|header_start|> <|python_start|> <|python_end|> ipython "parameters":', 'llama4'],
  ['Gemma 3', '<start_of_turn>user {{ m.content }}<end_of_turn>', 'gemma3'],
  ['Gemma 4', "<|turn>model '<|tool_call>call:' + name + '{' <tool_call|> <|tool_response>", 'gemma4'],
  [
    'FunctionGemma',
    '<start_of_turn>developer <start_function_declaration> <start_function_call>',
    'functiongemma',
  ],
  ['Mistral Nemo', '[INST] [AVAILABLE_TOOLS] [TOOL_CALLS][ [TOOL_RESULTS]', 'mistral'],
  ['Mistral Small 3', '[SYSTEM_PROMPT] [TOOL_CALLS]{{ name }}[ARGS]{{ arguments }}', 'mistral-args'],
  ['Mistral Small 3.2', '[TOOL_CALLS]{{ name }}[CALL_ID]{{ id }}[ARGS]{{ arguments }}', 'mistral-ids'],
  ['Kimi K2', '<|im_middle|> <|tool_calls_section_begin|><|tool_call_begin|>', 'kimi-k2'],
  ['MiniMax M2', ']~b] <tools> <minimax:tool_call>\\n<invoke name="', 'minimax-m2'],
  ['DeepSeek V3.2', "{% set token = '｜DSML｜' %}'<' + token + 'function_calls>'", 'deepseek-v3.2'],
  ['DeepSeek V4', "{% set token = '｜DSML｜' %}'<' + token + 'tool_calls>'", 'deepseek-v4'],
  ['Kimi K3', "{{ '<|open|>' + tag + '<|sep|>' }} tools", 'kimi-k3'],
  ['MiniMax M3', ']<]minimax[>[ <tool_call>', 'minimax-m3'],
  ['Functionary 2.2', '<|from|> <|recipient|>all <|content|>', 'functionary2'],
  ['MiniCPM 3', '<|tool_call_start|>\\n```python', 'minicpm3'],
  ['Firefunction 1', 'SYSTEM: … <functioncall>', 'firefunction1'],
  ['Apertus', '<|assistant_start|> <|tools_prefix|>[', 'apertus'],
  ['GigaChat 3', "'role': 'function call' <|message_sep|> <|role_sep|>", 'gigachat3'],
  ['GigaChat 3.1', '<|message_sep|> <|role_sep|> <|function_call|>', 'gigachat3.1'],
  ['MiniCPM5', '<tools> <function name="f"><param name="p">', 'minicpm5'],
  ['Functionary 3.2', '<|start_header_id|> >>>all', 'functionary3'],
  ['Firefunction 2', 'Write functools[{"name": …}]', 'functools'],
  ['Command R', "<|START_OF_TURN_TOKEN|> Write \\'Action:\\' followed by", 'command-r'],
  ['Solar Open', '<|begin|>assistant <|tool_calls|><|tool_call:begin|>', 'solar'],
  ['Hy3', "{% set suffix = ':opensource' %} <｜hy_Assistant <arg_key", 'hy3'],
  ['Muse', '<|start|>assistant to= <atem:function_calls>', 'muse'],
  ['Phi-4-mini', "<|system|> '<|tool|>' + tools + '<|/tool|>' <|end|>", 'phi4'],
  ['LFM2', `${chatml} <|tool_list_start|> <|tool_response_start|>`, 'lfm2'],
  ['Command R7B', '<|START_OF_TURN_TOKEN|> <|START_THINKING|> <|START_ACTION|>', 'command-r7b'],
  [
    'R1, distilled to Qwen',
    '<｜User｜> <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function <think>',
    'deepseek',
  ],
  ['GLM 4.6', '<|assistant|> <tools> <tool_call>{name}\\n<arg_key>k</arg_key>', 'glm'],
  ['Seed-OSS', '<seed:bos> <seed:tool_call>\\n<function=f>\\n<parameter=p>', 'seed-oss'],
  ['gpt-oss', '<|start|>developer namespace functions <|channel|>commentary to=functions.', 'harmony'],
  ['Nemotron Nano v2', '<SPECIAL_10> <AVAILABLE_TOOLS>[ <TOOLCALL>[', 'nemotron'],
  ['Hunyuan', '<tools> <tool_calls> {"name": … </tool_calls> <tool_call>', 'tool-calls-list'],
  ['InternLM 2.5', `${chatml} name=<|plugin|>`, 'internlm2'],
]

const names: readonly (readonly [name: string, FormatId])[] = [
  ['Meta-Llama-3.2-3B-Instruct-Q4_K_M', 'llama3'],
  ['llama3.1:8b', 'llama3'],
  ['Llama-3_3-70B-Instruct', 'llama3'],
  ['gemma-3-4b-it', 'gemma3'],
  ['gemma3:4b', 'gemma3'],
  ['google/gemma-2-9b-it', 'gemma3'],
  ['gemma-4-E4B-it-Q8_0.gguf', 'gemma4'],
  ['functiongemma-270m-it', 'functiongemma'],
  ['qwen2.5-coder:7b', 'hermes'],
  ['Qwen/Qwen3-8B-AWQ', 'hermes'],
  ['qwen3-coder:30b', 'qwen-coder'],
  ['Qwen3.5-4B-Q4_K_M.gguf', 'qwen-coder'],
  ['Phi-4-mini-instruct', 'phi4'],
  ['phi4-mini', 'phi4'],
  ['granite3.3:8b', 'granite3'],
  ['ibm-granite/granite-4.0-h-tiny', 'hermes'],
  ['Hermes-3-Llama-3.1-8B', 'hermes'],
  ['DeepSeek-R1-Distill-Qwen-7B', 'deepseek'],
  ['Llama-3.1-Nemotron-Nano-8B-v1', 'nemotron'],
  ['NVIDIA-Nemotron-3-Nano-30B-A3B', 'qwen-coder'],
  ['Mistral-Nemo-Instruct-2407', 'mistral'],
  ['Mistral-7B-Instruct-v0.3', 'mistral'],
  ['Mistral-Small-3.2-24B-Instruct-2506', 'mistral-ids'],
  ['Mistral-Small-24B-Instruct-2506', 'mistral-ids'],
  ['moonshotai/Kimi-K2-Instruct', 'kimi-k2'],
  ['MiniMax-M2', 'minimax-m2'],
  ['DeepSeek-V3.1-Terminus', 'deepseek-v3.1'],
  ['DeepSeek-V3-0324', 'deepseek'],
  ['xLAM-2-3b-fc-r', 'bare-list'],
  ['Hammer2.1-1.5b', 'fenced-list'],
  ['Kimi-K3', 'kimi-k3'],
  ['MiniMax-M3', 'minimax-m3'],
  ['MiniCPM3-4B', 'minicpm3'],
  ['functionary-small-v2.2', 'functionary2'],
  ['firefunction-v1', 'firefunction1'],
  ['granite-20b-functioncalling', 'granite-20b'],
  ['ToolACE-2-Llama-3.1-8B', 'python-list'],
  ['functionary-small-v3.2', 'functionary3'],
  ['command-r', 'command-r'],
  ['c4ai-command-r-plus', 'command-r'],
  ['GigaChat3-10B-A1.8B', 'gigachat3'],
  ['Ministral-3-3B-Instruct-2512', 'mistral-args'],
  ['Ministral-8B-Instruct-2410', 'mistral'],
  ['devstral:24b', 'mistral-args'],
  ['gpt-oss:20b', 'harmony'],
  ['zai-org/GLM-4.6', 'glm'],
  ['LFM2-1.2B', 'lfm2'],
  ['c4ai-command-r7b-12-2024', 'command-r7b'],
]

/** Models trained on no format, or on an unsupported one. */
const unknown = [
  '',
  'my-finetune',
  'Meta-Llama-3-8B-Instruct',
  'llama3:8b',
  'llama-3-1b',
  'mistral:7b-instruct-v0.2',
  'phi4:14b',
  'phi3:mini',
  'deepseek-coder:6.7b',
  'tinyllama',
  'gemma-2b-it',
]

describe('the chat template decides', () => {
  test.for(templates)('%s', ([, template, id]) => {
    // A contradicting name changes nothing.
    const name = id === 'hermes' ? 'gpt-oss' : 'qwen3'
    expect(detectFormat({ template, name })).toMatchObject({
      id,
      from: 'template',
      because: expect.stringMatching(/^its chat template writes ./),
    })
  })
})

test.for(names)('%s is recognised by its name', ([name, id]) => {
  const found = detectFormat({ name, template: chatml, architecture: 'gemma3' })
  expect(found).toMatchObject({ id, from: 'name', because: expect.stringMatching(/^its name is that of ./) })
})

test.for(unknown)('“%s” alone decides nothing, so it gets the fallback', name => {
  expect(detectFormat({ name })).toMatchObject({
    id: 'hermes',
    from: 'default',
    because: expect.stringMatching(/^nothing tells/),
  })
})

test('the reasons are readable by people', () => {
  const template = '<tool_call>\n<function=a>\n<parameter=b>'
  expect(detectFormat({ template }).because).toBe('its chat template writes <function= with <parameter=')
  expect(detectFormat({ architecture: 'gemma3' })).toEqual({
    id: 'gemma3',
    format: 'gemma3',
    from: 'name',
    because: 'its architecture is gemma3',
  })
  expect(detectFormat({ architecture: 'constructor' }).id).toBe('hermes')
})

test('a served model’s calls are read even if the server drops their marks', () => {
  const tools = [{ name: 'tool', parameters: { type: 'object', properties: { key: { type: 'string' } } } }]
  const call = { name: 'tool', arguments: { key: 'a value' } }
  const isReadWithoutMarks = (format: Format) => {
    const bare = piecesOf(writeCalls(format, [call])).filter(piece => typeof piece === 'string')
    const reader = createToolCallReader({ tools })
    const events = [...reader.push(bare.join('')), ...reader.end()]
    return events.some(event => event.type === 'call')
  }
  const lost = Object.values(formats).filter(format => !isReadWithoutMarks(format))
  for (const [name, id] of names)
    expect([name, servedFormat(name)]).toEqual([name, lost.includes(formats[id]) ? 'hermes' : id])
})
