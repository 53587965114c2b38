import packageJson from '../../../../../package.json' with { type: 'json' }
import type { Feed } from '../../../feed/open-feed.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Clock } from '../../../lib/timing.ts'
import type { Network } from '../../../net/create-network.ts'
import { openUpdates, updateHandlers } from '../../../updates/open-updates.ts'
import type { HostOptions } from '../../host-types.ts'

type Needs = {
  hosting: HostOptions['hosting']
  openUpdater: HostOptions['openUpdater']
  config: ConfigHandle
  network: Pick<Network, 'begin'>
  feed: Pick<Feed, 'tell'>
  now: Clock
  report(error: unknown): void
}

/** Updates of the desktop app. Their requests, like all others, are logged and obey the offline lock. */
export function updatesFeature({ hosting, openUpdater, config, network, feed, now, report }: Needs) {
  const updater = openUpdater?.(host => network.begin(host, { purpose: 'update', subject: 'Talaria' }))
  const updates = openUpdates({ updater, hosting, now, report })
  updates.changes.subscribe(() => feed.tell('updates'))
  if (updater && config.current.updates.check_at_start && !config.current.network.offline) updates.check()
  return { handlers: updateHandlers(updates, packageJson.version) }
}
