import type { EngineFailure } from '../../interface/engine.ts'

/** Optional request parameters that some servers refuse. */
export const OPTIONAL_FIELDS = [
  'stream_options',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'seed',
  'repeat_penalty',
  'repetition_penalty',
  'thinking',
  'cache_control',
  'reasoning_content',
  'reasoning_details',
  'reasoning',
  'extra_content',
] as const
export type OptionalField = (typeof OPTIONAL_FIELDS)[number]

/** A failed request, and which retry may help: later, or without a parameter. */
export type RequestFailure = {
  failure: EngineFailure
  retry: boolean
  /** How long the server asks to wait, in ms. */
  waitMs?: number
  without?: OptionalField
  /** Another model may be able to answer instead. */
  elsewhere?: true
  /** The server says that it is still loading its model. */
  loading?: true
}

/** Wording for the failures of one protocol. */
export type ApiWords = {
  /** The kind of endpoint that a wrong address lacks, as a plural noun for error texts. */
  answers: string
  /** How to correct an address. */
  address: string
  /** The expected kind of server, with its article. */
  server: string
}

/** The target of a request, for error texts. `sent` is the body. */
export type Asked = {
  name: string
  host: string
  /** Whether the server is on this computer or its private network. */
  nearby: boolean
  model: string
  apiKey: string
  api: ApiWords
  sent: Record<string, unknown>
}

/** The server went silent for `ms`. `begun`: it had started to answer. */
export class Stalled extends Error {
  readonly begun: boolean
  readonly ms: number
  constructor(begun: boolean, ms: number) {
    super('The server went silent.')
    this.begun = begun
    this.ms = ms
  }
}

/** The stream ended cleanly, but before the model did. */
export class BrokenOff extends Error {}

/** Format a duration for the user. */
export function durationOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`
  return seconds <= 1 ? 'a second' : `${seconds} seconds`
}
