import { findInPieces, isDisguised } from '../../untrusted/borrowed-pieces.ts'
import { findBorrowed, findEncoded, type Compared, type Prepared } from '../../untrusted/borrowed-words.ts'
import { holdsSecret } from '../../untrusted/redact.ts'
import { canonicalAddress, siteOf } from '../../lib/network/web-address.ts'
import type { WebIntent } from '../../tools/registry/tool.ts'

/**
 * The policy's knowledge of a chat for judging a web call. `own`: words that may leave, because the user
 * wrote them or they have left already. `others`: words from files, memory, tool results and pages.
 */
export type WebKnown = Compared & {
  /** Canonical addresses from the user's words, from search results and from pages that were read. */
  found: ReadonlySet<string>
  /** The words of earlier searches of this chat, to detect a text that leaves in pieces. */
  earlier: readonly string[]
  /** How many more pages this turn may read without a question. */
  readsLeft: number
  /** The chat runs unattended, so it may use the web only if its trial run was allowed to. */
  needsGrant?: boolean
}

/** The whole content that leaves this computer with a call, and its parts that come from the chat. */
export type Sends = { text: string; data: string[] }

/** How many pages a turn may read before it has to ask about the next ones. */
export const FREE_READS = 20

/**
 * Minimum number of words, and of letters and digits, of an address that count as borrowed from the chat.
 * Both are low because an address says less than a sentence.
 */
const ADDRESS_RUN = 3
const ADDRESS_PART = 8

/** Why a call asks. `site`: the site that could be allowed from now on. `always`: even with full access. */
export type Doubt = { why: string; sends: Sends; site?: string; always?: true }

/** The doubt about a web call; undefined if it sends only found addresses and the user's own words. */
export function doubtOfWeb(web: WebIntent, known: WebKnown | undefined): Doubt | undefined {
  return web.kind === 'search' ? ofSearch(web.words, known) : ofRead(web, known)
}

function ofSearch(words: string, known: WebKnown | undefined): Doubt | undefined {
  const data = known ? dataInWords(words, known) : [words]
  if (data.length === 0) return undefined
  return {
    why: `It would send words to search engines that come from what this chat has read: ${quoted(data)}.`,
    sends: { text: words, data },
  }
}

function dataInWords(words: string, known: WebKnown): string[] {
  const { own, earlier } = known
  const here = [...findBorrowed(words, known), ...findEncoded(words, own), ...secretsIn(words, own)]
  if (here.length > 0) return here
  if (isDisguised(words, known)) return [words]
  if (earlier.length === 0) return []
  // Each piece was too short to count, but together they reveal the text they were cut from.
  const joined = findBorrowed([...earlier, words].join(' '), known)
  return joined.length > 0 ? joined : findInPieces(words, earlier, known)
}

function ofRead(
  { address, nearby }: Extract<WebIntent, { kind: 'read' }>,
  known: WebKnown | undefined,
): Doubt | undefined {
  const canonical = canonicalAddress(address)
  const site = siteOf(address)
  if (nearby !== undefined)
    return { why: `It asks each time, because ${nearby}.`, sends: { text: address, data: [] }, always: true }
  const isFound = canonical !== undefined && known?.found.has(canonical) === true
  if (isFound && known.readsLeft > 0) return undefined
  if (isFound)
    return {
      why: `It has read ${FREE_READS} pages in this turn without a question. Allowing this one lets it read ${FREE_READS} more.`,
      sends: { text: address, data: [] },
    }
  const data = known ? dataInAddress(address, known) : [address]
  return {
    why:
      data.length > 0
        ? `This address was put together from what this chat has read, which would be sent to ${site}: ${quoted(data)}.`
        : 'This address is not one that you wrote, or that a search or a page gave.',
    sends: { text: address, data },
    ...(canonical !== undefined && data.length === 0 && { site }),
  }
}

/** The parts of an address that come from texts of the chat. A site that the chat knows may be named. */
function dataInAddress(address: string, known: WebKnown): string[] {
  const url = URL.parse(address.trim())
  if (!url) return [address]
  const isKnownSite = known.found
    .values()
    .some(each => each.startsWith(`${url.host}/`, each.indexOf('//') + 2))
  const parts = [
    ...(isKnownSite ? [] : url.hostname.split('.').slice(0, -2)),
    ...url.pathname.split('/'),
    ...[...url.searchParams].flat(),
  ].filter(part => part !== '')
  const borrowed = parts.filter(
    part =>
      findBorrowed(part, known, ADDRESS_RUN).length > 0 ||
      findEncoded(part, known.own).length > 0 ||
      secretsIn(part, known.own).length > 0 ||
      isPartOf(part, known),
  )
  if (borrowed.length > 0) return borrowed
  const whole = parts.join(' ')
  const spread = findBorrowed(whole, known, ADDRESS_RUN)
  return spread.length === 0 && isDisguised(whole, known, ADDRESS_RUN) ? [whole] : spread
}

/** Whether a part of an address is a word with a digit that only others' texts have, not the user's. */
const isPartOf = (part: string, { others, own }: WebKnown): boolean => {
  const word = part.toLowerCase()
  const stands = (texts: readonly Prepared[]) => texts.some(({ letters }) => letters.includes(word))
  return word.length >= ADDRESS_PART && /\d/.test(word) && stands(others) && !stands(own)
}

const secretsIn = (text: string, own: readonly Prepared[]): string[] =>
  holdsSecret(text) && !own.some(({ letters }) => letters.includes(text.toLowerCase())) ? [text] : []

/** Maximum number of parts in a sentence, and characters of each. */
const MOST_NAMED = 3
const MOST_LETTERS = 80

const quoted = (data: readonly string[]): string => {
  const named = data
    .slice(0, MOST_NAMED)
    .map(each => `“${each.length > MOST_LETTERS ? `${each.slice(0, MOST_LETTERS).toWellFormed()}…` : each}”`)
  const more = data.length - named.length
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
