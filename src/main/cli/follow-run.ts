import type { HostClient } from '../../shared/contract/index.ts'
import type { Approval } from '../../shared/contract/run.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Printer } from './print.ts'
import type { Terminal } from './terminal.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Where to show a turn; `unread` is aborted when the reader of our output is gone, as with `head`. */
export type Screen = { printer: Printer; terminal: Terminal; unread: AbortSignal }

/**
 * Send a message and follow the turn: show it, ask for approvals, stop it on Ctrl-C. Resolves to whether it
 * succeeded.
 */
export async function sendAndFollow(
  client: HostClient,
  sessionId: string,
  text: string,
  screen: Screen,
): Promise<boolean> {
  const { runId } = await client['chat.send']({ sessionId, text })
  return followRun(client, runId, screen)
}

/** Compact a chat and follow the run. Resolves to whether it succeeded. */
export async function compactAndFollow(
  client: HostClient,
  sessionId: string,
  focus: string,
  screen: Screen,
): Promise<boolean> {
  const { runId } = await client['chat.compact']({ sessionId, focus })
  return followRun(client, runId, screen)
}

async function followRun(
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

  // Only once, so that a second Ctrl-C ends the process at once.
  for (const signal of SIGNALS) process.once(signal, stop)
  unread.addEventListener('abort', stop)
  let went = false
  try {
    for await (const event of client['run.watch']({ runId, after: 0 })) {
      printer.print(event)
      // Not awaited, so that a stop is noticed while the question is open.
      if (event.type === 'approval_request') void ask(event.approval)
      // The approval may have been answered in the window first.
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

/** A run that has ended ignores stops and answers, and the event stream reports a lost host. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof Fault)) throw error
}
