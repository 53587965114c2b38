import type { CommandRights } from '../../confinement/profile.ts'
import { decideCall } from '../approvals/decide.ts'
import { POLICY } from './step-order.ts'
import type { CallStep } from '../turn-types.ts'

/** How commands run if nothing confines them. */
export const UNCONFINED: CommandRights = {
  confined: false,
  whyNot: 'Nothing confines commands here.',
  offline: false,
}

/** The facts that the policy asks the host for: how commands can run, and which command runs in a folder. */
export type PolicySources = {
  /** Without this function, commands run unconfined. */
  rights?: ((this: void) => Promise<CommandRights>) | undefined
  /** The background command that runs in, above or below a folder and may run files written there. */
  runningIn?: ((this: void, folder: string) => string | undefined) | undefined
}

/** The step that gives the first verdict on a call; see `approvals/decide.ts`. */
export const policyStep = ({ rights, runningIn }: PolicySources = {}): CallStep => ({
  name: POLICY,
  async check(at) {
    const { turn, ports, tool, intent } = at
    // Only a command waits until confinement has been tested on this computer.
    at.rights = intent.command === undefined || !rights ? UNCONFINED : await rights()
    const { grants, rules, strangers, web } = turn.permits
    const known = intent.web && (await web?.known(turn.system))
    const verdict = decideCall({
      tool: tool.name,
      intent,
      mode: ports.approvalMode(),
      grants,
      rules: rules?.current() ?? [],
      strangers: strangers?.current(),
      web: known,
      running: runningIn?.(turn.workspace),
      rights: at.rights,
      home: turn.home,
    })
    // Recorded immediately, because several calls may be judged before the first of them runs.
    if (intent.web && verdict.verdict === 'allow') web?.ran(intent.web, 'unasked')
    return verdict
  },
  after({ turn, intent, permission }, result) {
    if (intent?.web && permission?.record.by === 'user') turn.permits.web?.ran(intent.web, 'asked')
    return result
  },
})
