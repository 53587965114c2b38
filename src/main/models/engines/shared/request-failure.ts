import type { EngineFailure } from '../engine.ts'

/** Request parameters that some servers refuse and that an answer does not depend on. */
export const OPTIONAL = [
  'stream_options',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'seed',
  'thinking',
  'cache_control',
  'reasoning_content',
  'reasoning_details',
  'reasoning',
  'extra_content',
] as const
export type Optional = (typeof OPTIONAL)[number]

/** What went wrong with one request, and what may be tried: again later, or again without a parameter. */
export type Trouble = {
  failure: EngineFailure
  retry: boolean
  /** How long the server asks to wait, in milliseconds. */
  waitMs?: number
  without?: Optional
  /** Another model may answer in its place. */
  elsewhere?: true
}

/** What the failures of one protocol are called. */
export type ApiWords = {
  /** What a wrong address has none of, in the plural. */
  answers: string
  /** How to correct an address. */
  address: string
  /** What kind of server is meant, with its article. */
  server: string
}

/** Whom a request went to, for the texts; `sent` is its body. */
export type Asked = {
  name: string
  host: string
  /** Whether the server runs on this machine or in this network. */
  nearby: boolean
  model: string
  apiKey: string
  api: ApiWords
  sent: Record<string, unknown>
}

/** The server went silent for `ms`; `begun` says whether it had begun to answer. */
export class Stalled extends Error {
  readonly begun: boolean
  readonly ms: number
  constructor(begun: boolean, ms: number) {
    super('The server went silent.')
    this.begun = begun
    this.ms = ms
  }
}

/** The stream ended in good order, but before the model did. */
export class BrokenOff extends Error {}

/** A time in words. */
export function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`
  return seconds <= 1 ? 'a second' : `${seconds} seconds`
}
