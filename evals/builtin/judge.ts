import { isDeepStrictEqual } from 'node:util'
import type { ToolCall } from '../../src/shared/contract/chats/messages.ts'
import type { Check, Said } from './conversation.ts'

/** A reply after it was read: its words and its calls; `broken` counts calls that could not be read. */
export type Heard = { text: string; calls: readonly Pick<ToolCall, 'name' | 'arguments'>[]; broken: number }

/** What a reply was asked for and did right; absent where it was not asked for. */
export type Verdict = {
  tool?: boolean
  arguments?: boolean
  fact?: boolean
  unknown?: boolean
  exact: boolean
}

/** Longer than this, an answer is no plain sentence. */
const LONGEST_SENTENCE = 300

/**
 * Compare a reply with the check of its turn. A call is right with the one tool, its arguments with all values as they
 * are; an answer has the fact when every part of it stands there; what is beyond the model wants one line without a call
 * that says what to do.
 */
export function judge(
  heard: Heard,
  { check = { kind: 'text' }, text }: Pick<Said, 'check' | 'text'>,
): Verdict {
  const isExact = heard.broken === 0 && heard.calls.length === 0 && heard.text.trim() === text.trim()
  const calls = heard.calls.length + heard.broken
  switch (check.kind) {
    case 'call': {
      const [call] = heard.calls
      const isTool = calls === 1 && call?.name === check.name
      const same = isTool && isDeepStrictEqual(call.arguments, check.arguments)
      return { tool: isTool, arguments: same, exact: same }
    }
    case 'fact':
      return { tool: calls === 0, fact: calls === 0 && hasFacts(heard.text, check), exact: isExact }
    case 'unknown':
      return { tool: calls === 0, unknown: calls === 0 && isPlain(heard.text), exact: isExact }
    case 'text':
      return { tool: calls === 0, exact: isExact }
  }
}

const hasFacts = (text: string, { facts }: Extract<Check, { kind: 'fact' }>): boolean =>
  facts.every(fact => plain(text).includes(plain(fact)))

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** One line that ends like a sentence and names what to do: a bigger model. */
const isPlain = (text: string): boolean => {
  const line = text.trim()
  return (
    line.length <= LONGEST_SENTENCE &&
    !line.includes('\n') &&
    /[.!?]$/.test(line) &&
    /\bmodels?\b/i.test(line)
  )
}

/** Shares of replies that were right, of those that were asked for it; null where none was. */
export type Scores = Record<'tool' | 'arguments' | 'fact' | 'unknown' | 'exact', number | null>

/** Add verdicts up. */
export function scoresOf(verdicts: readonly Verdict[]): Scores {
  const share = (name: keyof Verdict): number | null => {
    const asked = verdicts.filter(verdict => verdict[name] !== undefined)
    const right = asked.filter(verdict => verdict[name] === true)
    return asked.length === 0 ? null : right.length / asked.length
  }
  return {
    tool: share('tool'),
    arguments: share('arguments'),
    fact: share('fact'),
    unknown: share('unknown'),
    exact: share('exact'),
  }
}

/** Shares with four digits, to be read. */
export const roundScores = (scores: Scores): Scores => ({
  tool: rounded(scores.tool),
  arguments: rounded(scores.arguments),
  fact: rounded(scores.fact),
  unknown: rounded(scores.unknown),
  exact: rounded(scores.exact),
})

const rounded = (share: number | null) => (share === null ? null : Math.round(share * 10_000) / 10_000)
