import { StringDecoder } from 'node:string_decoder'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { tidyUp } from '../../lib/processes/tidy-up.ts'
import { letOthersRun } from '../../lib/timing.ts'

/** The ending of a transport that Talaria closed. */
export const CLOSED = 'Talaria closed it'

/** Bounds for what one server may send. Their texts name the bound, so that a person knows which was reached. */
const LONGEST_LINE = 32_000_000
/** Notifications, and requests to us. */
const UNASKED_A_SECOND = 100
/** A server that goes on far beyond what is dropped is ended. */
const MOST_A_SECOND = 5_000
const MOST_STRAY_REPLIES = 20

/** What becomes of a message. `exceeded` continues “The server was ended because …”. */
type Verdict = 'take' | 'drop' | { exceeded: string }

/** Counts what comes from one server. */
export type Limits = {
  /** Cut what came into lines. A line that is too long is the last. */
  split(bytes: Buffer): (string | { exceeded: string })[]
  /** Note a message of ours, so that its reply is known. */
  sent(message: JSONRPCMessage): void
  judge(message: JSONRPCMessage): Verdict
  /** The ids of our requests that were not answered. */
  waiting(): string[]
  /** Note a line that is not a message. */
  judgeRubbish(): Verdict
  /** How many messages were dropped. */
  readonly dropped: number
}

/** Create the limits of one server. `now` in milliseconds. */
export function createLimits(now: () => number = () => performance.now()): Limits {
  const decoder = new StringDecoder('utf8')
  const waiting = new Set<string>()
  let parts: string[] = []
  let length = 0
  let second = 0
  let inSecond = 0
  let rubbish = 0
  let stray = 0
  let dropped = 0

  function split(bytes: Buffer): (string | { exceeded: string })[] {
    const lines: string[] = []
    const pieces = decoder.write(bytes).split('\n')
    for (const [at, piece] of pieces.entries()) {
      length += piece.length
      if (length > LONGEST_LINE) {
        parts = []
        return [...lines, { exceeded: `it sent a line of more than ${LONGEST_LINE / 1_000_000} MB` }]
      }
      parts.push(piece)
      if (at === pieces.length - 1) break
      lines.push(parts.join('').replace(/\r$/, ''))
      parts = []
      length = 0
    }
    return lines
  }

  function countSecond(): void {
    const current = Math.floor(now() / 1_000)
    if (current === second) return
    second = current
    inSecond = 0
    rubbish = 0
  }

  function judgeUnasked(): Verdict {
    countSecond()
    inSecond++
    if (inSecond > MOST_A_SECOND)
      return { exceeded: `it sent more than ${MOST_A_SECOND} messages in a second that nobody asked for` }
    return inSecond > UNASKED_A_SECOND ? 'drop' : 'take'
  }

  function judgeReply(id: string | number | undefined): Verdict {
    if (id !== undefined && waiting.delete(String(id))) return 'take'
    stray++
    return stray > MOST_STRAY_REPLIES
      ? { exceeded: `it sent more than ${MOST_STRAY_REPLIES} replies to requests that were never sent` }
      : 'drop'
  }

  return {
    split,
    sent(message) {
      if ('method' in message && 'id' in message) waiting.add(String(message.id))
    },
    judge(message) {
      const verdict = 'method' in message ? judgeUnasked() : judgeReply(message.id)
      if (verdict === 'drop') dropped++
      return verdict
    },
    waiting: () => [...waiting],
    judgeRubbish() {
      countSecond()
      rubbish++
      return rubbish > MOST_A_SECOND
        ? { exceeded: `it printed more than ${MOST_A_SECOND} lines in a second that are no messages` }
        : 'drop'
    },
    get dropped() {
      return dropped
    },
  }
}

/**
 * Hand messages on, one in a turn of the event loop: the SDK handles notifications a moment later, and would forget who waits
 * for progress when the answer comes in the same piece. `onError` gets what the SDK throws at a message. Resolves when all
 * that came so far was handed on.
 */
export function inTurns(
  take: (message: JSONRPCMessage) => void,
  onError: (error: Error) => void,
): (message: JSONRPCMessage) => Promise<void> {
  const incoming: JSONRPCMessage[] = []
  let delivery: Promise<void> | undefined
  return message => {
    incoming.push(message)
    return (delivery ??= deliver())
  }

  async function deliver(): Promise<void> {
    for (let message = incoming.shift(); message !== undefined; message = incoming.shift()) {
      try {
        take(message)
      } catch (error) {
        const told = error instanceof Error ? error : new Error(String(error))
        tidyUp('tell of a message that could not be read', () => onError(told))
      }
      await letOthersRun()
    }
    delivery = undefined
  }
}
