import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { redactText } from '../../untrusted/redact.ts'

/** What was typed in earlier chats. */
export type History = { past: readonly string[]; add(text: string): void }

/** Lines that are kept; the file may grow to twice as many before it is shortened. */
const KEPT_LINES = 500

/**
 * The history in `<home>/terminal-history`, oldest line first. Keys and passwords are redacted as in the log. A history that cannot be
 * read or written is none: it must not stop a chat.
 */
export function openHistory(home: string): History {
  const path = join(home, 'terminal-history')
  return {
    past:
      attempt(() => {
        const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
        const kept = lines.slice(-KEPT_LINES)
        if (lines.length > 2 * KEPT_LINES) writeAtomic(path, `${kept.join('\n')}\n`, { mode: 0o600 })
        return kept
      }) ?? [],
    add: text =>
      // What begins with a space is not kept, as in shells.
      void attempt(
        () => text.startsWith(' ') || appendFileSync(path, `${redactText(text)}\n`, { mode: 0o600 }),
      ),
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}

/** A line editor on the terminal. What it offers is a whole input, which may have several lines. */
export type TypedLines = {
  lines: Interface
  /** What Up brings back, from now on. */
  recall(history: History): void
  /** Called with each input. */
  onInput(listener: (text: string) => void): void
  /** Show a prompt. An answer to a question is not kept in the history. */
  prompt(text: string, kind: 'message' | 'question'): void
  /** From now on what is typed is not shown, until this is disposed of. */
  hide(): Disposable
  /** Nothing is asked, but what is typed still counts. */
  rest(): void
  /** Whether nothing is asked, and nothing typed yet. */
  isFree(): boolean
  close(): void
}

/** `complete` gives the words that may stand in place of the end of a line, and that end. */
type Keys = { onKey(): void; complete(line: string): [words: string[], end: string] }

/** Standard error for the line editor, which writes nothing there while a password is typed. */
class Shown extends Writable {
  isHidden = false
  readonly #terminal: NodeJS.WriteStream
  readonly isTTY = true

  constructor(terminal: NodeJS.WriteStream) {
    super({ decodeStrings: false })
    this.#terminal = terminal
    terminal.on('resize', () => this.emit('resize'))
  }
  get columns(): number {
    return this.#terminal.columns
  }
  get rows(): number {
    return this.#terminal.rows
  }
  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    if (!this.isHidden) this.#terminal.write(chunk)
    done()
  }
}

/**
 * Edit lines on standard error. A line that ends with a backslash goes on in the next one, as one does after Alt+Enter; pasted
 * lines stay together. Ctrl-C is passed on as a signal to what runs; else it drops what is typed, and twice it closes.
 */
export function editLines({ onKey, complete }: Keys): TypedLines {
  const { stdin, stderr } = process
  const shown = new Shown(stderr)
  const lines = createInterface({
    input: stdin,
    output: shown,
    // It is one, with something between.
    terminal: stderr.isTTY,
    historySize: KEPT_LINES,
    removeHistoryDuplicates: true,
    completer: complete,
  })
  const isPlain = process.env['TERM'] === 'dumb'
  let listener: (text: string) => void = () => {}
  let asked: 'message' | 'question' | undefined
  let question = ''
  let begun: string[] = []
  let isPasting = false
  let goesOn = false
  let isWarned = false
  let history: History | undefined

  if (!isPlain) stderr.write('\u001b[?2004h')
  lines.once('close', () => {
    if (!isPlain) stderr.write('\u001b[?2004l')
  })
  // Before readline's own listener, so that what is shown in the line is gone when it writes there.
  stdin.prependListener(
    'keypress',
    (_text: unknown, key: { name?: string; meta?: boolean; ctrl?: boolean }) => {
      onKey()
      if (!(key.ctrl && key.name === 'c')) isWarned = false
      if (key.name === 'paste-start') isPasting = true
      if (key.name === 'paste-end') isPasting = false
      if (key.meta && (key.name === 'return' || key.name === 'enter')) {
        goesOn = true
        lines.write(null, { name: 'return' })
      }
    },
  )
  lines.on('history', (all: string[]) => {
    if (asked === 'question') all.shift()
  })
  lines.on('line', line => {
    const isOpen = isPasting || goesOn || (asked !== 'question' && /(?:^|[^\\])\\$/.test(line))
    if (isOpen) {
      begun.push(isPasting || goesOn ? line : line.slice(0, -1))
      goesOn = false
      if (asked !== undefined) show('… ')
      return
    }
    const text = [...begun, line].join('\n')
    begun = []
    if (asked !== 'question' && text.trim() !== '') history?.add(text)
    listener(text)
  })
  lines.on('SIGINT', () => {
    if (process.listenerCount('SIGINT') > 0) return void process.emit('SIGINT')
    if (asked !== 'message' || isWarned) return lines.close()
    isWarned = true
    const isEmpty = begun.length === 0 && lines.line === ''
    begun = []
    Object.assign(lines, { line: '', cursor: 0 })
    stderr.write(isEmpty ? '\nCtrl-C again leaves.\n' : '\n')
    show(question)
  })

  function show(text: string) {
    lines.setPrompt(text)
    lines.prompt(true)
  }
  return {
    lines,
    recall(given) {
      history = given
      // Newest first is how readline keeps it.
      Object.assign(lines, { history: given.past.flatMap(text => text.split('\n')).toReversed() })
    },
    onInput: given => void (listener = given),
    prompt(text, kind) {
      asked = kind
      question = text
      show(text)
    },
    hide() {
      shown.isHidden = true
      return { [Symbol.dispose]: () => void (shown.isHidden = false) }
    },
    rest() {
      asked = undefined
      lines.setPrompt('')
    },
    isFree: () => asked === undefined && lines.line === '' && begun.length === 0,
    close: () => lines.close(),
  }
}
