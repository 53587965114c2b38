import { isOneMistake } from '../../lib/words/similarity.ts'
import type { Known } from '../answers/known-facts.ts'

/** One notebook entry that the chat may read, and where it is stored. */
export type KnownEntry = { text: string; target: 'user' | 'memory' | 'project' }

/** Everything used to understand a request. Names are relative to the chat's folder, with forward slashes. */
export type Scene = {
  known: Known
  entries: readonly KnownEntry[]
  /** Files and folders of the chat's folder, a few levels deep. */
  files: readonly string[]
  folders: readonly string[]
  /** The names of the skills that the chat can load. */
  skills: readonly string[]
}

/** A call to make. */
export type WantedCall = { name: string; arguments: Record<string, unknown> }

/** A call with its result. */
export type Done = WantedCall & { ok: boolean; text: string }

/**
 * The meaning of a request by the rules: a call, a sentence, or a question with choices. `isSure`: the
 * request is explicit. `onResult` returns the next call, if one call is not enough.
 */
export type Meaning =
  | { kind: 'call'; call: WantedCall; isSure: boolean; onResult?: (done: Done) => WantedCall | undefined }
  | { kind: 'say'; text: string }
  | { kind: 'ask'; question: string; choices: readonly Choice[] }

/** One possible answer of the user, and the call that follows; nothing happens without a call. */
export type Choice = { label: string; call?: WantedCall; onResult?: (done: Done) => WantedCall | undefined }

/** A call that the request explicitly names. */
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

/** Maximum length of the politeness at the end of a request, in characters. */
const TAIL_LETTERS = 200

/** Remove the politeness around a request. Quotes stay unchanged. */
export function tidyRequest(request: string): string {
  const line = request.trim()
  const rest = line.replace(LEAD, '')
  // Only the end is searched, because the pattern would try every run of blanks in a long text.
  const bare = `${rest.slice(0, -TAIL_LETTERS)}${rest.slice(-TAIL_LETTERS).replace(TAIL, '')}`.trim()
  return bare === '' ? line : mendVerb(bare)
}

/** Verbs at the start of requests, long enough for a typing error to be obvious. */
const VERBS =
  'remember forget search delete remove replace change create rename execute append display summarize correct'.split(
    ' ',
  )

/** “Remeber that …” starts with a verb too. The rest stays unchanged. */
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

/** Whether a text is a question. */
export const isQuestion = (text: string): boolean =>
  /\?\s*$/.test(text) ||
  /^(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|can|could|should|has|have|will|would)\b(?!['’])/i.test(
    text.trim(),
  )

/** The texts of a request in quotes or backticks, in order. An apostrophe inside a word is not a quote. */
export const quotedIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /`([^`]+)`|"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|(?<![\p{L}\p{N}])['‘]([^'’]+)['’](?![\p{L}\p{N}])/gu,
    ),
  ].map(found => found.slice(1).find(each => each !== undefined)!)

/** Remove quotes that enclose the whole text. */
export function withoutQuotes(text: string): string {
  const inner = /^(?:`([^`]+)`|"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|['‘]([^'’]+)['’])$/u.exec(
    text.trim(),
  )
  return inner?.slice(1).find(each => each !== undefined) ?? text.trim()
}

/** The rules read a request in steps, because the first message compiles hundreds of patterns. */
export type Reading = Generator<void, Meaning | undefined, void>

/** The first meaning that one of these functions finds, with one step for each. */
export function* firstMeaning(kinds: readonly (() => Meaning | undefined)[]): Reading {
  for (const read of kinds) {
    const meaning = read()
    if (meaning) return meaning
    yield
  }
  return undefined
}
