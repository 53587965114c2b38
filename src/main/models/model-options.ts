import type { ModelOptions } from '../../shared/contract/models/model.ts'

/** The options of one model, as spelled in the configuration. */
export type OptionsEntry = {
  context_tokens?: number | undefined
  gpu_layers?: number | undefined
  threads?: number | undefined
  batch_tokens?: number | undefined
  chats?: number | undefined
  context_bits?: 8 | 16 | undefined
  temperature?: number | undefined
  top_k?: number | undefined
  top_p?: number | undefined
  min_p?: number | undefined
  repeat_penalty?: number | undefined
  strategy?: 'text' | 'structured' | undefined
  format?: string | undefined
  thinking?: 'on' | 'off' | undefined
}

const keys = {
  contextTokens: 'context_tokens',
  gpuLayers: 'gpu_layers',
  threads: 'threads',
  batchTokens: 'batch_tokens',
  chats: 'chats',
  contextBits: 'context_bits',
  temperature: 'temperature',
  topK: 'top_k',
  topP: 'top_p',
  minP: 'min_p',
  repeatPenalty: 'repeat_penalty',
  strategy: 'strategy',
  format: 'format',
  thinking: 'thinking',
} as const satisfies Record<keyof ModelOptions, keyof OptionsEntry>

const pairs = Object.entries(keys)

/** The user's options for a model; empty for most models. */
export function optionsOf(entries: Readonly<Record<string, OptionsEntry>>, id: string): ModelOptions {
  const entry = Object.hasOwn(entries, id) ? entries[id] : undefined
  if (!entry) return {}
  return Object.fromEntries(
    pairs.flatMap(([name, key]) => (entry[key] === undefined ? [] : [[name, entry[key]]])),
  )
}

/** Replace the options of one model among all entries. A model without options gets no entry. */
export function withOptions(
  entries: Readonly<Record<string, OptionsEntry>>,
  id: string,
  options: ModelOptions,
): Record<string, OptionsEntry> {
  const set = pairs.flatMap(([name, key]) => {
    const value = options[name as keyof ModelOptions]
    return value === undefined ? [] : [[key, value]]
  })
  const others = Object.entries(entries).filter(([each]) => each !== id)
  return Object.fromEntries(set.length === 0 ? others : [...others, [id, Object.fromEntries(set)]])
}
