import packageJson from '../../../../../package.json' with { type: 'json' }
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { createNetwork } from '../../../net/create-network.ts'
import { proxyVariables } from '../../../net/choose-proxy.ts'
import { createProxiedFetch } from '../../../net/proxied-fetch.ts'
import type { FetchAddress } from '../../../web/web-parts.ts'

/** Minimum time between two events about network requests, in ms. */
const LEDGER_MS = 500

type Needs = {
  config: ConfigHandle
  store: Pick<Store, 'network' | 'usage'>
  feed: Pick<Feed, 'tell'>
  now(): number
}

/** The only way out of the host, with its ledger and its offline lock. */
export function networkFeature({ config, store, feed, now }: Needs) {
  const publish = throttled(LEDGER_MS, () => feed.tell('network'))
  const proxied = createProxiedFetch(() => config.current.network)
  const network = createNetwork({
    store: store.network,
    send: proxied.fetch,
    via: proxied.via,
    locked: () => config.current.network.offline,
    now,
    onChange: publish.soon,
  })
  let opened: Promise<FetchAddress> | undefined
  const fetchAddress: FetchAddress = async (address, options) => {
    opened ??= import('../../../web/fetch/fetch-address.ts').then(({ createFetchAddress }) =>
      createFetchAddress({
        fetchFor: network.fetchFor,
        isProxied: url => proxied.via(url) !== undefined,
        allowFakeDns: () => config.current.network.allow_fake_dns,
        version: packageJson.version,
      }),
    )
    return await (
      await opened
    )(address, options)
  }
  return {
    fetchFor: network.fetchFor,
    /** Fetch web addresses for models. */
    fetchAddress,
    begin: network.begin,
    /** Return proxy variables for programs that connect by themselves, such as git. */
    variables: () => proxyVariables(config.current.network, process.env),
    isLocked: () => network.locked,
    handlers: networkHandlers({ config, store }),
    close: publish.close,
  }
}

/** Run `action` soon after a call of `soon`, at most once every `ms`. */
function throttled(ms: number, action: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        action()
      }, ms).unref()
    },
    close: () => clearTimeout(timer),
  }
}

/** The ledger of requests, token usage and the offline lock. */
function networkHandlers({
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
