import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../shared/rpc.ts'
import type { Approval, Decision } from '../../shared/contract/run.ts'

export type Answer = { decision: Decision; note: string }

/** The approvals that one run waits for. */
export type Questions = {
  ask(approval: Approval, signal: AbortSignal): Promise<Answer>
  answer(approvalId: string, answer: Answer): void
  readonly waiting: boolean
}

/**
 * Questions fail closed: a stop, or `waitMs` without an answer, is a denial that says so. `onChange` is called when a
 * run begins or ceases to wait.
 */
export function createQuestions(waitMs: number, onChange: () => void): Questions {
  const open = new Map<string, (answer: Answer) => void>()

  async function ask(approval: Approval, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    open.set(approval.id, resolve)
    onChange()
    const settled = new AbortController()
    const late = sleep(waitMs, undefined, { signal: AbortSignal.any([signal, settled.signal]) }).then(
      (): Answer => ({
        decision: 'deny',
        note: `nobody answered within ${Math.round(waitMs / 60_000)} minutes`,
      }),
      (): Answer => ({ decision: 'deny', note: 'stopped' }),
    )
    try {
      return await Promise.race([promise, late])
    } finally {
      settled.abort()
      open.delete(approval.id)
      onChange()
    }
  }

  return {
    ask,
    answer(approvalId, answer) {
      const resolve = open.get(approvalId)
      if (!resolve) throw new Fault('not_found', 'This question was already answered.')
      resolve(answer)
    },
    get waiting() {
      return open.size > 0
    },
  }
}
