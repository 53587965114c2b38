import { fileErrorCode, isRefusal, reasonOf } from '../lib/expected-errors.ts'
import type { Guards } from './obeyed/guard/create-guards.ts'
import type { CannotConfine, Confiner } from './open-confinement.ts'
import type { CommandRights } from './profile.ts'

/** What a run needs to know about commands: how they can run now, and how to start a confined one. */
export type CommandConfinement = {
  rights(): Promise<CommandRights>
  confine: Confiner['prepare']
  /** What watches files that programs obey; absent in tests of other things. */
  guards?: Guards
}

/** The setting `terminal.sandbox`. */
export type SandboxSetting = 'auto' | 'on' | 'off'

/**
 * Confinement as the settings want it. `off` runs commands unconfined; `on` refuses all of them where nothing confines them.
 */
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
      // Where confinement is demanded, the user is not asked to do without.
      return isRefusal(start) && settings.sandbox() === 'on' ? { ...start, mayRunUnconfined: false } : start
    },
  }
}

/** A disk may be full, and a command may have put anything in the place of what the next one needs. */
const cannotPrepare = (error: unknown): CannotConfine => ({
  refused: `Commands cannot be confined now: ${reasonOf(fileErrorCode(error))}.`,
  mayRunUnconfined: false,
})
