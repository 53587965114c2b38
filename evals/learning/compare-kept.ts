import type { Review } from '../../src/shared/contract/learned/learning.ts'
import { shareOf, type Figures } from '../records.ts'
import { says, type Case } from './case.ts'

/** What came of one conversation with a real model, against what was worth keeping. */
export type Measured = {
  id: string
  kind: string
  /** `not due`: the settings of the case lead to no review. `failed`: one was due and did not end, so nothing is known. */
  state: 'reviewed' | 'failed' | 'not due'
  /** The reviews that began: what set each off, and what it looked for. */
  reviews: Pick<Review, 'trigger' | 'kinds'>[]
  /** What was to be found and was, of all that was to be found. */
  found: number
  wanted: number
  /** What was kept that was to be found, of all that was kept. */
  right: number
  kept: number
  /** What must never be kept, and was. */
  forbidden: string[]
  texts: string[]
  /** Why it failed; empty if it did not. */
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
 * What a real model is worth. Shares are over the conversations whose reviews ended; what failed, or had no review, is counted apart.
 * A share of nothing is no figure.
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
    // It counts wherever it was kept, also before a failure.
    forbidden: rows.flatMap(({ forbidden }) => forbidden).length,
  }
}

const share = (name: string, part: number, whole: number): Figures =>
  whole === 0 ? {} : { [name]: shareOf(part, whole) }

/** The figures as sentences, each share with what it is a share of. */
export function inWords(rows: readonly Measured[]): string {
  const { conversations, reviewed, failed, notDue, precision, recall, quiet, forbidden } = summariseKept(rows)
  const said = (value: number | undefined) => (value === undefined ? 'not measured' : `${value} %`)
  return [
    `Of ${reviewed} that were reviewed (of ${conversations}; ${failed} failed, ${notDue} had no review that was due):`,
    `precision ${said(precision)}, recall ${said(recall)},`,
    `silent where nothing was worth keeping ${said(quiet)}, ${forbidden} things kept that never may be.`,
  ].join(' ')
}

/** 1 where most reviews that were due failed, so that the shares say little. */
export const judgeFailures = ({ reviewed = 0, failed = 0 }: Figures): 0 | 1 => (failed > reviewed ? 1 : 0)
