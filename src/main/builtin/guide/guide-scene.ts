import { isOneMistake } from '../../lib/words/similarity.ts'
import type { Known } from '../answers/known-facts.ts'

/** One entry of the notebook that the chat may read, and where it is. */
export type KnownEntry = { text: string; target: 'user' | 'memory' | 'project' }

/** Everything that a request is understood by. Names are relative to the chat's folder, with forward slashes. */
export type Scene = {
  known: Known
  entries: readonly KnownEntry[]
  /** Files and folders that lie here, a few levels deep. */
  files: readonly string[]
  folders: readonly string[]
  /** The names of the skills that the chat can load. */
  skills: readonly string[]
}

/** A call that is to be made. */
export type WantedCall = { name: string; arguments: Record<string, unknown> }

/** The result of a call, with the call. */
export type Done = WantedCall & { ok: boolean; text: string }

/**
 * What a request means by the rules: a call, a sentence, or a question with choices. `isSure`: it says so in so many words. `onResult` says
 * what follows on the result, where one call is not enough.
 */
export type Meaning =
  | { kind: 'call'; call: WantedCall; isSure: boolean; onResult?: (done: Done) => WantedCall | undefined }
  | { kind: 'say'; text: string }
  | { kind: 'ask'; question: string; choices: readonly Choice[] }

/** One answer that the person may give, and what is then done: nothing without a call. */
export type Choice = { label: string; call?: WantedCall; onResult?: (done: Done) => WantedCall | undefined }

/** A call that the request names in so many words. */
export const sureCall = (
  name: string,
  given: Record<string, unknown>,
  onResult?: (done: Done) => WantedCall | undefined,
): Extract<Meaning, { kind: 'call' }> => ({
  kind: 'call',
  call: { name, arguments: given },
  isSure: true,
  ...(onResult && { onResult }),
})

/** A call that the request may mean. */
export const likelyCall = (name: string, given: Record<string, unknown>): Meaning => ({
  kind: 'call',
  call: { name, arguments: given },
  isSure: false,
})

const LEAD =
  /^(?:(?:hey|hi|hello|ok|okay|so|well|please|pls|now|then|and|also|just|quick|quickly|first|great|thanks|talaria)\b[,!.:]*\s+|(?:can|could|would|will) (?:you|u)\s+(?:please |kindly |quickly )?|(?:i(?:['’]d| would) (?:like|love) (?:you )?to|i want (?:you )?to|i need (?:you )?to|i wanna|let me|let['’]s|(?:would you )?mind|go ahead and|help me(?: to)?|try to|you (?:should|need to|have to|must))\s+)+/i
const TAIL =
  /(?:[,\s]+(?:please|pls|thanks|thank you|for me|now|right now|quickly|ok|will you|would you|can you|could you))*\s*[.!?]*\s*$/i

/** Longer than any politeness at the end of a request. */
const TAIL_LETTERS = 200

/** A request without politeness around it. What stands in quotes stays as it is. */
export function tidyRequest(request: string): string {
  const line = request.trim()
  const rest = line.replace(LEAD, '')
  // Only its end is searched for how it ends: the pattern would try every run of blanks of a long text.
  const bare = `${rest.slice(0, -TAIL_LETTERS)}${rest.slice(-TAIL_LETTERS).replace(TAIL, '')}`.trim()
  return bare === '' ? line : mendVerb(bare)
}

/** What requests begin with, in the length in which a mistake is plain. */
const VERBS =
  'remember forget search delete remove replace change create rename execute append display summarize correct'.split(
    ' ',
  )

/** “Remeber that …” begins with a verb too; what follows stays as it is. */
function mendVerb(request: string): string {
  const [first = ''] = request.split(/\s/, 1)
  if (VERBS.includes(first.toLowerCase())) return request
  const meant = VERBS.find(verb => isOneMistake(first.toLowerCase(), verb))
  return meant === undefined ||
    /^(?:deleted|removed|replaced|changed|created|renamed|executed|corrects?|removes|deletes|changes|creates|renames|replaces|forgets|forgot)$/i.test(
      first,
    )
    ? request
    : meant + request.slice(first.length)
}

/** Whether a text asks something. */
export const isQuestion = (text: string): boolean =>
  /\?\s*$/.test(text) ||
  /^(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|can|could|should|has|have|will|would)\b(?!['’])/i.test(
    text.trim(),
  )

/** The texts in quotes or backticks of a request, in order. An apostrophe inside a word is no quote. */
export const quotedIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /`([^`]+)`|"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|(?<![\p{L}\p{N}])['‘]([^'’]+)['’](?![\p{L}\p{N}])/gu,
    ),
  ].map(found => found.slice(1).find(each => each !== undefined)!)

/** A text without the quotes that stand around all of it. */
export function withoutQuotes(text: string): string {
  const inner = /^(?:`([^`]+)`|"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|['‘]([^'’]+)['’])$/u.exec(
    text.trim(),
  )
  return inner?.slice(1).find(each => each !== undefined) ?? text.trim()
}

/** The rules read a request in steps: at the first message hundreds of patterns are compiled. */
export type Reading = Generator<void, Meaning | undefined, void>

/** The first meaning that one of these finds, a step for each. */
export function* firstMeaning(kinds: readonly (() => Meaning | undefined)[]): Reading {
  for (const read of kinds) {
    const meaning = read()
    if (meaning) return meaning
    yield
  }
  return undefined
}
