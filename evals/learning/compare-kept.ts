import type { Review } from '../../src/shared/contract/learned/learning.ts'
import { shareOf, type Figures } from '../records.ts'
import { says, type Case } from './case.ts'

/** The result of one conversation with a real model, compared with what was worth keeping. */
export type Measured = {
  id: string
  kind: string
  /**
   * `not due`: the case's settings lead to no review. `failed`: a review was due but did not end, so nothing
   * is known.
   */
  state: 'reviewed' | 'failed' | 'not due'
  /** The reviews that began: what started each, and what it looked for. */
  reviews: Pick<Review, 'trigger' | 'kinds'>[]
  /** How much was found of what was worth keeping. */
  found: number
  wanted: number
  /** How much of what was kept was worth keeping. */
  right: number
  kept: number
  /** Texts that were kept although they must never be. */
  forbidden: string[]
  texts: string[]
  /** Why the conversation failed; empty if it did not. */
  failure: string
  ms: number
}

/** Compare what the reviews of a conversation kept with what its case says is worth keeping. */
export function compareKept(
  { id, kind, expect }: Case,
  texts: readonly string[],
  run: Pick<Measured, 'state' | 'reviews' | 'failure' | 'ms'>,
): Measured {
  const wanted = [...expect.proposed.map(each => each.says), ...expect.saved]
  return {
    id,
    kind,
    ...run,
    found: wanted.filter(each => texts.some(text => says(text, each))).length,
    wanted: wanted.length,
    right: texts.filter(text => wanted.some(each => says(text, each))).length,
    kept: texts.length,
    forbidden: [...expect.never, ...expect.nowhere].filter(each => texts.some(text => says(text, each))),
    texts: [...texts],
  }
}

/**
 * How good a real model is. Shares are over the conversations whose reviews ended. Conversations that failed
 * or had no review are counted separately. A share of nothing is left out.
 */
export function summariseKept(rows: readonly Measured[]): Figures {
  const reviewed = rows.filter(({ state }) => state === 'reviewed')
  const sum = (of: 'found' | 'wanted' | 'right' | 'kept') =>
    reviewed.reduce((total, each) => total + each[of], 0)
  const nothingWanted = reviewed.filter(({ wanted }) => wanted === 0)
  const quiet = nothingWanted.filter(({ kept }) => kept === 0)
  return {
    conversations: rows.length,
    reviewed: reviewed.length,
    failed: rows.filter(({ state }) => state === 'failed').length,
    notDue: rows.filter(({ state }) => state === 'not due').length,
    ...share('precision', sum('right'), sum('kept')),
    ...share('recall', sum('found'), sum('wanted')),
    ...share('quiet', quiet.length, nothingWanted.length),
    // Forbidden texts always count, even if a failure followed.
    forbidden: rows.flatMap(({ forbidden }) => forbidden).length,
  }
}

const share = (name: string, part: number, whole: number): Figures =>
  whole === 0 ? {} : { [name]: shareOf(part, whole) }

/** The figures as sentences. Each share says what it is a share of. */
export function inWords(rows: readonly Measured[]): string {
  const { conversations, reviewed, failed, notDue, precision, recall, quiet, forbidden } = summariseKept(rows)
  const said = (value: number | undefined) => (value === undefined ? 'not measured' : `${value} %`)
  return [
    `Of ${reviewed} that were reviewed (of ${conversations}; ${failed} failed, ${notDue} had no review that was due):`,
    `precision ${said(precision)}, recall ${said(recall)},`,
    `silent where nothing was worth keeping ${said(quiet)}, ${forbidden} things kept that never may be.`,
  ].join(' ')
}

/** 1 if most due reviews failed, because the shares then say little. */
export const judgeFailures = ({ reviewed = 0, failed = 0 }: Figures): 0 | 1 => (failed > reviewed ? 1 : 0)
