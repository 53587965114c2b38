import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileErrorCode, parseJson, reasonOf } from '../../lib/expected-errors.ts'
import { isChatGpt, readChatGpt } from './chatgpt.ts'
import { isClaude, readClaude } from './claude.ts'
import { readJsonObjects } from './read-json-objects.ts'
import { skipOf, type ImportPiece, type ReadConversation, type ImportSource } from './import-source.ts'
import { listZip, unzipEntry, ZipTrouble } from '../../lib/disk/zip.ts'

/** A file of an export, readable as a stream. */
type Part = { name: string; open(): AsyncIterable<Uint8Array> }

/** Exports of large accounts split the chats over several files. */
const CHATS = /^conversations(-\d+)?\.jsonl?$/i
/** Maximum size of a single chat in bytes; it is held in memory several times. */
const MAX_BYTES = 32_000_000
/** Maximum number of objects to check for a chat before a file is skipped. */
const MAX_PROBED = 20

const WAYS = [
  { kind: 'chatgpt', is: isChatGpt, read: readChatGpt },
  { kind: 'claude', is: isClaude, read: readClaude },
] as const
type Way = (typeof WAYS)[number]

/**
 * Detect an export of ChatGPT or Claude by its first chat; undefined if neither. Throws errors of the file
 * system or zip.
 */
async function sourceOf(parts: readonly Part[], now: () => number): Promise<ImportSource | undefined> {
  for (const part of parts) {
    let looked = 0
    for await (const value of valuesOf(part)) {
      const way = typeof value === 'string' ? undefined : WAYS.find(each => each.is(value))
      if (way) return { kind: way.kind, read: signal => read(parts, way, now, signal) }
      if (++looked >= MAX_PROBED) break
    }
  }
  return undefined
}

/** Return the export in a JSON file. */
export const sourceOfFile = (path: string, now: () => number): Promise<ImportSource | undefined> =>
  sourceOf([partOf(path)], now)

/** Return the export in an unpacked folder. */
export async function sourceOfFolder(path: string, now: () => number): Promise<ImportSource | undefined> {
  const names = (await readdir(path, { withFileTypes: true }))
    .filter(entry => entry.isFile() && CHATS.test(entry.name))
    .map(entry => entry.name)
  return sourceOf(
    names.toSorted().map(name => partOf(join(path, name))),
    now,
  )
}

/** Return the export in a zip. */
export async function sourceOfZip(path: string, now: () => number): Promise<ImportSource | undefined> {
  const entries = (await listZip(path)).filter(({ name }) => CHATS.test(basename(name)))
  const parts = entries.map(entry => ({ name: basename(entry.name), open: () => unzipEntry(path, entry) }))
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
): AsyncGenerator<ImportPiece> {
  for (const part of parts) {
    try {
      for await (const value of valuesOf(part)) {
        signal.throwIfAborted()
        const { chat, skips } =
          typeof value === 'string' ? { skips: [skipOf('chat', value)] } : readingOf(value)
        for (const each of skips) yield { skip: each }
        if (chat) yield { chat }
      }
    } catch (error) {
      if (signal.aborted) throw error
      yield { skip: skipOf(part.name, `it ${troubleOf(error)}`) }
    }
  }

  function readingOf(value: object): ReadConversation & { chat?: ReadConversation['chat'] } {
    if (!way.is(value)) return { skips: [skipOf('entry', 'it is not a chat')] }
    return way.read(value, `${way.kind}:${idOf(value)}`, now())
  }
}

/** Yield the objects of a file, in order; a string explains an unreadable one. */
async function* valuesOf(part: Part): AsyncGenerator<object | string> {
  for await (const found of readJsonObjects(part.open(), MAX_BYTES)) {
    if ('trouble' in found) {
      yield TROUBLES[found.trouble]
      continue
    }
    const value = parseJson(found.text) ?? parseJson(withoutNaN(found.text))
    if (typeof value !== 'object' || value === null) yield TROUBLES['no JSON']
    else if ('conversations' in value && Array.isArray(value.conversations)) {
      for (const each of value.conversations as unknown[])
        yield typeof each === 'object' && each !== null ? each : TROUBLES['no JSON']
    } else yield value
  }
}

/** Replace Python's NaN and Infinity, which JSON lacks, by null; texts stay. */
const withoutNaN = (text: string): string =>
  text.replaceAll(
    /("(?:[^"\\]|\\.)*")|-?\b(?:NaN|Infinity)\b/gs,
    (_whole, quoted?: string) => quoted ?? 'null',
  )

const TROUBLES = {
  'too long': `it is longer than ${MAX_BYTES / 1_000_000} MB`,
  'cut off': 'the file ends in the middle of it',
  'no JSON': 'it cannot be read',
}

/** Return the id from the export, or a hash of the content. */
function idOf(value: object): string {
  for (const name of ['conversation_id', 'id', 'uuid']) {
    const id = (value as Record<string, unknown>)[name]
    if (typeof id === 'string' && id !== '' && id.length <= 200) return id
  }
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}

/** Return what is wrong with a file, as a phrase that continues “it …”; rethrows unexpected errors. */
export function troubleOf(error: unknown): string {
  if (error instanceof ZipTrouble) return error.message
  return `cannot be read: ${reasonOf(fileErrorCode(error))}`
}
