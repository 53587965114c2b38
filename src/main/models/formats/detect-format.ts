import { matchFormat, type WrittenProbes } from './match-calls.ts'
import { formats, fallbackFormat, type FormatId } from './format-table.ts'

/** The format of a model, what identified it, and the reason as a phrase for the user. */
type Detected = { id: FormatId; from: 'template' | 'name' | 'default'; because: string }

/**
 * Detect the format in which a model was trained to call tools. Its chat template is the best evidence, because its
 * makers wrote it: first the calls that it `writes` when asked, then the marks in its source; then its name, then its
 * architecture. Any of them may be missing. `name` may be that of a file or of a model on a server.
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
    return {
      id: asked,
      from: 'template',
      because: `its chat template writes calls as ${formats[asked].families} do`,
    }

  const written = byTemplate.find(([, marks]) => marks.every(mark => template.includes(mark)))
  if (written)
    return {
      id: written[0],
      from: 'template',
      because: `its chat template writes ${written[1].join(' with ')}`,
    }

  const plain = plainName(name)
  const named = byName.find(([, pattern]) => pattern.test(plain))
  if (named)
    return { id: named[0], from: 'name', because: `its name is that of ${formats[named[0]].families}` }

  const built = byArchitecture.get(architecture.toLowerCase())
  if (built) return { id: built, from: 'name', because: `its architecture is ${architecture}` }
  return {
    id: fallbackFormat,
    from: 'default',
    because: 'nothing tells how it was trained to call tools, and this notation is the most widely known',
  }
}

/** Such as `llama-3.2-3b-instruct-q4-k-m` for `Meta-Llama-3.2-3B-Instruct-Q4_K_M.gguf`. */
const plainName = (name: string) =>
  (name.trim().toLowerCase().split(/[/\\]/).at(-1) ?? '').replace(/\.gguf$/, '').replace(/[:_\s]+/g, '-')

/**
 * The format for a model behind a server, where only the name is known. Servers remove the special tokens that a
 * model writes, so a format that needs its marks is replaced by the fallback.
 */
export function servedFormat(name: string): FormatId {
  const { id } = detectFormat({ name })
  return formats[id].needsMarks ? fallbackFormat : id
}

/**
 * Text in chat templates that identifies a format. All marks of a row must occur, and the first matching row
 * decides. Rare marks come first, because a template may also quote a common one.
 */
const byTemplate: readonly (readonly [FormatId, readonly string[]])[] = [
  ['gemma4', ['<|tool_call>']],
  ['functiongemma', ['<start_function_call>']],
  ['deepseek', ['<｜tool▁calls▁begin｜>']],
  ['seed-oss', ['<seed:tool_call>']],
  ['command-r7b', ['<|START_ACTION|>']],
  ['harmony', ['<|channel|>', '<|start|>']],
  ['lfm2', ['<|tool_call_start|>']],
  ['lfm2', ['<|tool_list_start|>']],
  ['internlm2', ['<|plugin|>']],
  ['llama4', ['<|python_start|>']],
  ['mistral-args', ['[TOOL_CALLS]', '[ARGS]']],
  ['mistral', ['[TOOL_CALLS]']],
  ['nemotron', ['<TOOLCALL>']],
  ['granite3', ['<|tool_call|>', '<|start_of_role|>']],
  ['granite3', ['<|start_of_role|>available_tools']],
  ['phi4', ['<|tool_call|>']],
  ['phi4', ['<|tool|>', '<|/tool|>']],
  ['phi4', ['functools[']],
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
  ['hermes', /hermes-?[2-9]|hermes-pro/],
  ['llama4', /toolace/],
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
  ['mistral-args', /mistral-small-?(3\.2|24b-instruct-2506|2506)|devstral|magistral|ministral-?3/],
  ['mistral', /mistral-(nemo|small|medium|large)|mistral-7b-instruct-v0\.3|ministral|mixtral-8x22b/],
  ['phi4', /phi-?4-mini/],
  ['lfm2', /lfm-?2/],
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
