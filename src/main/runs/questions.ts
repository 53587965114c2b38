import { Fault } from '../../shared/rpc.ts'
import type { Approval } from '../../shared/contract/run.ts'
import type { Answer } from '../agent/turn.ts'

/** The approvals that one run waits for. */
export type Questions = {
  ask(approval: Approval, signal: AbortSignal): Promise<Answer>
  /** Throws `not_found` when the question is not open. */
  answer(approvalId: string, answer: Answer): void
  readonly waiting: boolean
}

/**
 * Questions fail closed: a stop, or `waitMs` without an answer, is a denial that says so. `onChange` is called when a
 * run begins or ceases to wait.
 */
export function createQuestions(waitMs: number, onChange: () => void): Questions {
  const open = new Map<string, (answer: Answer) => void>()

  function ask(approval: Approval, signal: AbortSignal): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const settle = (answer: Answer) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      open.delete(approval.id)
      resolve(answer)
      onChange()
    }
    const stop = () => settle(unanswered('The turn was stopped.'))
    const timer = setTimeout(() => settle(unanswered(`Nobody answered within ${inWords(waitMs)}.`)), waitMs)
    open.set(approval.id, settle)
    onChange()
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
    return promise
  }

  return {
    ask,
    answer(approvalId, answer) {
      const settle = open.get(approvalId)
      if (!settle) throw new Fault('not_found', 'This question was already answered.')
      settle(answer)
    },
    get waiting() {
      return open.size > 0
    },
  }
}

const unanswered = (note: string): Answer => ({ decision: 'deny', note, unanswered: true })

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return `${Math.round(ms / 1_000)} seconds`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
