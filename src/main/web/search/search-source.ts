import { isRecord } from '../../lib/json-fields.ts'
import type { Fetched } from '../web-parts.ts'

/** One request to a source. */
type SourceRequest = {
  address: string
  headers?: Readonly<Record<string, string>>
  body?: string
  /** The host of a source that the person set up on this computer or in a network of their own. */
  mayPrivate?: readonly string[]
}

/** A result as a source wrote it; nothing of it is known to be what it should be. */
export type RawHit = { title: unknown; address: unknown; snippet?: unknown; date?: unknown }

/** Why a source gave no results, in a sentence. `pauses`: it limited us, so it is left alone for a while. */
export type SourceTrouble = { why: string; pauses?: true }

/** What a source needs to know beside the words of a search. `key` is its key, or the address of the person's own server. */
type SourceGiven = { key: string; language: string }

/** A source of searches: how it is asked, and how its answer is read. It knows no network. */
export type SearchSource = {
  name: string
  title: string
  /** What it is, for a person, in a sentence or two. */
  says: string
  /** The name of its key or address in `.env`; absent for one that asks for none. */
  key?: string
  /** The key is an address of the person's own. */
  isOwnServer?: true
  ask(words: string, given: SourceGiven): SourceRequest
  /** `status` is below 300. */
  read(
    text: string,
    asked: SourceRequest,
  ): readonly RawHit[] | SourceTrouble | Promise<readonly RawHit[] | SourceTrouble>
  /** What is known of answers with these statuses, before what holds for all. */
  explain?(status: number, text: string): SourceTrouble | undefined
}

/** An address with what is asked of it. */
export const withQuery = (address: string, asked: Readonly<Record<string, string>>): string =>
  `${address}?${new URLSearchParams(asked).toString()}`

/** How many results a source is asked for. */
export const MOST_ASKED = 10

/** Whether a source named a trouble in place of results. */
export const isTrouble = (read: readonly RawHit[] | SourceTrouble): read is SourceTrouble => 'why' in read

/** Statuses by which servers say that they are asked too often, or take the asker for a robot. */
const LIMITED = new Set([202, 403, 418, 429, 503])
/** Those by which the ones with keys say that nothing is left of what was paid for. */
const SPENT = new Set([402, 432, 433])

/** What is wrong with an answer, by its status; undefined when it can be read. */
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

/** The members of an answer in JSON under a path of names; undefined where it has another form. */
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

/** What is said of an answer that has another form than that of results. */
export const oddAnswer = (title: string): SourceTrouble => ({
  why: `The answer of ${title} is not one that Talaria can read.`,
})
