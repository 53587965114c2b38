import type { SeededUsage } from '../../../testing/window/protocol.ts'
import type { PreparedHost } from './test-host.ts'
import { startOfDay } from '../features/settings/usage/measures.ts'

/** Noon, a number of days ago. */
const daysAgo = (days: number) => startOfDay(new Date(), days).getTime() + 12 * 3_600_000

/** A host with usage on two days, in two chats, for all purposes. */
export function used(costUsd: number | null = 0.042) {
  return ({ seed }: Pick<PreparedHost, 'seed'>): void => {
    void seed.chat({ id: 'c1', title: 'The weekly report' })
    void seed.usage(
      Array.from({ length: 12 }, (_, at): SeededUsage => {
        const isNew = at >= 8
        return {
          at: daysAgo(isNew ? 1 : 20),
          sessionId: at < 9 ? 'c1' : 'c2',
          modelId: isNew ? 'big' : 'builtin',
          modelName: isNew ? 'Big model' : 'Built-in demo model',
          kind: at < 10 ? 'chat' : 'learning',
          cachedTokens: 750,
          costUsd: isNew && costUsd !== null ? costUsd / 4 : null,
        }
      }),
    )
  }
}
