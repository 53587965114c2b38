import type { AppEvent, Notice, Settings } from '../../shared/contract/app.ts'
import type { EngineState } from '../../shared/contract/model.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { ConfigHandle } from '../config/load.ts'
import type { Broadcast } from '../lib/publish.ts'

type App = {
  version: string
  hosting: 'desktop' | 'headless' | 'cli'
  home: string
  workspace: string
  notices: Notice[]
  config: ConfigHandle
  events: Pick<Broadcast<AppEvent>, 'listen'>
  defaultModelId(): string
  engineState(): EngineState
}

/** The greeting of a window, its settings and the notices. */
export function appHandlers({
  version,
  hosting,
  home,
  workspace,
  config,
  events,
  defaultModelId,
  engineState,
  notices,
}: App) {
  const settings = () => windowSettings(config)
  return {
    async *'app.watch'(_input, signal) {
      // Listen before building the greeting, so that no event is missed in between.
      await using following = events.listen(signal)
      yield {
        type: 'hello',
        version,
        hosting,
        home,
        workspace,
        platform: process.platform,
        defaultModelId: defaultModelId(),
        settings: settings(),
        engine: engineState(),
        notices: [...notices],
        locked: config.current.network.offline,
        // A broken file cannot record that setup is finished, and it is not the file of a new user.
        setupDone: config.current.ui.setup_done || config.problems().some(each => each.severity === 'error'),
      }
      yield* following
    },
    'app.setSettings'({ theme, sendWith, expert }) {
      if (theme !== undefined) config.set('ui.theme', theme)
      if (sendWith !== undefined) config.set('ui.send_with', sendWith)
      if (expert !== undefined) config.set('ui.expert', expert)
      return settings()
    },
    'app.dismissNotice'({ id }) {
      const at = notices.findIndex(notice => notice.id === id)
      if (at >= 0) notices.splice(at, 1)
      return {}
    },
  } satisfies Partial<HostHandlers>
}

/** The settings that the window itself uses. */
export const windowSettings = ({ current: { ui } }: ConfigHandle): Settings => ({
  theme: ui.theme,
  sendWith: ui.send_with,
  expert: ui.expert,
})
