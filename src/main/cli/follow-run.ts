import type { HostClient } from '../../shared/contract/index.ts'
import type { Approval } from '../../shared/contract/run.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Printer } from './print.ts'
import type { Terminal } from './terminal.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Where a turn is shown; `unread` is aborted when whoever reads our output is gone, as `head` is after ten lines. */
export type Screen = { printer: Printer; terminal: Terminal; unread: AbortSignal }

/** One turn: send, follow, answer its questions, and stop it on Ctrl-C. Resolves to whether it went well. */
export async function answer(
  client: HostClient,
  sessionId: string,
  text: string,
  screen: Screen,
): Promise<boolean> {
  const { runId } = await client['chat.send']({ sessionId, text })
  return follow(client, runId, screen)
}

/** Replace the older messages of a chat by a summary, for its model. Resolves to whether it went well. */
export async function compact(
  client: HostClient,
  sessionId: string,
  focus: string,
  screen: Screen,
): Promise<boolean> {
  const { runId } = await client['chat.compact']({ sessionId, focus })
  return follow(client, runId, screen)
}

async function follow(
  client: HostClient,
  runId: string,
  { printer, terminal, unread }: Screen,
): Promise<boolean> {
  const over = new AbortController()
  const open = new Map<string, AbortController>()

  const stop = () => void client['run.stop']({ runId }).catch(ignoreEnded)
  const ask = async (approval: Approval) => {
    const answered = new AbortController()
    open.set(approval.id, answered)
    const given = await terminal.askApproval(approval, AbortSignal.any([over.signal, answered.signal]))
    if (given) await client['run.approve']({ runId, approvalId: approval.id, ...given }).catch(ignoreEnded)
  }

  // Once: whoever is in a hurry presses Ctrl-C again and is rid of it at once.
  for (const signal of SIGNALS) process.once(signal, stop)
  unread.addEventListener('abort', stop)
  let went = false
  try {
    for await (const event of client['run.watch']({ runId, after: 0 })) {
      printer.print(event)
      // Not awaited: a stop must reach us while the question is open.
      if (event.type === 'approval_request') void ask(event.approval)
      // In the window they may be quicker.
      if (event.type === 'approval_resolved') open.get(event.approvalId)?.abort()
      if (event.type === 'turn_end') went = event.reason === 'done'
    }
  } finally {
    printer.end()
    over.abort()
    for (const signal of SIGNALS) process.off(signal, stop)
    unread.removeEventListener('abort', stop)
  }
  return went
}

/** A run that has ended needs no stop and no answer, and a host that went away is noticed by whoever watches. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof Fault)) throw error
}
