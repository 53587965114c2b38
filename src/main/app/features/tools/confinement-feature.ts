import type { Notice } from '../../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import { confinementStep } from '../../../agent/steps/command-steps.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import { tellObeyed } from '../../../confinement/obeyed/guard/tell-obeyed.ts'
import { openConfinement } from '../../../confinement/open-confinement.ts'
import { commandConfinement } from '../../../confinement/sandbox-setting.ts'
import type { Store } from '../../../db/store.ts'
import type { StepSource } from '../../../runs/turn-runner.ts'
import type { Library } from '../../../skills/skill-types.ts'
import type { HostOptions } from '../../host-types.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Pick<Store, 'sessions'>
  skills: { library: Pick<Library, 'forChat'> }
  /** Whether commands can be confined here; if absent, the host tries it out. */
  known: HostOptions['confinement']
  notices: Notice[]
  report(error: unknown): void
}

/** Decide what commands and MCP servers may see and write on this computer. */
export function confinementFeature({ home, config, store, skills, known, notices, report }: Needs) {
  const confiner = openConfinement({
    home,
    known,
    readable: folder => skills.library.forChat(folder).map(({ found }) => found.folder),
  })
  // Before any command runs, undo what the last process had started when it was killed.
  for (const { folder, changes, aside } of confiner.guards.recover()) {
    if (changes.length === 0) continue
    const where = aside.length === 0 ? '' : ` It lies in ${aside.map(({ at }) => at).join(', ')}.`
    const text = `Talaria closed while a command was running in ${folder}. ${tellObeyed({ changes }, 'The command').join(' ')}${where}`
    notices.push({ id: `obeyed ${folder}`, level: 'warning', text, fix: '' })
  }
  confiner.cleanTemporary(id => store.sessions.get(id) !== undefined).catch(report)
  const commands = commandConfinement(confiner, {
    sandbox: () => config.current.terminal.sandbox,
    isOffline: () => config.current.network.offline,
  })
  return {
    commands,
    steps: [() => confinementStep(commands)] satisfies StepSource[],
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
          newChats: config.current.approvals.default,
        }
      },
    } satisfies Partial<HostHandlers>,
  }
}
