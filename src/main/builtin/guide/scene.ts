import type { Known } from '../answers/known.ts'

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
export type Choice = { label: string; call?: WantedCall }

/** A call that the request names in so many words. */
export const sureCall = (
  name: string,
  given: Record<string, unknown>,
  onResult?: (done: Done) => WantedCall | undefined,
): Meaning => ({
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

/** A request without politeness around it. What stands in quotes stays as it is. */
export function tidyRequest(request: string): string {
  const line = request.trim()
  const bare = line.replace(LEAD, '').replace(TAIL, '').trim()
  return bare === '' ? line : bare
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
