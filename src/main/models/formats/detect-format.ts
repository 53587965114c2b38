import { matchFormat, type WrittenProbes } from './match-calls.ts'
import type { OWN } from './format-types.ts'
import { formats, fallbackFormat, type FormatId, type ModelFormat } from './format-table.ts'
import { learnFormat } from './learn-format.ts'

/** The format of a model with its id, the evidence for it, and the reason as a phrase for the user. */
type Detected = {
  id: FormatId | typeof OWN
  format: ModelFormat
  from: 'template' | 'name' | 'default'
  because: string
}

/**
 * Detect the format in which a model was trained to call tools. Its chat template is the best evidence,
 * because the model's makers wrote it. First come the calls that the template `writes` when asked, in a known
 * notation or its own, then the marks in its source. The name and the architecture decide last. Any of these
 * facts may be missing. `name` may be a file name or the name of a model on a server.
 */
export function detectFormat(facts: {
  writes?: WrittenProbes | undefined
  template?: string | undefined
  name?: string | undefined
  architecture?: string | undefined
}): Detected {
  const { writes, template = '', name = '', architecture = '' } = facts
  const asked = writes && matchFormat(writes)
  if (asked)
    return found(
      asked,
      'template',
      `its chat template writes calls in the notation of ${formats[asked].families}`,
    )
  const learnt = writes && learnFormat(writes)
  if (learnt)
    return {
      id: learnt.id,
      format: learnt,
      from: 'template',
      because: `its chat template writes calls with marks of its own, such as ${learnt.mark}`,
    }

  const written = byTemplate.find(([, marks]) => marks.every(mark => template.includes(mark)))
  if (written) return found(written[0], 'template', `its chat template writes ${written[1].join(' with ')}`)

  const plain = plainName(name)
  const named = byName.find(([, pattern]) => pattern.test(plain))
  if (named) return found(named[0], 'name', `its name is that of ${formats[named[0]].families}`)

  const built = byArchitecture.get(architecture.toLowerCase())
  if (built) return found(built, 'name', `its architecture is ${architecture}`)
  const because = 'nothing tells how it was trained to call tools, and this notation is the most widely known'
  return found(fallbackFormat, 'default', because)
}

const found = (id: FormatId, from: Detected['from'], because: string) => ({ id, format: id, from, because })

/** Normalise a name: `Meta-Llama-3.2-3B-Instruct-Q4_K_M.gguf` becomes `meta-llama-3.2-3b-instruct-q4-k-m`. */
const plainName = (name: string) =>
  (name.trim().toLowerCase().split(/[/\\]/).at(-1) ?? '').replace(/\.gguf$/, '').replace(/[:_\s]+/g, '-')

/**
 * The format for a model behind a server, of which only the name is known. Servers strip the special tokens
 * that a model writes, so a format that needs them as marks is replaced by the fallback.
 */
export function servedFormat(name: string): FormatId {
  const { format } = detectFormat({ name })
  return typeof format !== 'string' || formats[format].needsMarks ? fallbackFormat : format
}

/**
 * Text in chat templates that identifies a format. All marks of a row must occur, and the first matching row
 * decides. Rare marks come first, because a template may also quote a common one.
 */
const byTemplate: readonly (readonly [FormatId, readonly string[]])[] = [
  ['gemma4', ['<|tool_call>']],
  ['functiongemma', ['<start_function_call>']],
  ['kimi-k3', ['<|open|>', '<|sep|>', 'tools']],
  ['minimax-m3', [']<]minimax[>[']],
  ['kimi-k2', ['<|tool_calls_section_begin|>']],
  ['minimax-m2', ['<minimax:tool_call>']],
  ['deepseek-v3.2', ['｜DSML｜', 'function_calls']],
  ['deepseek-v4', ['｜DSML｜', 'tool_calls']],
  ['deepseek', ['<｜tool▁calls▁begin｜>']],
  ['seed-oss', ['<seed:tool_call>']],
  ['command-r7b', ['<|START_ACTION|>']],
  ['command-r', ['<|START_OF_TURN_TOKEN|>', "Write 'Action:'"]],
  ['command-r', ['<|START_OF_TURN_TOKEN|>', "Write \\'Action:\\'"]],
  ['apertus', ['<|tools_prefix|>']],
  ['gigachat3.1', ['<|role_sep|>', '<|function_call|>']],
  ['gigachat3', ['<|role_sep|>', 'function call']],
  ['solar', ['<|tool_call:begin|>']],
  ['muse', ['<atem:function_calls>']],
  ['minicpm5', ['<function name=', '<param name=']],
  ['functionary3', ['>>>all']],
  ['functionary2', ['<|recipient|>', '<|content|>']],
  ['minicpm3', ['<|tool_call_start|>', '```python']],
  ['harmony', ['<|channel|>', '<|start|>']],
  ['lfm2', ['<|tool_call_start|>']],
  ['lfm2', ['<|tool_list_start|>']],
  ['internlm2', ['<|plugin|>']],
  ['llama4', ['<|python_start|>']],
  ['mistral-ids', ['[TOOL_CALLS]', '[CALL_ID]', '[ARGS]']],
  ['mistral-args', ['[TOOL_CALLS]', '[ARGS]']],
  ['mistral', ['[TOOL_CALLS]']],
  ['nemotron', ['<TOOLCALL>']],
  ['granite3', ['<|tool_call|>', '<|start_of_role|>']],
  ['granite3', ['<|start_of_role|>available_tools']],
  ['phi4', ['<|tool_call|>']],
  ['phi4', ['<|tool|>', '<|/tool|>']],
  ['functools', ['functools[']],
  ['firefunction1', ['<functioncall>']],
  ['granite-20b', ['<function_call>', 'SYSTEM:']],
  ['hy3', ['<arg_key', 'hy_Assistant']],
  ['glm', ['<arg_key>']],
  ['qwen-coder', ['<function=', '<parameter=']],
  ['tool-calls-list', ['<tool_calls>']],
  ['hermes', ['<tool_call>']],
  // After Hermes, because fine-tunes of Llama keep its words and add their own tag.
  ['function-tag', ['<function=']],
  ['llama3', ['<|python_tag|>']],
  ['llama3', ['ipython', '"parameters":']],
  ['gemma3', ['<start_of_turn>']],
]

/** Families by name, in lower case with hyphens. A fine-tune comes before its base model. */
const byName: readonly (readonly [FormatId, RegExp])[] = [
  ['function-tag', /functionary.*v3\.1/],
  ['functionary3', /functionary.*v3\.2/],
  ['functionary2', /functionary.*v2\.[24]/],
  ['bare-list', /xlam-?2/],
  ['fenced-list', /hammer-?2/],
  ['kimi-k3', /kimi-?k3/],
  ['minimax-m3', /minimax-?m3/],
  ['minicpm3', /minicpm-?3/],
  ['granite-20b', /granite-20b-function/],
  ['firefunction1', /firefunction-?v?1/],
  ['kimi-k2', /kimi-?k2/],
  ['minimax-m2', /minimax-?m2/],
  ['tool-calls-lines', /minimax-?m1/],
  ['deepseek-v3.1', /deepseek-?v3\.1/],
  ['deepseek-v3.2', /deepseek-?v3\.2/],
  ['deepseek-v4', /deepseek-?v4/],
  ['minicpm5', /minicpm-?5/],
  ['apertus', /apertus/],
  ['gigachat3.1', /gigachat-?3\.1/],
  ['gigachat3', /gigachat-?3/],
  ['functools', /firefunction-?v?2/],
  ['solar', /solar-open/],
  ['hermes', /hermes-?[2-9]|hermes-pro/],
  ['python-list', /toolace/],
  ['deepseek', /deepseek-?(r1|v3|chat|reasoner)/],
  ['qwen-coder', /nemotron-?3-|nemotron-?nano-?3/],
  ['nemotron', /nemotron/],
  ['functiongemma', /functiongemma/],
  ['gemma4', /gemma-?4/],
  ['gemma3', /gemma-?[23](?!\d*b)/],
  ['qwen-coder', /qwen-?3-?coder|qwen-?3\.[5-9]|step-?3\.5/],
  ['hermes', /qwen-?[23]|qwq|granite-?4|smollm-?3|ernie-?4|mimo/],
  ['granite3', /granite-?3/],
  ['llama3', /llama-?3[.-][123](?!\d*b)/],
  ['llama4', /llama-?4/],
  ['mistral-ids', /mistral-small-?3\.2|mistral-small-?(24b-instruct-)?2506/],
  ['mistral-args', /devstral|magistral|ministral-?3/],
  ['mistral', /mistral-(nemo|small|medium|large)|mistral-7b-instruct-v0\.3|ministral|mixtral-8x22b/],
  ['phi4', /phi-?4-mini/],
  ['lfm2', /lfm-?2/],
  ['command-r', /command-?r(-plus|-v01|-08-2024|:|$)/],
  ['command-r7b', /command-?(r7b|a)(-|$)/],
  ['glm', /glm-?4\.[5-9]|glm-?5/],
  ['seed-oss', /seed-oss/],
  ['harmony', /gpt-?oss/],
  ['tool-calls-list', /jamba|hunyuan|apriel/],
  ['internlm2', /internlm-?2/],
]

/** GGUF architectures whose models all use one format. */
const byArchitecture: ReadonlyMap<string, FormatId> = new Map([
  ['gemma2', 'gemma3'],
  ['gemma3', 'gemma3'],
  ['gemma3n', 'gemma3'],
  ['gemma4', 'gemma4'],
  ['qwen2', 'hermes'],
  ['qwen2moe', 'hermes'],
  ['qwen3', 'hermes'],
  ['qwen35', 'qwen-coder'],
  ['qwen35moe', 'qwen-coder'],
  ['granitehybrid', 'hermes'],
  ['smollm3', 'hermes'],
  ['llama4', 'llama4'],
  ['lfm2', 'lfm2'],
  ['lfm2moe', 'lfm2'],
  ['cohere2', 'command-r7b'],
  ['glm4moe', 'glm'],
  ['gpt-oss', 'harmony'],
  ['seed_oss', 'seed-oss'],
  ['internlm2', 'internlm2'],
  ['jamba', 'tool-calls-list'],
  ['hunyuan-moe', 'tool-calls-list'],
])
