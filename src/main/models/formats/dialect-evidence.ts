import type { DialectId } from './dialect-table.ts'

/**
 * Text in chat templates that identifies a dialect. All marks of a row must occur, and the first matching row
 * decides. Rare marks come first, because a template may also quote a common one.
 */
export const byTemplate: readonly (readonly [DialectId, readonly string[]])[] = [
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
export const byName: readonly (readonly [DialectId, RegExp])[] = [
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

/** GGUF architectures whose models all use one dialect. */
export const byArchitecture: ReadonlyMap<string, DialectId> = new Map([
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
