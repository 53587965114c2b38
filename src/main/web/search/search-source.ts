import { isRecord } from '../../lib/json-fields.ts'
import type { Fetched } from '../web-parts.ts'

/** One request to a source. */
type SourceRequest = {
  address: string
  headers?: Readonly<Record<string, string>>
  body?: string
  /** The host of a source that the user set up on this computer or in a private network. */
  mayPrivate?: readonly string[]
}

/** A result as the source wrote it, unchecked. */
export type RawHit = { title: unknown; address: unknown; snippet?: unknown; date?: unknown }

/** Why a source gave no results, in a sentence. `pauses`: it limited the rate, so leave it alone for now. */
export type SourceTrouble = { why: string; pauses?: true }

/** The input of a source besides the words. `key` is its key, or the address of the user's own server. */
type SourceGiven = { key: string; language: string }

/** A search source: how to ask it, and how to read its answer. It does not access the network itself. */
export type SearchSource = {
  name: string
  title: string
  /** Describes the source for the user in a sentence or two. */
  says: string
  /** The name of its key or address in `.env`; absent if it needs none. */
  key?: string
  /** Whether the key is the address of the user's own server. */
  isOwnServer?: true
  ask(words: string, given: SourceGiven): SourceRequest
  /** Read an answer whose `status` is below 300. */
  read(
    text: string,
    asked: SourceRequest,
  ): readonly RawHit[] | SourceTrouble | Promise<readonly RawHit[] | SourceTrouble>
  /** Explain statuses of this source, before the general rules apply. */
  explain?(status: number, text: string): SourceTrouble | undefined
}

/** Add query parameters to an address. */
export const withQuery = (address: string, asked: Readonly<Record<string, string>>): string =>
  `${address}?${new URLSearchParams(asked).toString()}`

/** How many results to request from a source. */
export const MOST_ASKED = 10

/** Whether a source returned a problem in place of results. */
export const isTrouble = (read: readonly RawHit[] | SourceTrouble): read is SourceTrouble => 'why' in read

/** Statuses for too many requests, or for requests that look like a robot's. */
const LIMITED = new Set([202, 403, 418, 429, 503])
/** Statuses of sources with keys for a used-up budget. */
const SPENT = new Set([402, 432, 433])

/** Explain what is wrong with an answer by its status; undefined if it can be read. */
export function troubleByStatus(
  { title, key, isOwnServer, explain }: SearchSource,
  { status, cut }: Pick<Fetched, 'status' | 'cut'>,
  text: string,
): SourceTrouble | undefined {
  const known = explain?.(status, text)
  if (known) return known
  const hasKey = key !== undefined && isOwnServer !== true
  if (hasKey && (status === 401 || status === 403)) return { why: `${title} does not accept the key ${key}.` }
  if (SPENT.has(status))
    return { why: `${title} says that the searches of this key are used up.`, pauses: true }
  if (LIMITED.has(status)) return { why: `${title} limits searches right now.`, pauses: true }
  if (status >= 300) return { why: `${title} answered with an error (${status}).` }
  return cut ? { why: `The answer of ${title} is too long to be results.` } : undefined
}

/** The list at a path of names in a JSON answer; undefined if the answer has another form. */
export function listAt(
  text: string,
  ...path: readonly string[]
): readonly Record<string, unknown>[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const name of path) value = isRecord(value) ? value[name] : undefined
  return Array.isArray(value) ? value.filter(isRecord) : undefined
}

/** The problem of an answer that does not have the form of results. */
export const oddAnswer = (title: string): SourceTrouble => ({
  why: `The answer of ${title} is not one that Talaria can read.`,
})
