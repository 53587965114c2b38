import type { HostClient } from '../../../shared/contract/index.ts'
import type { PairingStep } from '../../../shared/contract/connections/gateway.ts'
import { Fault } from '../../../shared/rpc.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { findPlatform } from './gateway-actions.ts'
import { withClient } from '../open-client.ts'
import { createTerminal } from '../interactive/ask-at-terminal.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import { momentOf, printAside, printLine } from '../output/terminal-text.ts'

type Asks = Extract<PairingStep, { step: 'asks' }>

const WHO = '[y] this is me  [s] somebody else  [n] nobody I know: '
const ANSWERS = { y: 'you', s: 'other', n: 'nobody' } as const

/**
 * Show a code for a phone, then ask at this terminal who it is. Pairing is possible only while this runs.
 * Resolves to whether a contact was paired.
 */
export async function gatewayPair(named: string | undefined, { home }: { home?: string }): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Fault(
      'bad_input',
      'Pairing asks who it is, so it needs a terminal. In the window, use the Messengers page.',
    )
  using stopping = stopOnSignals()
  return await withClient(home, async client => {
    const { name } = await findPlatform(client, named)
    let isPaired = false
    for await (const step of client['gateway.pair']({ platform: name }, { signal: stopping.signal })) {
      if (step.step === 'code') showCode(step)
      else if (step.step === 'asks') await decide(client, step)
      else if (step.step === 'over') printAside(showHiddenInLine(step.text))
      else {
        isPaired = true
        printLine(
          `Paired. To see or change what this contact may do: talaria gateway contact ${step.contactId}`,
        )
      }
    }
    return isPaired
  })
}

function showCode({ squares, link, code, expiresAt }: Extract<PairingStep, { step: 'code' }>): void {
  printLine(`Open ${link}`)
  printLine(`or send this line to the bot: /start ${code}`)
  printLine('or scan this with your phone:')
  // Last, because the squares fill most of a terminal of 24 lines.
  printLine(drawSquares(squares, process.stdout.isTTY))
  printAside(`The code works once, until ${momentOf(expiresAt)}, while this command runs.`)
}

async function decide(client: HostClient, asks: Asks): Promise<void> {
  const { pairingId, seen, name, username, accountId, note } = asks
  const who = username === '' ? name : `${name} (@${username})`
  printLine(`${showHiddenInLine(who)} wants to write to your agent. The number of this account: ${accountId}`)
  if (note !== '') printAside(showHiddenInLine(note))
  const terminal = createTerminal(true)
  try {
    const said = (await terminal.askText(WHO))?.toLowerCase().slice(0, 1) ?? 'n'
    const as = said in ANSWERS ? ANSWERS[said as keyof typeof ANSWERS] : 'nobody'
    await client['gateway.decide']({ pairingId, seen, as })
  } finally {
    terminal.close()
  }
}

/** The squares of a QR code, two rows to a line, black on white, with the blank margin that cameras need. */
function drawSquares(squares: readonly (readonly boolean[])[], inColour: boolean): string {
  const QUIET = 2
  const width = squares.length + 2 * QUIET
  const at = (x: number, y: number) => squares[y - QUIET]?.[x - QUIET] ?? false
  const lines = Array.from({ length: Math.ceil(width / 2) }, (_row, row) => {
    const signs = Array.from(
      { length: width },
      (_column, x) => SIGNS[at(x, row * 2) ? 1 : 0]![at(x, row * 2 + 1) ? 1 : 0],
    )
    return inColour ? `\u001B[30;107m${signs.join('')}\u001B[0m` : signs.join('')
  })
  return lines.join('\n')
}

/**
 * Characters for two squares: the first index is 1 if the upper square is dark, the second if the lower one
 * is.
 */
const SIGNS = [
  [' ', '▄'],
  ['▀', '█'],
]
