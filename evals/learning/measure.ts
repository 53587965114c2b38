import { says, type Case } from './case.ts'

/** What a real model found in one conversation, against what was to be found. */
export type Measured = {
  id: string
  kind: string
  /** What was to be found and was, of all that was to be found. */
  found: number
  wanted: number
  /** What was kept that was to be found, of all that was kept. */
  right: number
  kept: number
  /** What must never be kept, and was. */
  forbidden: string[]
  texts: string[]
  ms: number
  failed: string | null
}

/** Compare what a review kept with what a case says is worth keeping. */
export function measure(
  { id, kind, expect }: Case,
  texts: readonly string[],
  run: Pick<Measured, 'ms' | 'failed'>,
): Measured {
  const wanted = [...expect.proposed.map(each => each.says), ...expect.saved]
  return {
    id,
    kind,
    found: wanted.filter(each => texts.some(text => says(text, each))).length,
    wanted: wanted.length,
    right: texts.filter(text => wanted.some(each => says(text, each))).length,
    kept: texts.length,
    forbidden: expect.never.filter(each => texts.some(text => says(text, each))),
    texts: [...texts],
    ...run,
  }
}

/** Precision and recall over all conversations; null where there is nothing to divide by. */
export function summarise(all: readonly Measured[]) {
  const sum = (of: 'found' | 'wanted' | 'right' | 'kept') => all.reduce((total, each) => total + each[of], 0)
  const share = (part: number, whole: number) =>
    whole === 0 ? null : Math.round((part / whole) * 1_000) / 1_000
  return {
    conversations: all.length,
    precision: share(sum('right'), sum('kept')),
    recall: share(sum('found'), sum('wanted')),
    quiet: share(
      all.filter(each => each.wanted === 0 && each.kept === 0).length,
      all.filter(each => each.wanted === 0).length,
    ),
    forbidden: all.flatMap(each => each.forbidden).length,
    failed: all.filter(each => each.failed !== null).length,
    ms: all.reduce((total, each) => total + each.ms, 0),
  }
}
