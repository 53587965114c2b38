import { diffArrays } from 'diff'

/** Text that only the old version has, only the new version has, or both have. */
export type DiffPart = { kind: 'same' | 'added' | 'removed'; text: string }

/** With more edits than this, show one removal and one addition: a full diff would take too long. */
export const MAX_EDITS = 2_000

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const wordsOf = (text: string) => Array.from(words.segment(text), part => part.segment)

/** The word diff of two texts, in reading order. Removals come before additions. */
export function diffWords(before: string, after: string): DiffPart[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS })
  const parts: DiffPart[] = changes?.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  })) ?? [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return parts.filter(part => part.text !== '')
}
