import { hashOf } from './random.ts'

/**
 * `train` is what is learned. `id` has the same words and wordings in other conversations. `test` has only words and
 * wordings that training never sees.
 */
export type Split = 'train' | 'id' | 'test'

export const SPLITS: readonly Split[] = ['train', 'id', 'test']

/** Of a hundred words of a list so many are kept for the test. */
const HELD_OUT = 15
/** However short a list is, the test has so many words of it. */
const LEAST = 4

const topped = new Set<string>()

/** Whether a word is kept from training. Follows from the word alone, and from the lists that are too short for chance. */
export const isHeldOut = (word: string): boolean =>
  hashOf(word.toLowerCase()) % 100 < HELD_OUT || topped.has(word.toLowerCase())

/** Make sure that the test has words of these lists; to be called before any word is chosen. */
export function holdOut(lists: readonly (readonly string[])[]): void {
  for (const list of lists) {
    const held = list.filter(isHeldOut).length
    const others = list.filter(word => !isHeldOut(word)).toSorted((a, b) => hashOf(`${a}?`) - hashOf(`${b}?`))
    for (const word of others.slice(0, Math.max(0, LEAST - held))) topped.add(word.toLowerCase())
  }
}

const parted = new WeakMap<readonly string[], { kept: string[]; held: string[] }>()

/** The words of a list that a split may use. */
export function wordsFor(list: readonly string[], split: Split): readonly string[] {
  const known = parted.get(list) ?? {
    kept: list.filter(word => !isHeldOut(word)),
    held: list.filter(word => isHeldOut(word)),
  }
  parted.set(list, known)
  return split === 'test' ? known.held : known.kept
}
