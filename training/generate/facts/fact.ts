import type { MemoryTarget } from '../desk/memory-of.ts'
import type { Relation } from './relation.ts'

/** Something that a person tells, as it is said, kept and told back. */
export type Fact = {
  relation: Relation
  /** What its slots hold. */
  slots: Readonly<Record<string, string>>
  target: MemoryTarget
  /** In the words of the person: “my dog is called Rex”. */
  said: string
  /** As it is kept: “User's dog is called Rex”. */
  stored: string
  /** As it is told back: “Your dog is called Rex”. */
  told: string
  /** What an answer must hold. */
  value: string
  /** Two facts with the same key cannot both be true. */
  key: string
  /** The frozen prompt holds it. */
  inPrompt: boolean
}

/** Verbs of which the past is said, which is the same for everybody. */
const PAST = new Set(
  'grew moved studied bought started was had lost quit finished learned adopted sold married broke lent borrowed parked took ran gave found got left'.split(
    ' ',
  ),
)

/** A statement of a person about themself, as the notebook keeps it: “i'm a nurse” becomes “User is a nurse”. */
export function toStored(said: string): string {
  const own = (rest: string) =>
    rest
      .replace(/\bmy\b/gi, 'their')
      .replace(/\bmyself\b/gi, 'themself')
      .replace(/\bme\b/gi, 'them')
  return aboutSelf(said, {
    my: rest => `User's ${own(rest)}`,
    verb: (verb, rest) => `User ${verb}${own(rest)}`,
    be: { am: 'is', was: 'was', have: 'has', dont: 'does not', cant: 'cannot' },
    third: true,
  })
}

/** The same, as it is told back: “You are a nurse”. */
export function toTold(said: string): string {
  const own = (rest: string) =>
    rest
      .replace(/\bmy\b/gi, 'your')
      .replace(/\bmyself\b/gi, 'yourself')
      .replace(/\bme\b/gi, 'you')
  return aboutSelf(said, {
    my: rest => `Your ${own(rest)}`,
    verb: (verb, rest) => `You ${verb}${own(rest)}`,
    be: { am: 'are', was: 'were', have: 'have', dont: 'do not', cant: 'cannot' },
    third: false,
  })
}

type Voice = {
  my(rest: string): string
  verb(verb: string, rest: string): string
  be: Record<'am' | 'was' | 'have' | 'dont' | 'cant', string>
  third: boolean
}

function aboutSelf(said: string, { my, verb, be, third }: Voice): string {
  const text = said.trim()
  const rest = (pattern: RegExp) => pattern.exec(text)?.[1]
  const owned = rest(/^my (.*)$/is)
  if (owned !== undefined) return my(owned)
  const named = rest(/^call me (.*)$/is)
  if (named !== undefined) return verb(third ? 'wants to be called ' : 'want to be called ', named)
  const forms: readonly [RegExp, string][] = [
    [/^i(?:['’]?m| am) (.*)$/is, be.am],
    [/^i was (.*)$/is, be.was],
    [/^i(?:['’]?ve got| have) (.*)$/is, be.have],
    [/^i (?:don['’]?t|do not) (.*)$/is, be.dont],
    [/^i (?:can['’]?t|cannot|can not) (.*)$/is, be.cant],
    [/^i must (.*)$/is, 'must'],
    [/^i will (.*)$/is, 'will'],
  ]
  for (const [pattern, word] of forms) {
    const left = rest(pattern)
    if (left !== undefined) return verb(`${word} `, left)
  }
  const acts = /^i (always |never |usually |often )?([a-z]+)(.*)$/is.exec(text)
  if (acts) {
    const [, how = '', word = '', left = ''] = acts
    return verb(how + (third && !PAST.has(word) ? thirdPerson(word) : word), left)
  }
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const thirdPerson = (verb: string): string => {
  if (/(?:[sxz]|ch|sh|o)$/.test(verb)) return `${verb}es`
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`
}

/** “Your dog is called Rex” inside a sentence. */
export const inSentence = ({ told, said }: Pick<Fact, 'told' | 'said'>): string =>
  /^You(?:r)? /.test(told) ? told.charAt(0).toLowerCase() + told.slice(1) : said.trim()

/** With a full stop, unless it ends with one. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
