import type { HostClient } from '../../shared/contract/index.ts'
import type { Transfer } from '../../shared/contract/transfers.ts'
import { Fault } from '../../shared/rpc.ts'
import { visible } from './plain.ts'
import { showTransfer } from './show-models.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Where a transfer stays without anybody doing something about it. */
const RESTS: readonly Transfer['state'][] = ['done', 'failed', 'paused']

/** Where a transfer is shown; `isTerminal` lets one line be written over and over. */
export type TransferScreen = {
  json: boolean
  isTerminal: boolean
  out(text: string): void
  aside(text: string): void
}

/** What is printed to: the answer goes to standard output, everything else to standard error. */
export const processScreen = (json: true | undefined): TransferScreen => ({
  json: json === true,
  isTerminal: process.stderr.isTTY,
  out: text => void process.stdout.write(text),
  aside: text => void process.stderr.write(text),
})

/**
 * Start something that brings a file, and follow it to its end. A signal pauses it; started again, it goes on from there. Resolves to the transfer where it rests.
 */
export async function follow(
  client: HostClient,
  start: () => Promise<Transfer>,
  screen: TransferScreen,
): Promise<Transfer> {
  const leaving = new AbortController()
  const events = client['app.watch']({}, { signal: leaving.signal })
  let pausing: Promise<unknown> | undefined
  try {
    // From its first event on nothing is missed.
    await events.next()
    let now = await start()
    const { id } = now
    const pause = () => {
      pausing ??= client['transfer.pause']({ id })
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

/** Say how it went; whether the model is here now. */
export function tellEnd(transfer: Transfer, screen: TransferScreen): boolean {
  const { state, name, error, fix, modelId } = transfer
  if (screen.isTerminal && !screen.json) screen.aside('\n')
  if (state === 'done') {
    if (!screen.json)
      screen.out(`${visible(name)} is here${modelId === null ? '' : `: ${visible(modelId)}`}\n`)
    return true
  }
  const why =
    state === 'failed' ? `${error} ${fix}`.trim() : 'Paused. The same command goes on where it stopped.'
  screen.aside(`${visible(why)}\n`)
  return false
}

function show(transfer: Transfer, { json, isTerminal, out, aside }: TransferScreen): void {
  if (json) out(`${JSON.stringify(transfer)}\n`)
  else if (isTerminal) aside(`\r\u001b[K${showTransfer(transfer)}`)
}
