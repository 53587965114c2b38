import { WHOLE } from '../../src/main/models/formats/reader/markers.ts'
import { FIELDS, type Reading, type ToolCallCase } from './read-case.ts'

/** What is wrong with a result. `refused`: a call had to be refused and was not, or the other way round. */
export type Wrong = (typeof FIELDS)[number] | 'refused'

/**
 * Tags of cases whose text is an attempt at a call that cannot run. Refusing it tells the model to write it
 * again.
 */
const ATTEMPTS = new Set(['unknown-tool', 'malformed', 'truncated', 'missing-name'])

/**
 * What is wrong with the result of a case. Calls are compared in order, with exact names and by the values of
 * their arguments; content and reasoning with collapsed white space. A refused call is wrong if the case does
 * not allow one.
 */
export function compareResult(each: ToolCallCase, found: Reading): Wrong[] {
  const { expect, check = FIELDS } = each
  const isRight = {
    content: collapseSpace(expect.content) === collapseSpace(found.content),
    reasoning: collapseSpace(expect.reasoning) === collapseSpace(found.reasoning),
    calls: haveEqualValues(expect.calls, found.calls),
  }
  return [
    ...FIELDS.filter(field => check.includes(field) && !isRight[field]),
    ...(isRefusalRight(each, found) ? [] : ['refused' as const]),
  ]
}

/** Whether the right calls were refused: as the case says, or else as its tags allow. */
export function isRefusalRight({ refused, tags }: ToolCallCase, found: Pick<Reading, 'refused'>): boolean {
  const isRefused = found.refused.length > 0
  return refused === undefined ? !isRefused || tags.some(tag => ATTEMPTS.has(tag)) : refused === isRefused
}

const collapseSpace = (text: string | null) => (text ?? '').replace(/[\s\u00a0\u3000]+/g, ' ').trim()

/** Whether two JSON values are equal. The order of keys does not matter, and 1 equals 1.0. */
export function haveEqualValues(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [entries, others] = [Object.entries(one), new Map(Object.entries(other))]
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && haveEqualValues(value, others.get(key)))
  )
}

/** Texts that are always marks. `<json>` and the like are left out, because other texts contain them too. */
const MARKS = WHOLE.flatMap(([role, marks]) =>
  role === 'maybe' || role === 'unmaybe' ? [] : marks.split(' ').map(mark => mark.toLowerCase()),
)

/** The marks that were shown at any time although they are not in the answer of the case. */
export function findShownMarks({ expect }: ToolCallCase, { shown }: Reading): string[] {
  const [seen, wanted] = [shown, expect.content].map(text =>
    text.toLowerCase().replaceAll('▁', '_').replaceAll('｜', '|'),
  )
  return MARKS.filter(mark => seen?.includes(mark) && !wanted?.includes(mark))
}
