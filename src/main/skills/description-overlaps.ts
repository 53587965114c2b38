import type { Skill } from '../../shared/contract/skills.ts'
import { plain } from '../lib/index-words.ts'

/** What is compared: the names of skills tell little, what they are for tells all. */
type Compared = Pick<Skill, 'id' | 'description' | 'project'>

/** Two descriptions overlap when they share so many words, and so large a part of all their words. */
const LEAST_SHARED = 4
const LEAST_ALIKE = 0.6
/** A word of more descriptions than this tells nothing, and would make the work grow with the square of the skills. */
const MOST_OF_A_WORD = 40
/** So much of a description is looked at, in characters and in words. */
const REACH = 1_200
const MOST_WORDS = 60

/** Words that say nothing about what a skill is for. */
const EMPTY = new Set(
  `a about after all also an and any are as asks at be been before but by can do does for from has have help helps how if
  in into is it its like mentions more need needs not of on one or other provides requests should skill skills so such than
  that the their them then these they this those to up use used user users uses using via wants was what when whenever
  where which who will with without work working works you your`.split(/\s+/),
)

/**
 * Which skills have nearly the same description as others, by id, the most alike first. Skills of different projects are
 * never offered together and so do not count. The work grows with the number of skills, not with its square.
 */
export function overlapsOf(skills: readonly Compared[]): Map<string, string[]> {
  const words = skills.map(({ description }) => contentOf(description))
  const alike = new Map<number, { other: number; score: number }[]>()
  const add = (one: number, other: number, score: number) => {
    const known = alike.get(one)
    if (known) known.push({ other, score })
    else alike.set(one, [{ other, score }])
  }
  const holders = holdersOf(words)
  // How many words the others share with one, counted in place: this is the innermost of all loops.
  const shared = new Uint8Array(skills.length)
  for (const [one, own] of words.entries()) {
    const met: number[] = []
    for (const word of own) {
      for (const other of holders.get(word) ?? []) {
        if (other <= one) continue
        if (shared[other]!++ === 0) met.push(other)
      }
    }
    for (const other of met) {
      const count = shared[other]!
      shared[other] = 0
      // Words that are in too many descriptions were not counted, but two that have them share them all the same.
      if (count * 2 < LEAST_SHARED || !meet(skills[one]!, skills[other]!)) continue
      const score = likeness(own, words[other]!)
      if (score < LEAST_ALIKE) continue
      add(one, other, score)
      add(other, one, score)
    }
  }
  for (const [first, ...rest] of equalOnes(skills, words)) {
    for (const other of rest) {
      if (alike.get(first!)?.some(each => each.other === other)) continue
      add(first!, other, 1)
      add(other, first!, 1)
    }
  }
  return new Map(
    [...alike].map(([one, others]) => [
      skills[one]!.id,
      others.toSorted((a, b) => b.score - a.score || a.other - b.other).map(({ other }) => skills[other]!.id),
    ]),
  )
}

const meet = (a: Compared, b: Compared): boolean =>
  a.project === null || b.project === null || a.project === b.project

function contentOf(description: string): Set<string> {
  const found = plain(description.slice(0, REACH)).match(/[\p{L}\p{N}]+/gu) ?? []
  const content = new Set(found.map(stem).filter(word => word.length > 1 && !EMPTY.has(word)))
  return new Set([...content].slice(0, MOST_WORDS))
}

/** Plural and singular are one word; anything finer is not worth its errors. */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?<=[^s])s$/, '') : word)

function holdersOf(words: readonly ReadonlySet<string>[]): Map<string, number[]> {
  const holders = new Map<string, number[]>()
  for (const [index, own] of words.entries()) {
    for (const word of own) {
      const known = holders.get(word)
      if (known) known.push(index)
      else holders.set(word, [index])
    }
  }
  for (const [word, having] of holders) if (having.length > MOST_OF_A_WORD) holders.delete(word)
  return holders
}

/** Descriptions of the same words, however common those are: each group with its first. */
function equalOnes(skills: readonly Compared[], words: readonly ReadonlySet<string>[]): number[][] {
  const groups = new Map<string, number[]>()
  for (const [index, own] of words.entries()) {
    if (own.size < LEAST_SHARED) continue
    const key = `${skills[index]!.project ?? ''}\n${[...own].toSorted().join(' ')}`
    const known = groups.get(key)
    if (known) known.push(index)
    else groups.set(key, [index])
  }
  return [...groups.values()].filter(group => group.length > 1)
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return both < LEAST_SHARED ? 0 : both / (a.size + b.size - both)
}
