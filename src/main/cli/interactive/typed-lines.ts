import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { writeAtomic } from '../../lib/disk/durable-files.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { redactText } from '../../untrusted/redact.ts'

/** The inputs of earlier chats. */
export type History = { past: readonly string[]; add(text: string): void }

/** How many lines the history keeps. The file may grow to twice as many before it is shortened. */
const KEPT_LINES = 500

/**
 * Open the history in `<home>/terminal-history`, oldest line first. Keys and passwords are redacted as in the
 * log. A history that cannot be read or written is ignored, because it must not stop a chat.
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
      // An input that starts with a space is not kept, as in shells.
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

/** A line editor on the terminal. An input may have several lines. */
export type TypedLines = {
  lines: Interface
  /** From now on, Up brings back these inputs. */
  recall(history: History): void
  /** Called with each input. */
  onInput(listener: (text: string) => void): void
  /** Show a prompt. An answer to a question is not kept in the history. */
  prompt(text: string, kind: 'message' | 'question'): void
  /** Stop showing typed text until the result is disposed of. */
  hide(): Disposable
  /** Show no prompt, but keep accepting input. */
  rest(): void
  /** Whether no prompt is open and nothing has been typed yet. */
  isFree(): boolean
  close(): void
}

/** `complete` returns the words that can replace the end of a line, and that end. */
type Keys = { onKey(): void; complete(line: string): [words: string[], end: string] }

/** Standard error for the line editor. Drops all output while a password is typed. */
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
 * Edit lines on standard error. A line that ends with a backslash, or with Alt+Enter, continues in the next
 * line; pasted lines stay together. During a run, Ctrl-C is passed on as a signal; otherwise it drops the
 * typed text, and twice closes.
 */
export function editLines({ onKey, complete }: Keys): TypedLines {
  const { stdin, stderr } = process
  const shown = new Shown(stderr)
  const lines = createInterface({
    input: stdin,
    output: shown,
    // `shown` passes everything on to the terminal.
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
  // Runs before readline's own listener, so that the activity line is erased before readline writes.
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
    stderr.write(isEmpty ? '\nPress Ctrl-C again to leave.\n' : '\n')
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
      // Readline keeps the newest line first.
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
