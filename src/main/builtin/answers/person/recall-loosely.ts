import { contentWords, cutEnding, holdsWord, isMistyped, wordsIn } from './word-stems.ts'

/** People and animals that a fact may be about. Question and entry must name the same ones. */
const OTHERS = new Set(
  (
    'wife husband partner spouse girlfriend boyfriend son daughter kid kids child children mother father mum mom dad parents sister brother ' +
    'uncle aunt cousin niece nephew grandmother grandfather grandma grandpa friend neighbour neighbor boss colleague roommate flatmate ' +
    'teacher doctor dentist lawyer landlord gardener therapist dog cat pet parrot hamster horse pony rabbit fish puppy kitten stepmother ' +
    'stepfather godson goddaughter team'
  ).split(' '),
)
/** Words that people use to ask, and that do not say what for. */
const ASKING = new Set(
  (
    'remind recall answer question check memory notebook notes note look forgot forget repeat quick quickly tell hello hey talaria able ' +
    'possible ok okay well right sure order help need like favourite favorite number date day time usually used use today current currently'
  ).split(' '),
)
/** Minimum share of the asked words that an entry must contain. */
const ENOUGH = 0.5

/** Whether a text asks for something about its own author. */
export const asksOfSelf = (plain: string): boolean =>
  /\b(?:my|mine|i|i am|me)\b/.test(plain) &&
  /^(?:what|who|whom|whose|when|where|which|how|do|did|am|are|is|was|have|has|my|in|on|at|of|by|as|from|to)\b|\b(?:remind me|remember|recall|told you|tell me|i forgot|forget|what|which|who|whom|when|where)\b/.test(
    plain,
  )

/** Entries that contain most of the words in a question about the user, if a strict search finds none. */
export function recallLoosely(entries: readonly string[], plain: string): string[] {
  const all = contentWords(plain)
  const named = all.filter(word => !ASKING.has(word))
  const words = named.length > 0 ? named : all.filter(word => word === 'favourite')
  if (words.length === 0) return []
  const others = words.filter(word => OTHERS.has(word))
  const found = entries.map(entry => {
    const own = wordsIn(entry)
    const known = new Set(own)
    const stems = new Set(own.map(cutEnding))
    const holds = (word: string) =>
      holdsWord(known, stems, word) || own.some(other => isMistyped(word, other))
    const isSame = others.every(holds) && (others.length > 0 || !own.some(word => OTHERS.has(word)))
    return { entry, hits: isSame ? words.filter(holds).length : 0 }
  })
  const most = Math.max(0, ...found.map(({ hits }) => hits))
  // Of two words, one is enough only if the other says whose it is.
  const share = most / words.length
  if (share < ENOUGH || (share === ENOUGH && others.length === 0)) return []
  return found.filter(({ hits }) => hits === most).map(({ entry }) => entry)
}
