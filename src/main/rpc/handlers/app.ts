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
  const settings = (): Settings => ({ theme: config.current.ui.theme, sendWith: config.current.ui.send_with })
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
      }
      yield* following
    },
    'app.ping': ({ text }) => ({ text }),
    'app.setSettings'({ theme, sendWith }) {
      if (theme !== undefined) config.set('ui.theme', theme)
      if (sendWith !== undefined) config.set('ui.send_with', sendWith)
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
