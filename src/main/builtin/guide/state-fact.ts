import { orderAsStatement } from '../../../shared/text/order-as-statement.ts'

const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  have: 'has',
  do: 'does',
  "don't": "doesn't",
  'don’t': 'doesn’t',
  "haven't": "hasn't",
  go: 'goes',
}
/** Words that stay unchanged after “User”. */
const UNCHANGED =
  /^(?:was|will|would|can|could|should|must|may|might|shall|never|always|usually|often|only|also|really|just|currently|now|mostly|had|did|used|can['’]t|won['’]t|wouldn['’]t|couldn['’]t|\w+ed)$/i
/** Adverbs before the verb. */
const BEFORE_VERB = /^(?:never|always|usually|often|only|also|really|just|currently|now|mostly|still)$/i

/** Rewrite the user's own words as an entry: “my dog is called Rocky” -> “User's dog is called Rocky”. */
export function stateFact(said: string): string {
  const fact = said
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:(?:know|be aware)\s+)?that\s+/i, '')
    .replace(/(?<![\s.!,;])[\s.!,;]+$/, '')
    .trim()
  const order = orderAsStatement(fact, 'user')
  if (order !== undefined) return order
  const mine = /^my\s+(.+)$/i.exec(fact)?.[1]
  if (mine !== undefined) return `User's ${aboutUser(mine)}`
  const short = /^i['’](m|ve|ll|d)\s+(.+)$/i.exec(fact)
  if (short) {
    const [, ending = '', rest = ''] = short
    const verb = { m: 'is', ve: 'has', ll: 'will', d: 'would' }[ending.toLowerCase()]
    return `User ${verb} ${aboutUser(rest)}`
  }
  const own = /^i\s+(\S+)(?:\s+(.+))?$/i.exec(fact)
  if (own) {
    const [, first = '', rest = ''] = own
    if (BEFORE_VERB.test(first)) {
      const [, verb = '', more = ''] = /^(\S+)(?:\s+(.+))?$/.exec(rest) ?? []
      return `User ${first.toLowerCase()} ${[inThirdPerson(verb), aboutUser(more)].join(' ').trim()}`
    }
    return `User ${[inThirdPerson(first), aboutUser(rest)].join(' ').trim()}`
  }
  const called = /^call me (.+)$/i.exec(fact)?.[1]
  if (called !== undefined) return `User wants to be called ${called}`
  if (/\b(?:i|my|me|mine|i['’]m)\b/i.test(fact)) return `User says: ${capital(fact)}`
  if (/^to\s/i.test(fact)) return `User wants to be reminded ${aboutUser(fact)}`
  return capital(fact)
}

function inThirdPerson(given: string): string {
  const [, verb = given, mark = ''] = /^(.*?)([,;:]*)$/.exec(given) ?? []
  return thirdPersonOf(verb) + mark
}

function thirdPersonOf(verb: string): string {
  const known = IRREGULAR[verb.toLowerCase()]
  if (known !== undefined) return known
  if (UNCHANGED.test(verb)) return verb
  if (/(?:s|x|z|ch|sh|o)$/i.test(verb)) return `${verb}es`
  return /[^aeiou]y$/i.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`
}

/** Rewrite the rest of a sentence about the user from the first to the third person. */
const aboutUser = (text: string): string =>
  text
    .replaceAll(/\b[Ii]['’]m\b/g, 'they are')
    .replaceAll(/\b[Ii]['’]ve\b/g, 'they have')
    .replaceAll(/\bI am\b/g, 'they are')
    .replaceAll(/(?<![\p{L}.])I\b(?![.'’])/gu, 'they')
    .replaceAll(/\bmy\b/g, 'their')
    .replaceAll(/\bme\b/g, 'them')
    .replaceAll(/\bmyself\b/g, 'themselves')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
