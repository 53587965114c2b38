import { readSkillText } from '../files/read-skill.ts'
import type { LibrarySkill } from '../skill-types.ts'

/** An existing skill that resembles a new one. `same`: so closely that they are one skill. */
export type LikeSkill = { of: LibrarySkill; same: boolean }

/** A planned skill to compare: its name and its SKILL.md. */
type NewSkill = { name: string; text: string }

/** Maximum number of skills whose steps are read, and of characters to compare. */
const MOST_READ = 60
const MOST_CHARACTERS = 20_000
/** Maximum number of similar skills to name. */
const MOST_NAMED = 3
/** Minimum number of words that steps must have to be compared. */
const FEWEST_WORDS = 8
/** Shares of common words from which descriptions or steps count as the same, or as alike. */
const SAME = { description: 0.8, steps: 0.85 }
const ALIKE = { description: 0.6, steps: 0.6 }
/** A lower share is enough if the names have the same words. */
const SAME_BY_NAME = 0.5
/** If one skill's steps are this many times longer, they are read only if name or description are alike. */
const LENGTHS = 1.3

/**
 * Find the skills that a new one resembles, the most similar first. Names, descriptions and steps are
 * compared by their words, without endings and filler words. `read` returns a skill's SKILL.md. At most 60
 * skills are read.
 */
export function findLikeSkills(
  made: NewSkill,
  known: readonly LibrarySkill[],
  read: (id: string) => string | undefined,
): LikeSkill[] {
  const { fields, body } = readSkillText(made.text, made.name)
  const mine = { name: wordsOf(made.name), description: wordsOf(fields.description), steps: wordsOf(body) }
  const length = made.text.length
  return known
    .map(of => {
      const name = share(mine.name, wordsOf(of.skill.name))
      const description = share(mine.description, wordsOf(of.found.text.fields.description))
      const main = of.found.parts.find(({ kind }) => kind === 'skill')?.bytes ?? of.found.bytes
      // The new text is measured in characters, files in bytes: a Chinese character takes three.
      const isAsLong = main <= length * LENGTHS * 3 && main * LENGTHS >= length
      return { of, name, description, likely: name + description + (isAsLong ? 0.5 : 0) }
    })
    .filter(({ likely }) => likely >= 0.5)
    .toSorted((a, b) => b.likely - a.likely)
    .slice(0, MOST_READ)
    .flatMap(({ of, name, description }) => {
      const theirs = wordsOf(readSkillText(read(of.skill.id) ?? '', of.skill.name).body)
      const isEnough = Math.min(theirs.size, mine.steps.size) >= FEWEST_WORDS
      const steps = isEnough ? share(mine.steps, theirs) : 0
      const isNamedSo = name === 1 && (description >= SAME_BY_NAME || steps >= SAME_BY_NAME)
      const same = isNamedSo || description >= SAME.description || steps >= SAME.steps
      const isAlike = description >= ALIKE.description || steps >= ALIKE.steps || name === 1
      return same || isAlike ? [{ of, same, weight: (same ? 3 : 0) + name + description + steps }] : []
    })
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, MOST_NAMED)
    .map(({ of, same }) => ({ of, same }))
}

/** Twice the number of common words, divided by all words: 1 for equal sets. */
function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  return (2 * a.intersection(b).size) / (a.size + b.size)
}

/**
 * The words that say what a text is about. Scripts without spaces are split into pairs of characters. English
 * and German endings are cut off roughly: “weekly report” and “report of the week” give the same words.
 */
function wordsOf(text: string): Set<string> {
  const plain = text.slice(0, MOST_CHARACTERS).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.flatMap(word => (UNSPACED.test(word) ? pairsOf(word) : wordStem(word))))
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function pairsOf(word: string): string[] {
  const characters = Array.from(word)
  return characters.length < 2
    ? characters
    : characters.slice(1).map((each, at) => `${characters[at]!}${each}`)
}

const wordStem = (word: string): string[] =>
  SAYS_NOTHING.has(word) ? [] : [word.replace(/(?<=^.{3,})(?:ings?|edly|ed|ly|es|s|e|en|er|ern|em)$/u, '')]

/** Words that occur in every description. */
const SAYS_NOTHING = new Set(
  (
    'a an the of to and or for from in on at by with when use used uses using this that these it its is are be do does ' +
    'how what which you your user wants want asks ask asked one into as if then all any each every skill steps step ' +
    'der die das des dem den ein eine einer eines einem einen und oder fur von vom zu zum zur im in an am auf aus bei mit ' +
    'wenn so dass ist sind wie was du sie man nutzer'
  ).split(' '),
)
