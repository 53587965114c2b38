/** The parts of `bench/index.ts`, in the same order. Each has a record `bench.<part>`. */
export const benchParts = [
  'window',
  'answers',
  'rpc',
  'feed',
  'chat',
  'agents',
  'api',
  'batch',
  'bounds',
  'parser',
  'engine',
  'calls',
  'grammar',
  'states',
  'contexts',
  'mcp',
  'hook',
  'memory',
  'threads',
  'recall',
  'skills',
  'tools',
  'files',
  'web',
  'longchats',
  'compaction',
  'confinement',
  'review',
  'pulse',
  'peer',
] as const

/** A part of the bench. */
export type BenchPart = (typeof benchParts)[number]

/** All parts except the one that first builds llama.cpp's own benchmark. */
export const usualParts: readonly BenchPart[] = benchParts.filter(part => part !== 'peer')
