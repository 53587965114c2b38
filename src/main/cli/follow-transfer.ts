import type { Transfer } from '../../shared/contract/download.ts'
import { escapeInvisible } from './terminal-text.ts'
import type { HostClient } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { SIGNALS } from './terminal.ts'
import { jsonLine } from '../../shared/visible-text/show-hidden.ts'
import { sizeOf } from './show-models.ts'

/** The progress of a transfer in one line. */
function showTransfer({ name, state, doneBytes, totalBytes, ...speed }: Transfer): string {
  if (state === 'waiting') return `${escapeInvisible(name)}: waiting for its turn`
  if (state === 'checking') return `${escapeInvisible(name)}: checking`
  const part = totalBytes ? `${Math.floor((doneBytes / totalBytes) * 100)} %  ` : ''
  const of = totalBytes === null ? '' : ` of ${sizeOf(totalBytes)}`
  const { bytesPerSecond, secondsLeft } = speed
  const pace = bytesPerSecond === null ? '' : `  ${sizeOf(bytesPerSecond)}/s`
  const left = secondsLeft === null ? '' : `  ${timeOf(secondsLeft)} left`
  return `${escapeInvisible(name)}: ${part}${sizeOf(doneBytes)}${of}${pace}${left}`
}

function timeOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

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
        if (!seen)
          throw new Fault('cancelled', 'The download was cancelled, and its partial file was deleted.')
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
        `${escapeInvisible(name)} is ready${modelId === null ? '' : `: ${escapeInvisible(modelId)}`}\n`,
      )
    return true
  }
  const why = state === 'failed' ? `${error} ${fix}`.trim() : 'Paused. Run the same command again to resume.'
  screen.aside(`${escapeInvisible(why)}\n`)
  return false
}

function show(transfer: Transfer, { json, isTerminal, out, aside }: TransferScreen): void {
  if (json) out(`${jsonLine(transfer)}\n`)
  else if (isTerminal) aside(`\r\u001b[K${showTransfer(transfer)}`)
}
