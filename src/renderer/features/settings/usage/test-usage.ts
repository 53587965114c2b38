import type { FakeHost } from '../../../test/fake-host.ts'
import { localDay, startOfDay } from './bars.ts'

const sum = (answers: number, costUsd: number | null = null) => ({
  answers,
  promptTokens: answers * 1_000,
  cachedTokens: answers * 750,
  outputTokens: answers * 100,
  ms: answers * 2_000,
  costUsd,
})
const daysAgo = (days: number) => localDay(startOfDay(new Date(), days))

/** A host that has answered on two days, in two chats, for all purposes. */
export function used(costUsd: number | null = 0.042) {
  return ({ config }: FakeHost) =>
    Object.assign(config.usage, {
      total: sum(12, costUsd),
      days: [
        { ...sum(8), day: daysAgo(20) },
        { ...sum(4, costUsd), day: daysAgo(1) },
      ],
      models: [
        { ...sum(8), modelId: 'builtin', name: 'Built-in demo model' },
        { ...sum(4, costUsd), modelId: 'big', name: 'Big model' },
      ],
      chats: [
        { ...sum(9), sessionId: 'c1', title: 'The weekly report' },
        { ...sum(3, costUsd), sessionId: 'c2', title: '' },
      ],
      kinds: [
        { ...sum(10), kind: 'chat' },
        { ...sum(2), kind: 'learning' },
      ],
    })
}
