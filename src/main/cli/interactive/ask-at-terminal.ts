import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { AccessChoice, Approval, Decision } from '../../../shared/contract/runs/run.ts'
import { Fault } from '../../../shared/rpc.ts'
import { createActivity, type Activity } from '../output/print-run.ts'
import { stripControls, escapeInvisible, howItRuns } from '../output/terminal-text.ts'
import { linesOfTexts, wholeTexts, type ReadText } from '../output/outside-texts.ts'
import { editLines, type History } from './typed-lines.ts'

/** Ask a question that needs a yes. Throws a `bad_input` Fault with `unanswerable` without a terminal. */
export async function confirmOnTerminal(question: string, unanswerable: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Fault('bad_input', unanswerable)
  const terminal = createTerminal(true)
  try {
    return await terminal.confirm(question)
  } finally {
    terminal.close()
  }
}

/**
 * Read a line without showing it. Throws a `bad_input` Fault with `unanswerable` without a terminal. Readline
 * needs an output; its echo is dropped.
 */
export async function askHidden(question: string, unanswerable: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Fault('bad_input', unanswerable)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  lines.once('SIGINT', () => lines.close())
  // Only now, because text typed earlier is still echoed.
  process.stderr.write(escapeInvisible(question))
  try {
    return await lines.question('', { signal: ended.signal })
  } catch (error) {
    if (!ended.signal.aborted) throw error
    throw new Fault('cancelled', 'Nothing was stored.')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

type TerminalAnswer = { decision: Decision; note: string; access?: AccessChoice; read?: true }

const HAVE_READ = '[r] I have read it, continue'
const SHOW_TEXT = '[t] show the whole text'

/** Explain that the typed text is not an answer, and name the letters that are. */
function sayInvalid(given: string, choices: string): string {
  const letters = [...choices.matchAll(/\[(\w)\] /g)].map(([, letter]) => letter)
  const which = `${letters.slice(0, -1).join(', ')} or ${letters.at(-1)}`
  return given === ''
    ? `Nothing was typed. Type ${which}, then press Enter.`
    : `“${escapeInvisible(given.slice(0, 40).toWellFormed())}” is not one of the answers. Type ${which}, then press Enter.`
}

/** The denial if there is no terminal to ask at. Its note says what would help. */
const denyUnseen = ({ inEveryMode, question }: Approval): TerminalAnswer => ({
  decision: 'deny',
  note: `nobody is at a terminal to answer; ${question || inEveryMode ? 'it asks in every mode, with --approve all too, so answer it in the window or at a terminal' : '--approve all would run it without a question'}`,
})

/** The user at the keyboard. Everything except the answer itself goes to standard error. */
export type Terminal = {
  say(text: string): void
  /** The line that shows the current activity; absent without a terminal that can move its cursor. */
  activity: Activity | undefined
  /** From now on, Up brings back what was typed in earlier chats, and Tab completes these words. */
  learnFrom(history: History, words: () => readonly string[]): void
  /** From now on, Tab completes the text after an @ with these names. */
  completeFiles(names: (typed: string) => string[]): void
  /** Read one line; undefined at the end of the input. */
  readLine(): Promise<string | undefined>
  /**
   * Offer each line that is typed from now on, until the result is disposed of. A line that `offer` does not
   * take answers the next `readLine`.
   */
  offerLines(offer: (line: string) => Promise<boolean>): Disposable
  /** Ask a yes-no question. Anything but yes, including the end of the input, is a no. */
  confirm(question: string): Promise<boolean>
  /** Ask for a text without showing it; undefined if the user leaves or cannot be asked. */
  askHidden(question: string): Promise<string | undefined>
  /** Ask for a text; undefined if the user leaves. */
  askText(this: void, question: string): Promise<string | undefined>
  /**
   * Ask until there is a valid answer; undefined if `signal` aborts. `isShown`: the call is already printed
   * directly above.
   */
  askApproval(
    approval: Approval,
    signal: AbortSignal,
    readText: ReadText,
    isShown?: boolean,
  ): Promise<TerminalAnswer | undefined>
  close(): void
}

/** Create the terminal. Without a real one, every question is denied. */
export function createTerminal(isTerminal: boolean): Terminal {
  let words: () => readonly string[] = () => []
  let files: (typed: string) => string[] = () => []
  const complete = (line: string): [string[], string] => {
    const [, named] = /(?:^|\s)@((?:\\.|[^\s\\])*)$/.exec(line) ?? []
    if (named !== undefined) return [files(named).map(name => `@${name}`), `@${named}`]
    return [words().filter(word => line !== '' && word.startsWith(line)), line]
  }
  const typed = isTerminal
    ? editLines({
        onKey: () => activity?.erase(),
        complete,
      })
    : undefined
  const lines = typed?.lines
  const activity =
    typed && process.env['TERM'] !== 'dumb' ? createActivity(process.stderr, typed.isFree) : undefined
  const ended = new AbortController()
  lines?.once('close', () => ended.abort())

  // Lines typed before a question are kept: people type ahead and paste several lines.
  let typedAhead: { line: string }[] = []
  let take: ((line: string) => void) | undefined
  let offered: ((line: string) => Promise<boolean>) | undefined
  typed?.onInput(line => {
    // Two lines may arrive together; each answers one question.
    const waiting = take
    take = undefined
    if (waiting) return waiting(line)
    const early = { line }
    typedAhead.push(early)
    // Earlier lines that were not taken come first.
    if (typedAhead.length > 1 || line.trim() === '') return
    void offered?.(line.trim()).then(isTaken => {
      if (isTaken) typedAhead = typedAhead.filter(each => each !== early)
    })
  })

  /** Ask for a line; undefined if the input ends or `signal` aborts. */
  async function ask(
    prompt: string,
    signal: AbortSignal = ended.signal,
    kind: 'message' | 'question' = 'question',
  ): Promise<string | undefined> {
    const over = AbortSignal.any([signal, ended.signal])
    const waiting = typedAhead.shift()
    if (waiting !== undefined) return waiting.line.trim()
    if (!typed || over.aborted) return undefined
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const giveUp = () => {
      process.stderr.write('\n')
      resolve(undefined)
    }
    take = resolve
    over.addEventListener('abort', giveUp, { once: true })
    activity?.hide()
    typed.prompt(prompt, kind)
    try {
      return (await promise)?.trim()
    } finally {
      take = undefined
      over.removeEventListener('abort', giveUp)
      typed.rest()
    }
  }

  /**
   * Set aside text typed before a question was shown, which must not answer it. Disposing restores the text
   * for the next message.
   */
  function setTypedAside(): Disposable {
    const before = typedAhead
    const begun = lines?.line ?? ''
    return {
      [Symbol.dispose]() {
        typedAhead = [...before, ...typedAhead]
        if (begun !== '') lines?.write(begun)
      },
    }
  }

  /** Ask on an empty line. */
  function askAfresh(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    typedAhead = []
    lines?.write(null, { ctrl: true, name: 'e' })
    lines?.write(null, { ctrl: true, name: 'u' })
    return ask(prompt, signal)
  }

  /**
   * Ask the model's question. The user types the number of a choice, other words, or nothing for no answer.
   */
  async function askQuestion(
    { text, choices }: NonNullable<Approval['question']>,
    { reason, texts = [] }: Approval,
    signal: AbortSignal,
    readText: ReadText,
  ): Promise<TerminalAnswer | undefined> {
    process.stderr.write(`\n${escapeInvisible(text)}\n`)
    if (reason !== '') process.stderr.write(`${escapeInvisible(reason)}\n`)
    if (texts.length > 0) process.stderr.write(linesOfTexts(texts))
    for (const [at, choice] of choices.entries())
      process.stderr.write(`  [${at + 1}] ${escapeInvisible(choice)}\n`)
    using _ = setTypedAside()
    const how = choices.length > 0 ? 'A number or your own words' : 'Your answer'
    let read = false
    for (;;) {
      const more = texts.length === 0 ? '' : `  ${SHOW_TEXT}${read ? '' : `  ${HAVE_READ}`}`
      const given = await askAfresh(`${how} (Enter alone: no answer)${more}  `, signal)
      if (given === undefined && signal.aborted) return undefined
      if (texts.length > 0 && given === 't') {
        process.stderr.write(await wholeTexts(texts, readText))
        continue
      }
      if (texts.length > 0 && given === 'r') {
        read = true
        continue
      }
      const said = choices[Number(given) - 1] ?? given ?? ''
      return { decision: said === '' ? 'deny' : 'once', note: said, ...(read && { read: true as const }) }
    }
  }

  return {
    say(text) {
      activity?.erase()
      process.stderr.write(stripControls(text))
    },
    activity,
    learnFrom(history, given) {
      typed?.recall(history)
      words = given
    },
    completeFiles: names => void (files = names),
    async askHidden(question) {
      if (!typed || ended.signal.aborted) return undefined
      using _ = setTypedAside()
      typedAhead = []
      lines?.write(null, { ctrl: true, name: 'e' })
      lines?.write(null, { ctrl: true, name: 'u' })
      activity?.hide()
      process.stderr.write(`\n${stripControls(question)}`)
      using _hidden = typed.hide()
      const given = await ask('', ended.signal)
      process.stderr.write('\n')
      return given
    },
    readLine() {
      process.stderr.write('\n')
      return ask('› ', ended.signal, 'message')
    },
    offerLines(offer) {
      offered = offer
      return { [Symbol.dispose]: () => void (offered = undefined) }
    },
    async askText(question) {
      return (await ask(stripControls(question)))?.trim()
    },
    async confirm(question) {
      const given = await ask(`${stripControls(question)} [y/n] `)
      return /^y(es)?$/i.test(given ?? '')
    },
    async askApproval(approval, signal, readText, isShown = false) {
      const { title, detail, folder, reason, mayAllowInChat, command, parts, folderRules, always, trial } =
        approval
      const { texts = [], sends } = approval
      if (!lines) return denyUnseen(approval)
      activity?.hide()
      if (approval.question) return await askQuestion(approval.question, approval, signal, readText)
      const who = approval.agent ? `${escapeInvisible(approval.agent.name)}: ` : ''
      if (!isShown)
        process.stderr.write(
          `\n${who}${escapeInvisible(title)}\n${escapeInvisible(detail).replace(/^/gm, '    ')}\n`,
        )
      const about = [sends ? '' : `In ${escapeInvisible(folder)}.`, escapeInvisible(reason)]
      process.stderr.write(`${about.filter(text => text !== '').join(' ')}\n`)
      for (const { command, reasons } of parts ?? []) {
        // A single command is already printed above.
        const named = command === detail ? '' : `${command}: `
        process.stderr.write(`  ${escapeInvisible(`${named}${reasons.join(', ')}`)}\n`)
      }
      if (texts.length > 0) process.stderr.write(linesOfTexts(texts))
      if (trial !== undefined) process.stderr.write(`${trial}\n`)
      const isConfined = command?.whyNot === ''
      if (command) process.stderr.write(`${escapeInvisible(howItRuns(command))}\n`)
      const choices = [
        '[y] once',
        ...(mayAllowInChat ? ['[c] in this chat'] : []),
        ...(folderRules ? [sends ? '[f] always for this site' : '[f] always in this folder'] : []),
        ...(always === undefined ? [] : [`[a] always ${escapeInvisible(always)}`]),
        ...(isConfined && !command.offline ? ['[w] once with network'] : []),
        ...(isConfined ? ['[u] once, not confined'] : []),
        ...(texts.length > 0 ? [HAVE_READ, SHOW_TEXT] : []),
        '[n] no',
      ].join('  ')
      const of = (decision: Decision, access: AccessChoice = 'confined'): TerminalAnswer => ({
        decision,
        note: '',
        access,
      })
      using _ = setTypedAside()
      for (;;) {
        const given = (await askAfresh(`Allow?  ${choices}  `, signal))?.toLowerCase()
        if (given === undefined) return signal.aborted ? undefined : of('deny')
        if (given === 'n' || given === 'no') return of('deny')
        if (given === 'y' || given === 'yes') return of('once')
        if (given === 'c' && mayAllowInChat) return of('chat')
        if (given === 'f' && folderRules) return of('folder')
        if (given === 'a' && always !== undefined) return of('always')
        if (given === 'w' && isConfined && !command.offline) return of('once', 'network')
        if (given === 'u' && isConfined) return of('once', 'unconfined')
        if (given === 'r' && texts.length > 0) return { ...of('once'), read: true }
        if (given === 't' && texts.length > 0) process.stderr.write(await wholeTexts(texts, readText))
        else process.stderr.write(`${sayInvalid(given, choices)}\n`)
      }
    },
    close() {
      activity?.hide()
      typed?.close()
    },
  }
}
