import { fileErrorCode, isRefusal, reasonOf } from '../lib/expected-errors.ts'
import type { Guards } from './obeyed/guard/create-guards.ts'
import type { CannotConfine, Confiner } from './open-confinement.ts'
import type { CommandRights } from './profile.ts'

/** The part of a run that confines commands: the current rights, and the start of a confined command. */
export type CommandConfinement = {
  rights(): Promise<CommandRights>
  confine: Confiner['prepare']
  /** Watches obeyed files; absent in tests of other things. */
  guards?: Guards
}

/** The setting `terminal.sandbox`. */
export type SandboxSetting = 'auto' | 'on' | 'off'

/** Apply the setting to a confiner. `off` confines nothing; `on` refuses commands that cannot be confined. */
export function commandConfinement(
  confiner: Pick<Confiner, 'state' | 'prepare'> & { guards?: Guards },
  settings: { sandbox(): SandboxSetting; isOffline(): boolean },
): CommandConfinement {
  return {
    ...(confiner.guards && { guards: confiner.guards }),
    async rights() {
      const sandbox = settings.sandbox()
      const offline = settings.isOffline()
      if (sandbox === 'off')
        return { confined: false, whyNot: 'Confinement is switched off in Settings.', offline }
      const state = await confiner.state()
      if (state.confined) return { confined: true, whyNot: '', offline }
      const whyNot = state.reason
      if (sandbox === 'auto') return { confined: false, whyNot, offline }
      const refusal = `Settings allow only confined commands, and this computer cannot confine them: ${whyNot}`
      return { confined: false, whyNot, offline, refusal }
    },
    async confine(...given) {
      const start = await confiner.prepare(...given).catch(cannotPrepare)
      // If confinement is required, the user is not asked to run the command without it.
      return isRefusal(start) && settings.sandbox() === 'on' ? { ...start, mayRunUnconfined: false } : start
    },
  }
}

/** The refusal for a failed preparation: the disk may be full, or a command may have damaged its files. */
const cannotPrepare = (error: unknown): CannotConfine => ({
  refused: `Commands cannot be confined now: ${reasonOf(fileErrorCode(error))}.`,
  mayRunUnconfined: false,
})
