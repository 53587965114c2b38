import { createInterface } from 'node:readline/promises'
import type { Approval, Decision } from '../../shared/contract/run.ts'

/** The person at the keyboard. Everything that is not the answer itself goes to standard error. */
export type Terminal = {
  say(text: string): void
  /** One line, or undefined at the end of the input. */
  readLine(): Promise<string | undefined>
  askApproval(approval: Approval): Promise<Decision>
  close(): void
}

/** Read from and write to the terminal; without one, every question is denied. */
export function createTerminal(isTerminal: boolean): Terminal {
  const lines = isTerminal ? createInterface({ input: process.stdin, output: process.stderr }) : undefined
  // readline takes Ctrl-C for itself; whoever runs a turn listens for the signal.
  lines?.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') > 0) process.emit('SIGINT')
    else lines.close()
  })
  let ended = false
  const end = new Promise<undefined>(resolve => {
    lines?.once('close', () => {
      ended = true
      resolve(undefined)
    })
  })

  return {
    say: text => void process.stderr.write(text),
    async readLine() {
      if (!lines || ended) return undefined
      return Promise.race([lines.question('\n› '), end])
    },
    async askApproval(approval) {
      if (!lines || ended) return 'deny'
      const { title, detail, reason, mayAllowInChat } = approval
      process.stderr.write(`\n${title}\n${detail.replace(/^/gm, '    ')}\n${reason}\n`)
      const choices = mayAllowInChat ? '[y] once  [c] in this chat  [n] no' : '[y] once  [n] no'
      for (;;) {
        const given = (await Promise.race([lines.question(`Allow?  ${choices}  `), end]))
          ?.trim()
          .toLowerCase()
        if (given === undefined || given === 'n' || given === 'no') return 'deny'
        if (given === 'y' || given === 'yes') return 'once'
        if (given === 'c' && mayAllowInChat) return 'chat'
      }
    },
    close: () => lines?.close(),
  }
}
