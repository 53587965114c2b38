import type { HostHandlers } from '../../../shared/contract/index.ts'
import type { ConfigHandle } from '../../config/load.ts'
import { openConfinement } from '../../confinement/open-confinement.ts'
import { commandConfinement } from '../../confinement/sandbox-setting.ts'
import type { Store } from '../../db/store.ts'
import type { Library } from '../../skills/types.ts'
import type { HostOptions } from '../host-types.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Pick<Store, 'sessions'>
  skills: { library: Pick<Library, 'forChat'> }
  /** Whether commands can be confined here; without it that is tried. */
  known: HostOptions['confinement']
  report(error: unknown): void
}

/** What commands and MCP servers may see and write on this computer. */
export function confinementFeature({ home, config, store, skills, known, report }: Needs) {
  const confiner = openConfinement({
    home,
    known,
    readable: folder => skills.library.forChat(folder).map(({ found }) => found.folder),
  })
  confiner.cleanTemporary(id => store.sessions.get(id) !== undefined).catch(report)
  const commands = commandConfinement(confiner, {
    sandbox: () => config.current.terminal.sandbox,
    isOffline: () => config.current.network.offline,
  })
  return {
    commands,
    forgetChat: confiner.forgetChat,
    handlers: {
      'app.confinement': async () => {
        const { confined, whyNot, refusal } = await commands.rights()
        const state = await confiner.state()
        return {
          confined,
          blocked: refusal !== undefined,
          whyNot,
          remedy: state.confined ? '' : state.remedy,
        }
      },
    } satisfies Partial<HostHandlers>,
  }
}
