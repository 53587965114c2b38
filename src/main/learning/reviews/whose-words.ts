import type { Message, StrangersMark } from '../../../shared/contract/chats/messages.ts'
import type { Store } from '../../db/store.ts'
import { plainText } from '../../untrusted/borrowed-words.ts'
import { unreadOf } from '../../agent/approvals/why-marked.ts'
import type { Candidate } from '../proposals/proposed-change.ts'

/** Maximum number of messages to search for strangers' texts, the newest first. */
const MOST_MESSAGES = 1_000
/** Words worth comparing, and how many letters of each to compare, so that “prefers” equals “prefer”. */
const WORD = /[\p{L}\p{N}]{4,}/gu
const STEM = 5
/** Share and minimum number of new words that make a proposal a stranger's. */
const SHARE = 0.5
const LEAST = 2
/** Maximum length of a tool name given by another program. */
const MOST_NAME = 60

/** The reason to refuse a proposal, or the remark on it for the user. */
type Origin = { refused?: string; because?: string }

const stemsOf = (text: string): Set<string> =>
  new Set((plainText(text).match(WORD) ?? []).map(word => word.slice(0, STEM)))

/** Judges whose words a proposal contains. */
export type WhoseWords = (candidate: Candidate) => Origin
/** Words said in the chat: by the stranger of each foreign text, and by the user. */
type Spoken = { strangers: { source: string; stems: Set<string> }[]; person: Set<string> }

/**
 * Create the function that judges whose words a proposal contains. Words from outside texts that the chat has
 * read are never proposed as facts about the user; other proposals made of them say so. The function reads
 * these texts itself, because a review does not see them.
 */
export function judgeWhoseWords(
  { messages, marks }: Pick<Store, 'messages' | 'marks'>,
  sessionId: string | null,
): WhoseWords {
  if (sessionId === null) return () => ({})
  return judgeSpoken(() => {
    const ended = marks.ended(sessionId)
    return spokenIn(messages.page(sessionId, { limit: MOST_MESSAGES }).messages, message => {
      const open = unreadOf(message.marks).filter(({ id }) => !ended.has(id))
      return open.length > 0 ? sourcesIn(open) : undefined
    })
  })
}

/**
 * Like `judgeWhoseWords`, for a session of another program. It does not say where results come from, so all
 * results count as strangers' texts.
 */
export const judgeForeignWords = (messages: readonly Message[], program: string): WhoseWords =>
  judgeSpoken(() =>
    spokenIn(messages.slice(-MOST_MESSAGES), message =>
      message.role === 'tool' ? `a result of “${message.name.slice(0, MOST_NAME)}” in ${program}` : undefined,
    ),
  )

/** Collect the spoken words. `sourceOf` names the stranger whose text is in a message, or undefined. */
function spokenIn(messages: readonly Message[], sourceOf: (message: Message) => string | undefined): Spoken {
  const strangers: Spoken['strangers'] = []
  const said: string[] = []
  for (const message of messages) {
    if (message.role === 'user') said.push(message.text)
    const source = sourceOf(message)
    const text = strangersTextOf(message)
    if (source !== undefined && text !== '') strangers.push({ source, stems: stemsOf(text) })
  }
  return { strangers, person: stemsOf(said.join('\n')) }
}

function judgeSpoken(read: () => Spoken): WhoseWords {
  let known: Spoken | undefined
  return ({ before, after, place }) => {
    if (after === null) return {}
    known ??= read()
    const old = stemsOf(before ?? '')
    const fresh = [...stemsOf(after)].filter(stem => !old.has(stem) && !known!.person.has(stem))
    const all = [...stemsOf(after)].filter(stem => !old.has(stem))
    for (const { source, stems } of known.strangers) {
      const theirs = fresh.filter(stem => stems.has(stem)).length
      if (theirs < LEAST || theirs / all.length < SHARE) continue
      return place === ABOUT_PERSON
        ? { refused: `Left out: these are words of ${source}, not of the user. Go on without it.` }
        : { because: `Its words come from ${source}, not from you.` }
    }
    return {}
  }
}

const ABOUT_PERSON = 'About you'

/** The parts of a message that may be a stranger's: a result, or a user message's documents and reports. */
const strangersTextOf = (message: Message): string =>
  message.role === 'tool'
    ? message.text
    : message.role === 'user'
      ? [message.documents, message.reports].filter(text => text !== undefined).join('\n')
      : ''

const sourcesIn = (marks: readonly StrangersMark[]): string => marks.at(-1)?.source ?? 'a stranger'
