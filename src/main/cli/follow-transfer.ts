import type { HostClient } from '../../shared/contract/index.ts'
import type { Transfer } from '../../shared/contract/download.ts'
import { Fault } from '../../shared/rpc.ts'
import { escapeInvisible } from './terminal-text.ts'
import { showTransfer } from './show-models.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** States in which a transfer stays until the user acts. */
const RESTS: readonly Transfer['state'][] = ['done', 'failed', 'paused']

/** Where to show a transfer; on a terminal, one line is updated in place. */
export type TransferScreen = {
  json: boolean
  isTerminal: boolean
  out(text: string): void
  aside(text: string): void
}

/** The result goes to standard output, progress and errors to standard error. */
export const processScreen = (json: true | undefined): TransferScreen => ({
  json: json === true,
  isTerminal: process.stderr.isTTY,
  out: text => void process.stdout.write(text),
  aside: text => void process.stderr.write(text),
})

/**
 * Start a transfer and follow it to its end. A signal pauses it; the same command resumes it later. Resolves to
 * the transfer in its final state.
 */
export async function followTransfer(
  client: HostClient,
  start: () => Promise<Transfer>,
  screen: TransferScreen,
): Promise<Transfer> {
  const leaving = new AbortController()
  const events = client['app.watch']({}, { signal: leaving.signal })
  let pausing: Promise<unknown> | undefined
  try {
    // After the first event, no further one is missed.
    await events.next()
    let now = await start()
    const { id } = now
    const pause = () => {
      pausing ??= client['download.pause']({ id })
    }
    for (const signal of SIGNALS) process.on(signal, pause)
    try {
      show(now, screen)
      while (!RESTS.includes(now.state)) {
        const next = await events.next()
        if (next.done) throw new Fault('disconnected', 'The host went away.')
        if (next.value.type !== 'transfers') continue
        const seen = next.value.transfers.find(each => each.id === id)
        if (!seen) throw new Fault('cancelled', 'It was cancelled, and what had come is deleted.')
        now = seen
        show(now, screen)
      }
    } finally {
      for (const signal of SIGNALS) process.off(signal, pause)
    }
    await pausing
    return now
  } finally {
    leaving.abort()
  }
}

/** Print the result. Returns whether the model is available now. */
export function showTransferEnd(transfer: Transfer, screen: TransferScreen): boolean {
  const { state, name, error, fix, modelId } = transfer
  if (screen.isTerminal && !screen.json) screen.aside('\n')
  if (state === 'done') {
    if (!screen.json)
      screen.out(
        `${escapeInvisible(name)} is here${modelId === null ? '' : `: ${escapeInvisible(modelId)}`}\n`,
      )
    return true
  }
  const why =
    state === 'failed' ? `${error} ${fix}`.trim() : 'Paused. The same command goes on where it stopped.'
  screen.aside(`${escapeInvisible(why)}\n`)
  return false
}

function show(transfer: Transfer, { json, isTerminal, out, aside }: TransferScreen): void {
  if (json) out(`${JSON.stringify(transfer)}\n`)
  else if (isTerminal) aside(`\r\u001b[K${showTransfer(transfer)}`)
}
