import { isDeepStrictEqual } from 'node:util'
import type { ToolCall } from '../../src/shared/contract/chats/messages.ts'
import type { Check, Said } from './conversation.ts'

/** A reply as it was read: its words and calls. `broken` counts calls that could not be read. */
export type Heard = { text: string; calls: readonly Pick<ToolCall, 'name' | 'arguments'>[]; broken: number }

/** What a reply did right. Fields are absent for what the reply was not asked for. */
export type Verdict = {
  tool?: boolean
  arguments?: boolean
  fact?: boolean
  unknown?: boolean
  exact: boolean
}

/** The most characters of a plain sentence. */
const LONGEST_SENTENCE = 300

/**
 * Compare a reply with the check of its turn. A call is right if it is for the one tool, and its arguments if
 * all values are the same. An answer has the fact if it contains every part of it. For a request beyond the
 * model, the right answer is one line without a call that says what to do.
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

/** The shares of right replies among those that were asked for each; null if none was. */
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

/** The scores, rounded to four digits for readers. */
export const roundScores = (scores: Scores): Scores => ({
  tool: rounded(scores.tool),
  arguments: rounded(scores.arguments),
  fact: rounded(scores.fact),
  unknown: rounded(scores.unknown),
  exact: rounded(scores.exact),
})

const rounded = (share: number | null) => (share === null ? null : Math.round(share * 10_000) / 10_000)
