import { createInterface } from 'node:readline/promises'
import type { Approval, Decision } from '../../shared/contract/run.ts'
import { plain, visible } from './plain.ts'

export type Answer = { decision: Decision; note: string }

const NOBODY: Answer = {
  decision: 'deny',
  note: 'nobody is at a terminal to answer; --approve all would run it without a question',
}

/** The person at the keyboard. Everything that is not the answer itself goes to standard error. */
export type Terminal = {
  say(text: string): void
  /** One line, or undefined at the end of the input. */
  readLine(): Promise<string | undefined>
  /** Ask until there is an answer; undefined when `signal` says that none is needed any more. */
  askApproval(approval: Approval, signal: AbortSignal): Promise<Answer | undefined>
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
  const ended = new AbortController()
  lines?.once('close', () => ended.abort())

  /** What was typed, or undefined when the input ends or `signal` is given first. */
  async function ask(prompt: string, signal: AbortSignal = ended.signal): Promise<string | undefined> {
    const over = AbortSignal.any([signal, ended.signal])
    if (!lines || over.aborted) return undefined
    try {
      return (await lines.question(prompt, { signal: over })).trim()
    } catch (error) {
      if (!over.aborted) throw error
      process.stderr.write('\n')
      return undefined
    }
  }

  return {
    say: text => void process.stderr.write(plain(text)),
    readLine: () => ask('\n› '),
    async askApproval({ title, detail, folder, reason, mayAllowInChat }, signal) {
      if (!lines) return NOBODY
      process.stderr.write(`\n${visible(title)}\n${visible(detail).replace(/^/gm, '    ')}\n`)
      process.stderr.write(`In ${visible(folder)}. ${visible(reason)}\n`)
      const choices = mayAllowInChat ? '[y] once  [c] in this chat  [n] no' : '[y] once  [n] no'
      const of = (decision: Decision): Answer => ({ decision, note: '' })
      for (;;) {
        // What was typed before the question was there is no answer to it.
        lines.write(null, { ctrl: true, name: 'e' })
        lines.write(null, { ctrl: true, name: 'u' })
        const given = (await ask(`Allow?  ${choices}  `, signal))?.toLowerCase()
        if (given === undefined) return signal.aborted ? undefined : of('deny')
        if (given === 'n' || given === 'no') return of('deny')
        if (given === 'y' || given === 'yes') return of('once')
        if (given === 'c' && mayAllowInChat) return of('chat')
      }
    },
    close: () => lines?.close(),
  }
}
