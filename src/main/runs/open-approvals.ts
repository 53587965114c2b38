import { Fault } from '../../shared/rpc.ts'
import type { Approval } from '../../shared/contract/runs/run.ts'
import type { ApprovalAnswer } from '../agent/turn-types.ts'
import { byCount } from '../../shared/text/amounts.ts'

/** The open approval requests of one run. */
export type OpenApprovals = {
  ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer>
  /** Answer a request. Throws `not_found` if it is not open. */
  answer(approvalId: string, answer: ApprovalAnswer): void
  /** From now on nobody answers: open and new requests are denied with this sentence. */
  abandon(note: string): void
  readonly waiting: boolean
}

/**
 * Create the requests of one run. They fail closed: a stop, or `waitMs` without an answer, is a denial with a
 * reason. `onChange` is called when a run starts or stops waiting.
 */
export function createOpenApprovals(waitMs: number, onChange: () => void): OpenApprovals {
  const open = new Map<string, (answer: ApprovalAnswer) => void>()
  let abandoned: string | undefined

  function ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (abandoned !== undefined) return Promise.resolve(unanswered(abandoned))
    const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>()
    const resolveWith = (answer: ApprovalAnswer) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      open.delete(approval.id)
      resolve(answer)
      onChange()
    }
    const stop = () => resolveWith(unanswered('The turn was stopped.'))
    const timer = setTimeout(
      () => resolveWith(unanswered(`Nobody answered within ${inWords(waitMs)}.`)),
      waitMs,
    )
    open.set(approval.id, resolveWith)
    onChange()
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
    return promise
  }

  return {
    ask,
    answer(approvalId, answer) {
      const resolveWith = open.get(approvalId)
      if (!resolveWith) throw new Fault('not_found', 'This question was already answered.')
      resolveWith(answer)
    },
    abandon(note) {
      abandoned = note
      for (const resolveWith of open.values()) resolveWith(unanswered(note))
    },
    get waiting() {
      return open.size > 0
    },
  }
}

const unanswered = (note: string): ApprovalAnswer => ({ decision: 'deny', note, unanswered: true })

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return `${Math.round(ms / 1_000)} seconds`
  return byCount(minutes, 'a minute', `${minutes} minutes`)
}
