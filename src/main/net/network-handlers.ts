import type { HostHandlers } from '../../shared/contract/index.ts'
import type { ConfigHandle } from '../config/load.ts'
import type { Store } from '../db/store.ts'

/** The ledger of requests, token usage and the offline lock. */
export function networkHandlers({
  config,
  store,
}: {
  config: ConfigHandle
  store: Pick<Store, 'network' | 'usage'>
}) {
  return {
    'network.list': ({ before, limit }) => ({
      locked: config.current.network.offline,
      entries: store.network.list(before ?? Number.MAX_SAFE_INTEGER, limit),
      hosts: store.network.hosts(),
    }),
    'network.lock'({ locked }) {
      config.set('network.offline', locked)
      return { locked: config.current.network.offline }
    },
    'network.clear'() {
      store.network.clear()
      return {}
    },
    'usage.read': range => store.usage.read(range),
  } satisfies Partial<HostHandlers>
}
