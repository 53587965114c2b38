import packageJson from '../../../../package.json' with { type: 'json' }
import type { AppEvent, Notice } from '../../../shared/contract/app.ts'
import type { EngineState } from '../../../shared/contract/model.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { ConfigPath } from '../../config/schema.ts'
import { settingsHandlers } from '../../config/settings-handlers.ts'
import type { Broadcast } from '../../lib/publish.ts'
import { appHandlers, windowSettings } from '../app-handlers.ts'
import type { HostOptions } from '../host-types.ts'

type Needs = {
  home: string
  workspace: string
  hosting: HostOptions['hosting']
  notices: Notice[]
  config: ConfigHandle
  models: { defaultId(): string; engineState(): EngineState }
  events: Broadcast<AppEvent>
}

/** The greeting of a window, the settings, and the events that tell every window about a changed setting. */
export function settingsFeature({ home, workspace, hosting, notices, config, models, events }: Needs) {
  config.onChange(path => {
    for (const event of eventsFor(path, config)) events.publish(event)
  })
  return {
    handlers: {
      ...appHandlers({
        version: packageJson.version,
        hosting,
        home,
        workspace,
        notices,
        config,
        events,
        defaultModelId: models.defaultId,
        engineState: models.engineState,
      }),
      ...settingsHandlers({ config, publish: events.publish }),
    },
  }
}

/**
 * The events for a changed setting: always `settings`, so that lists of settings reload, and the event of the
 * feature that uses it. The features of skills and of learning publish theirs.
 */
function eventsFor(path: ConfigPath, config: ConfigHandle): AppEvent[] {
  const [section] = path.split('.')
  const { network, ui } = config.current
  const settings: AppEvent = { type: 'settings', settings: windowSettings(config) }
  if (section === 'models' || section === 'memory') return [settings, { type: section }]
  if (section === 'network') return [settings, { type: 'network', locked: network.offline }]
  if (path === 'ui.setup_done') return [settings, { type: 'setup', done: ui.setup_done }]
  return [settings]
}
