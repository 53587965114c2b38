import type { Constraint } from '../../../formats/grammar/constraint.ts'

/** A point where a constraint starts, and the text read after it. */
export type Trigger = { constraint: Constraint; behind: string }

/** Watches a reply for the points where constraints start. */
type ReplyWatch = {
  /** Read more text. Stops at a point where a constraint starts, and drops the text after that point. */
  push(text: string): Trigger | undefined
  /** Continue after a call. */
  restart(): void
  readonly isThinking: boolean
}

/** Marks around thoughts. A call mark inside them means nothing: models discuss calls before making one. */
const thoughts: readonly (readonly [open: string, ...close: string[]])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<seed:think>', '</seed:think>'],
  ['<mm:think>', '</mm:think>'],
  ['<longcat_think>', '</longcat_think>'],
  ['[THINK]', '[/THINK]'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|open|>think<|sep|>', '<|close|>think<|sep|>'],
  ['<|thought_start|>', '<|thought_end|>'],
  ['<|channel>thought', '<channel|>'],
  ['<|channel|>analysis', '<|end|>', '<|start|>', '<|channel|>commentary', '<|channel|>final'],
]

const fence = '```'

/**
 * Watch one reply for constraints that start after a mark. Marks count only in visible text: not in thoughts,
 * inline code or code blocks. A code fence that is itself a mark counts, but it must start its line.
 */
export function watchReply(all: readonly Constraint[]): ReplyWatch {
  const constraints = all.filter(({ after }) => after !== '')
  /** Text that could be the start of a mark. */
  let unread = ''
  /** The marks that can close the open thought. */
  let closers: readonly string[] | undefined
  let isStart = true
  let line = startLine()
  /** The backticks or tildes that close the open code block; empty outside of one. */
  let block = ''

  const mayBegin = (constraint: Constraint) =>
    (constraint.where === 'anywhere' || isStart) && (!constraint.after.startsWith(fence) || line.isBlank)

  /** Read one character or a run of backticks or tildes; false if more text must arrive first. */
  const step = (): boolean => {
    const run = /^(?:`+|~+)/.exec(unread)?.[0]
    if (run?.length === unread.length) return false
    read(run ?? unread.charAt(0))
    return true
  }
  const read = (text: string): void => {
    unread = unread.slice(text.length)
    if (closers) return
    const isBlank = text.trim() === ''
    if (!isBlank) isStart = false
    if (text === '\n') {
      block ||= line.opens
      line = startLine()
      return
    }
    if (text.startsWith('`') || text.startsWith('~')) tick(text)
    if (!isBlank) line.isBlank = false
  }
  const tick = (run: string): void => {
    const mayOpen = line.isBlank && run.length >= fence.length
    if (block !== '') {
      if (line.isBlank && run.startsWith(block)) block = ''
    } else if (run.startsWith('~')) {
      if (mayOpen) line.opens = run
    } else if (line.ticks === 0) {
      line.ticks = run.length
      // Another run of backticks on the same line means that it was inline code.
      line.opens = mayOpen ? run : ''
    } else if (line.ticks === run.length) {
      line.ticks = 0
      line.opens = ''
    }
  }
  const pass = (mark: string): void => {
    unread = unread.slice(mark.length)
    line = startLine()
  }
  const isWaiting = (mark: string) => mark.length > unread.length && mark.startsWith(unread)

  return {
    push(text) {
      unread += text
      while (unread !== '') {
        if (closers) {
          const closer = closers.find(mark => unread.startsWith(mark))
          if (closer === undefined) {
            if (closers.some(isWaiting)) return undefined
            read(unread.charAt(0))
            continue
          }
          pass(closer)
          closers = undefined
          continue
        }
        if (block === '' && line.ticks === 0) {
          const open = constraints.filter(mayBegin)
          const constraint = open.find(({ after }) => unread.startsWith(after))
          if (constraint) {
            for (const piece of constraint.after.match(/`+|[^`]/g) ?? []) read(piece)
            const behind = unread
            unread = ''
            return { constraint, behind }
          }
          const thought = thoughts.find(([opener]) => unread.startsWith(opener))
          if (thought) {
            pass(thought[0])
            closers = thought.slice(1)
            continue
          }
          if (open.some(({ after }) => isWaiting(after)) || thoughts.some(([opener]) => isWaiting(opener))) {
            return undefined
          }
        }
        if (!step()) return undefined
      }
      return undefined
    },
    restart() {
      unread = ''
      isStart = false
      line = startLine()
      block = ''
    },
    get isThinking() {
      return closers !== undefined
    },
  }
}

/** Return the state of a new line: blank so far, no open backticks, and nothing that opens a code block. */
const startLine = () => ({ isBlank: true, ticks: 0, opens: '' })

/** Finds the end of a constrained text as it arrives. */
export type CallEnd = {
  /** Read more text, first `after` itself. Returns the text after the end; undefined before the end. */
  push(text: string): string | undefined
  /** Whether the JSON value has started and is not complete. */
  readonly isInValue: boolean
}

/** Reads one part of a call. Returns the text after it; undefined while the part continues. */
type Part = (text: string) => string | undefined

/** Follow one call. A text body without an `end` continues until the reply ends. */
export function followCall({ after, body, end }: Constraint): CallEnd {
  const value = jsonValue()
  const parts =
    body === 'text'
      ? [mark(after), end === '' ? () => undefined : mark(end)]
      : [mark(body.jsonAfter), value, mark(end)]
  return {
    push(text) {
      for (let rest: string | undefined = text; ; parts.shift()) {
        const part = parts[0]
        if (!part) return rest
        rest = part(rest)
        if (rest === undefined) return undefined
      }
    },
    get isInValue() {
      return parts[0] === value
    },
  }
}

/** Match a text that may arrive in pieces. Anything before it is ignored. */
function mark(wanted: string): Part {
  let carried = ''
  return text => {
    const all = carried + text
    const at = all.indexOf(wanted)
    if (at >= 0) return all.slice(at + wanted.length)
    carried = all.slice(Math.max(0, all.length - wanted.length + 1))
    return undefined
  }
}

/** Match one JSON value with leading spaces. The grammar ensures that it is valid; only its end matters. */
function jsonValue(): Part {
  let depth = 0
  let isText = false
  let isEscaped = false
  let isBare = false

  /** Whether the value continues, ends with this character, or ended before it. */
  const read = (char: string): 'on' | 'ends' | 'ended' => {
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (char === '\\') isEscaped = true
      else if (char === '"') isText = false
      return isText || depth > 0 ? 'on' : 'ends'
    }
    if (isBare && !/[\w.+-]/.test(char)) return 'ended'
    if (char === '"') isText = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') return --depth > 0 ? 'on' : 'ends'
    else if (depth === 0 && /\S/.test(char)) isBare = true
    return 'on'
  }
  return text => {
    for (let at = 0; at < text.length; at++) {
      const found = read(text.charAt(at))
      if (found !== 'on') return text.slice(found === 'ends' ? at + 1 : at)
    }
    return undefined
  }
}
