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
  /** Ask for a yes; anything else is a no, and so is the end of the input. */
  confirm(question: string): Promise<boolean>
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

  // What is typed while nothing is asked waits for its turn: people type ahead, and paste several lines.
  const typedAhead: string[] = []
  let take: ((line: string) => void) | undefined
  lines?.on('line', line => {
    // Two lines may come at once, and each answers one question.
    const waiting = take
    take = undefined
    if (waiting) waiting(line)
    else typedAhead.push(line)
  })

  /** What was typed, or undefined when the input ends or `signal` is given first. */
  async function ask(prompt: string, signal: AbortSignal = ended.signal): Promise<string | undefined> {
    const over = AbortSignal.any([signal, ended.signal])
    const waiting = typedAhead.shift()
    if (waiting !== undefined) return waiting.trim()
    if (!lines || over.aborted) return undefined
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const giveUp = () => {
      process.stderr.write('\n')
      resolve(undefined)
    }
    take = resolve
    over.addEventListener('abort', giveUp, { once: true })
    lines.setPrompt(prompt)
    lines.prompt(true)
    try {
      return (await promise)?.trim()
    } finally {
      take = undefined
      over.removeEventListener('abort', giveUp)
      lines.setPrompt('')
    }
  }

  return {
    say: text => void process.stderr.write(plain(text)),
    readLine() {
      process.stderr.write('\n')
      return ask('› ')
    },
    async confirm(question) {
      const given = await ask(`${plain(question)} [y/n] `)
      return /^y(es)?$/i.test(given ?? '')
    },
    async askApproval({ title, detail, folder, reason, mayAllowInChat }, signal) {
      if (!lines) return NOBODY
      process.stderr.write(`\n${visible(title)}\n${visible(detail).replace(/^/gm, '    ')}\n`)
      process.stderr.write(`In ${visible(folder)}. ${visible(reason)}\n`)
      const choices = mayAllowInChat ? '[y] once  [c] in this chat  [n] no' : '[y] once  [n] no'
      const of = (decision: Decision): Answer => ({ decision, note: '' })
      for (;;) {
        // What was typed before the question was there is no answer to it.
        typedAhead.length = 0
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
