import type { HostHandlers } from '../../shared/contract/index.ts'
import type { Updates } from './open-updates.ts'

/** What a window can ask about updates. */
export function updateHandlers(updates: Updates, version: string) {
  return {
    'updates.read': () => ({ version, source: updates.source, state: updates.state() }),
    'updates.check': () => updates.check(),
    'updates.download': () => updates.download(),
    'updates.install'() {
      updates.install()
      return {}
    },
  } satisfies Partial<HostHandlers>
}
