import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { reasonOf } from '../lib/reason-of.ts'
import { parseJson } from '../lib/parse-json.ts'
import { isChatGpt, readChatGpt } from './chatgpt.ts'
import { isClaude, readClaude } from './claude.ts'
import { skip, type Piece, type Reading, type Source } from './foreign.ts'
import { jsonObjects } from './json-objects.ts'
import { listZip, unzipped, ZipTrouble } from '../lib/zip.ts'

/** A file of an export, read piece by piece. */
type Part = { name: string; open(): AsyncIterable<Uint8Array> }

/** Big accounts get their chats in several files. */
const CHATS = /^conversations(-\d+)?\.jsonl?$/i
/** The longest single chat that is read, in bytes; it must fit into memory several times over. */
const MOST_BYTES = 32_000_000
/** So many things that are no chat may come first. */
const LOOKED_AT = 20

const WAYS = [
  { kind: 'chatgpt', is: isChatGpt, read: readChatGpt },
  { kind: 'claude', is: isClaude, read: readClaude },
] as const
type Way = (typeof WAYS)[number]

/**
 * Find out whether files are an export of ChatGPT or Claude, by their first chat; undefined when they are neither.
 * Throws what the file system or the zip says.
 */
async function sourceOf(parts: readonly Part[], now: () => number): Promise<Source | undefined> {
  for (const part of parts) {
    let looked = 0
    for await (const value of valuesOf(part)) {
      const way = typeof value === 'string' ? undefined : WAYS.find(each => each.is(value))
      if (way) return { kind: way.kind, read: signal => read(parts, way, now, signal) }
      if (++looked >= LOOKED_AT) break
    }
  }
  return undefined
}

/** The export that a file of JSON is. */
export const sourceOfFile = (path: string, now: () => number): Promise<Source | undefined> =>
  sourceOf([partOf(path)], now)

/** The export that a folder holds, which somebody unpacked. */
export async function sourceOfFolder(path: string, now: () => number): Promise<Source | undefined> {
  const names = (await readdir(path, { withFileTypes: true }))
    .filter(entry => entry.isFile() && CHATS.test(entry.name))
    .map(entry => entry.name)
  return sourceOf(
    names.toSorted().map(name => partOf(join(path, name))),
    now,
  )
}

/** The export that a zip holds. */
export async function sourceOfZip(path: string, now: () => number): Promise<Source | undefined> {
  const entries = (await listZip(path)).filter(({ name }) => CHATS.test(basename(name)))
  const parts = entries.map(entry => ({ name: basename(entry.name), open: () => unzipped(path, entry) }))
  return sourceOf(
    parts.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    now,
  )
}

const partOf = (path: string): Part => ({ name: basename(path), open: () => createReadStream(path) })

async function* read(
  parts: readonly Part[],
  way: Way,
  now: () => number,
  signal: AbortSignal,
): AsyncGenerator<Piece> {
  for (const part of parts) {
    try {
      for await (const value of valuesOf(part)) {
        signal.throwIfAborted()
        const { chat, skips } =
          typeof value === 'string' ? { skips: [skip('chat', value)] } : readingOf(value)
        for (const each of skips) yield { skip: each }
        if (chat) yield { chat }
      }
    } catch (error) {
      if (signal.aborted) throw error
      yield { skip: skip(part.name, `it ${troubleOf(error)}`) }
    }
  }

  function readingOf(value: object): Reading & { chat?: Reading['chat'] } {
    if (!way.is(value)) return { skips: [skip('entry', 'it is no chat')] }
    return way.read(value, `${way.kind}:${idOf(value)}`, now())
  }
}

/** What is in a file, one after the other; a sentence where something is wrong. */
async function* valuesOf(part: Part): AsyncGenerator<object | string> {
  for await (const found of jsonObjects(part.open(), MOST_BYTES)) {
    if ('trouble' in found) {
      yield TROUBLES[found.trouble]
      continue
    }
    const value = parseJson(found.text)
    if (typeof value !== 'object' || value === null) yield TROUBLES['no JSON']
    else if ('conversations' in value && Array.isArray(value.conversations)) {
      for (const each of value.conversations as unknown[])
        yield typeof each === 'object' && each !== null ? each : TROUBLES['no JSON']
    } else yield value
  }
}

const TROUBLES = {
  'too long': `it is longer than ${MOST_BYTES / 1_000_000} MB`,
  'cut off': 'the file ends in the middle of it',
  'no JSON': 'it cannot be read',
}

/** The id that the other program gave, or one made of what is in it. */
function idOf(value: object): string {
  for (const name of ['conversation_id', 'id', 'uuid']) {
    const id = (value as Record<string, unknown>)[name]
    if (typeof id === 'string' && id !== '' && id.length <= 200) return id
  }
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}

/** What is wrong with a file, in words that go on “it …”; anything unexpected is thrown on. */
export function troubleOf(error: unknown): string {
  if (error instanceof ZipTrouble) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === undefined || !(error instanceof Error && 'syscall' in error)) throw error
  return `cannot be read: ${reasonOf(code)}`
}
