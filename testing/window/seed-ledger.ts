import type { NetworkEntry } from '../../src/shared/contract/connections/network.ts'
import type { Place } from './place.ts'
import type { SeededUsage } from './protocol.ts'

const anAnswer = {
  sessionId: 'c1',
  modelId: 'server:served',
  modelName: 'Served model',
  kind: 'chat',
  promptTokens: 1_000,
  cachedTokens: 0,
  outputTokens: 100,
  ms: 2_000,
  costUsd: null,
} as const

/** Store the usage of answers. */
export function seedUsage({ store }: Place, answers: readonly SeededUsage[]): void {
  for (const answer of answers) store.usage.add({ at: Date.now(), ...anAnswer, ...answer })
}

const aRequest = {
  host: 'llm.example.org',
  purpose: 'chat',
  subject: 'Big model',
  nearby: false,
  state: 'done',
  sentBytes: 4_200,
  receivedBytes: 1_300,
  ms: 2_400,
} as const

/** Store one network request; blocked and running ones have no end time. */
export function seedRequest({ store }: Place, given: Partial<NetworkEntry>): void {
  const { state, sentBytes, receivedBytes, ms, ...entry } = { at: Date.now(), ...aRequest, ...given }
  if (state === 'blocked') return void store.network.begin({ ...entry, state })
  const id = store.network.begin({ ...entry, state: 'running' })
  if (state !== 'running') store.network.end(id, { state, sentBytes, receivedBytes, ms })
}
