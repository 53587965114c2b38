import type { AppEvent, Notice, Settings } from '../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { Broadcast } from '../../lib/broadcast.ts'
import type { LocalEngines } from '../../llm/local/local-engine.ts'
import type { Models } from '../../llm/models.ts'

type App = {
  version: string
  hosting: 'desktop' | 'headless' | 'cli'
  home: string
  workspace: string
  notices: Notice[]
  config: ConfigHandle
  models: Models
  local: LocalEngines
  events: Broadcast<AppEvent>
}

/** What belongs to no chat: the greeting, settings and notices. */
export function appHandlers({
  version,
  hosting,
  home,
  workspace,
  config,
  events,
  local,
  models,
  notices,
}: App) {
  const settings = () => windowSettings(config)
  return {
    async *'app.watch'(_input, signal) {
      // Listening begins before the greeting is put together, so that nothing falls between the two.
      await using following = events.listen(signal)
      yield {
        type: 'hello',
        version,
        hosting,
        home,
        workspace,
        platform: process.platform,
        defaultModelId: models.defaultId(),
        settings: settings(),
        engine: local.state,
        notices: [...notices],
        locked: config.current.network.offline,
        // A file with a mistake was there before this start, and the end of the first run could not be written to it.
        setupDone: config.current.ui.setup_done || config.problems().some(each => each.severity === 'error'),
      }
      yield* following
    },
    'app.ping': ({ text }) => ({ text }),
    'app.setSettings'({ theme, sendWith, expert }) {
      if (theme !== undefined) config.set('ui.theme', theme)
      if (sendWith !== undefined) config.set('ui.send_with', sendWith)
      if (expert !== undefined) config.set('ui.expert', expert)
      events.publish({ type: 'settings', settings: settings() })
      return settings()
    },
    'app.dismissNotice'({ id }) {
      const at = notices.findIndex(notice => notice.id === id)
      if (at >= 0) notices.splice(at, 1)
      return {}
    },
  } satisfies Partial<HostHandlers>
}

/** What the window itself goes by. */
export const windowSettings = ({ current: { ui } }: ConfigHandle): Settings => ({
  theme: ui.theme,
  sendWith: ui.send_with,
  expert: ui.expert,
})
