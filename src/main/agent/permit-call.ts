import { untilAborted } from '../lib/timing.ts'
import { DENIED } from '../tools/registry/call-failures.ts'
import type { Verdict } from './approvals/decide.ts'
import { askUser, STOPPED_CALL } from './steps/ask-approval.ts'
import { inOrder, POLICY } from './steps/step-order.ts'
import type { CallAt, Failure, Permission } from './turn-types.ts'

type Denial = Extract<Verdict, { verdict: 'deny' }>

/** The verdict before any step has judged a call, and if a judging step fails. */
const UNCHECKED: Denial = {
  verdict: 'deny',
  by: 'policy',
  reason: 'Talaria could not check what this call would do.',
}

const STRICTNESS = ['allow', 'ask', 'deny'] as const
const isStricter = (found: Verdict, known: Verdict): boolean =>
  STRICTNESS.indexOf(found.verdict) >= STRICTNESS.indexOf(known.verdict)

/**
 * The verdict of the steps that judge a call. After the policy, a step can only make the verdict stricter;
 * after a denial no other step is asked. If a step throws, the call is denied. Undefined after a stop.
 */
export async function judgeCall(at: CallAt): Promise<Verdict | undefined> {
  const judging = async () => {
    let verdict: Verdict = UNCHECKED
    for (const step of inOrder(at.turn.steps, 'check')) {
      const found = await step.check(at, verdict)
      if (step.name === POLICY || isStricter(found, verdict)) verdict = found
      if (verdict.verdict === 'deny') break
    }
    return verdict
  }
  const report = (error: unknown) => {
    at.ports.report(error)
    return UNCHECKED
  }
  return await untilAborted(judging().catch(report), at.signal)
}

/** Turn the verdict of the steps into a permission. Asks the user if the verdict says so. */
export async function permitCall(at: CallAt, verdict: Verdict | undefined): Promise<Permission> {
  if (at.signal.aborted || !verdict) return STOPPED_CALL
  if (verdict.verdict === 'deny') return denied(verdict)
  if (verdict.verdict === 'ask') return await askUser(at, verdict).catch(error => denyUnchecked(at, error))
  const { ground, access, byUser } = verdict
  return { record: { decision: 'ran', ...ground }, access, ...(byUser && { byUser }) }
}

/** Log the error of a step that failed to check a call, and deny the call. */
export function denyUnchecked({ ports }: CallAt, error: unknown): Permission & { refusal: Failure } {
  ports.report(error)
  return denied(UNCHECKED)
}

function denied({ reason, by, rules }: Denial) {
  const record = { decision: 'denied' as const, by, why: reason, ...(rules && { rules }) }
  return { refusal: { ok: false as const, reason: `${DENIED}${reason}` }, record }
}
