import type { Constraint } from '../../dialects/grammar/constraint.ts'

/** A place where a constraint begins, and the text that was read behind it. */
export type Trigger = { constraint: Constraint; behind: string }

/** Reads a reply while it is written, for the places where constraints begin. */
export type ReplyWatch = {
  /** Read on; stops at a place where a constraint begins, and forgets the text behind it. */
  push(text: string): Trigger | undefined
  /** Go on behind a call. */
  restart(): void
  readonly isThinking: boolean
}

/** What models think between. A mark of a call means nothing in there: they weigh calls in words before they make one. */
const thoughts: readonly (readonly [open: string, ...close: string[]])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<seed:think>', '</seed:think>'],
  ['<mm:think>', '</mm:think>'],
  ['<longcat_think>', '</longcat_think>'],
  ['[THINK]', '[/THINK]'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|channel>thought', '<channel|>'],
  ['<|channel|>analysis', '<|end|>', '<|start|>', '<|channel|>commentary', '<|channel|>final'],
]

const fence = '```'

/**
 * Watch one reply for constraints that begin after some text. Marks count in visible text only: not in thoughts, inline code or code blocks. A block that a mark
 * itself opens is no code block, but it must begin its line.
 */
export function watchReply(all: readonly Constraint[]): ReplyWatch {
  const constraints = all.filter(({ after }) => after !== '')
  /** Text that could be the beginning of a mark. */
  let unread = ''
  /** What ends the thought that is open. */
  let closers: readonly string[] | undefined
  let isStart = true
  let line = startLine()
  /** How many backticks close the code block that is open; 0 outside of one. */
  let block = 0

  const mayBegin = (constraint: Constraint) =>
    (constraint.where === 'anywhere' || isStart) && (!constraint.after.startsWith(fence) || line.isBlank)

  /** Read one character, or a row of backticks; false when more text must come first. */
  const step = (): boolean => {
    const char = unread.charAt(0)
    if (char !== '`') {
      read(char)
      return true
    }
    const ticks = /^`+/.exec(unread)?.[0] ?? ''
    if (ticks.length === unread.length) return false
    read(ticks)
    return true
  }
  const read = (text: string): void => {
    unread = unread.slice(text.length)
    if (closers) return
    const isBlank = text.trim() === ''
    if (!isBlank) isStart = false
    if (text === '\n') {
      if (line.opens > 0 && line.opens === line.ticks) block = line.opens
      line = startLine()
      return
    }
    if (text.startsWith('`')) tick(text.length)
    if (!isBlank) line.isBlank = false
  }
  const tick = (count: number): void => {
    if (block > 0) {
      if (line.isBlank && count >= block) block = 0
    } else if (line.ticks === 0) {
      line.ticks = count
      // With another row of so many on its line it was inline code.
      line.opens = line.isBlank && count >= fence.length ? count : 0
    } else if (line.ticks === count) {
      line.ticks = line.opens = 0
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
        if (block === 0 && line.ticks === 0) {
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
      block = 0
    },
    get isThinking() {
      return closers !== undefined
    },
  }
}

/** A line: whether only blanks were read of it, and the backticks that are open in it, or that may open a code block. */
const startLine = () => ({ isBlank: true, ticks: 0, opens: 0 })
