import { StringDecoder } from 'node:string_decoder'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { tidyUp } from '../../lib/processes/tidy-up.ts'
import { letOthersRun } from '../../lib/timing.ts'

/** The reason for the end of a transport that Talaria closed. */
export const CLOSED = 'Talaria closed it'

/** Limits on what one server may send. The reasons name them, so that users know which was reached. */
const LONGEST_LINE = 32_000_000
/** Maximum notifications and requests of a server per second; further ones are dropped. */
const UNASKED_A_SECOND = 100
/** Maximum unrequested messages per second before the server is ended. */
const MOST_A_SECOND = 5_000
const MOST_STRAY_REPLIES = 20

/** How to handle a message. `exceeded` continues “The server was ended because …”. */
type Verdict = 'take' | 'drop' | { exceeded: string }

/** Counts what one server sends. */
export type Limits = {
  /** Split input into lines. A line that is too long is the last one. */
  split(bytes: Buffer): (string | { exceeded: string })[]
  /** Note a message of ours, so that its reply is recognised. */
  sent(message: JSONRPCMessage): void
  judge(message: JSONRPCMessage): Verdict
  /** The ids of our unanswered requests. */
  waiting(): string[]
  /** Count a line that is not a message. */
  judgeRubbish(): Verdict
  /** How many messages were dropped. */
  readonly dropped: number
}

/** Create the limits of one server. `now` is in ms. */
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
 * Deliver messages one per turn of the event loop. The SDK handles notifications with a delay, and would drop
 * progress that arrives together with the answer. `onError` gets errors that the SDK throws. Resolves once
 * all messages so far are delivered.
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
