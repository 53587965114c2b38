import type { HostHandlers } from '../../../shared/contract/index.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { ConfigPath } from '../../config/schema.ts'
import type { Store } from '../../store/types.ts'

/** What left this computer, what it took, and the lock. */
export function networkHandlers({
  config,
  store,
  onSetting,
}: {
  config: ConfigHandle
  store: Pick<Store, 'network' | 'usage'>
  onSetting: (path: ConfigPath) => void
}) {
  return {
    'network.list': ({ before, limit }) => ({
      locked: config.current.network.offline,
      entries: store.network.list(before ?? Number.MAX_SAFE_INTEGER, limit),
      hosts: store.network.hosts(),
    }),
    'network.lock'({ locked }) {
      config.set('network.offline', locked)
      onSetting('network.offline')
      return { locked: config.current.network.offline }
    },
    'network.clear'() {
      store.network.clear()
      return {}
    },
    'usage.read': range => store.usage.read(range),
  } satisfies Partial<HostHandlers>
}
