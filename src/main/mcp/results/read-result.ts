import { basename } from 'node:path'
import { z } from 'zod'
import { redactSteps } from '../../untrusted/redact.ts'
import { letOthersRun, runInSlices } from '../../lib/timing.ts'
import { withoutHidden } from '../judge-tools.ts'
import { isRecord } from '../../lib/json-fields.ts'
import { endingIn, fileNameIn, MOST_READ, writeSaved, type ReadDocument } from './read-saved.ts'

/** A result for the model and the user. */
export type ReadResult = {
  isError: boolean
  text: string
  /** The data that the server sent, unchanged. */
  structured?: unknown
  /** Paths of the files made from pictures, sounds and resources. */
  files: string[]
}

/** Saves bytes as a file of the chat. Resolves to undefined if it could not be written. */
export type SaveFile = (bytes: Uint8Array, extension: string) => Promise<string | undefined>

/** How to handle files in a result. `read` extracts the text of documents. */
type Keeping = { save: SaveFile; read?: ReadDocument | undefined }

/** The files of one result. */
type Kept = Keeping & { files: string[]; toRead: number }

const MOST_PARTS = 200
/** Maximum length of one result in characters. Cleaning a million takes up to two seconds, in slices. */
const MOST_TEXT = 1_000_000
const SLICE = 100_000
const MOST_FILE_BYTES = 50_000_000

const part = z.looseObject({ type: z.string() })
const resource = z.looseObject({
  uri: z.string().default(''),
  mimeType: z.string().default(''),
  text: z.unknown().optional(),
  blob: z.string().optional(),
})

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/html': 'html',
  'text/csv': 'csv',
}

/**
 * Read what a server answered to a call. The result is always a text. Data that differ from the tool's
 * declaration are kept with a remark, because the tool has already acted.
 */
export async function readResult(
  given: unknown,
  keeping: Keeping,
  mismatchOf: (data: unknown) => string | undefined = () => undefined,
): Promise<ReadResult> {
  if (given === null || given === undefined)
    return { isError: true, text: 'The server answered something that is no result.', files: [] }
  const answered = isRecord(given) ? given : { content: given }
  if (answered['resultType'] === 'input_required')
    return {
      isError: true,
      text: 'The server asks for more input before it acts, which Talaria cannot give. It did not act.',
      files: [],
    }
  const { save } = keeping
  const files: string[] = []
  const kept: Kept = { ...keeping, files, toRead: MOST_READ }
  const parts = partsOf(answered)
  const texts: string[] = []
  for (const each of parts.slice(0, MOST_PARTS)) texts.push(await readPart(each, kept))
  if (parts.length > MOST_PARTS) texts.push(`[${parts.length - MOST_PARTS} more parts are left out]`)
  const structured = await bounded(answered['structuredContent'], save)
  const isError = /^true$/i.test(String(answered['isError']))
  const data = isError ? undefined : answered['structuredContent']
  const mismatch = data === undefined ? undefined : mismatchOf(data)
  const said = texts.filter(text => text !== '').join('\n')
  // Servers should repeat their data as text, but many do not.
  const shown = said === '' && structured !== undefined ? asText(structured) : said
  const text =
    mismatch === undefined ? shown : `${shown}\n[Its data are not what the tool says it returns. ${mismatch}]`
  return {
    isError,
    text: text === '' ? 'The server answered nothing.' : await cleaned(text, save),
    ...(structured !== undefined && { structured }),
    files,
  }
}

const asText = (data: unknown) => (typeof data === 'string' ? data : JSON.stringify(data, null, 1))

/** Fields that are not shown: protocol fields, and those that are read elsewhere. */
const NOT_SAID = new Set(['content', 'isError', 'structuredContent', '_meta', 'resultType'])

/** The parts of a result. Some servers write one part without a list, or use fields of their own. */
function partsOf(answered: Record<string, unknown>): unknown[] {
  const { content, structuredContent } = answered
  if (Array.isArray(content)) return content
  if (content !== undefined && content !== null) return [content]
  const others = Object.entries(answered).filter(([key, value]) => !NOT_SAID.has(key) && value !== null)
  if (structuredContent !== undefined || others.length === 0) return []
  return [others.length === 1 ? others[0]![1] : Object.fromEntries(others)]
}

/** The data of a part as text, or a remark if they cannot be written. */
async function dataText(data: unknown, save: SaveFile): Promise<string> {
  if (typeof data === 'string') return data
  const read = await bounded(data, save)
  return read === undefined || read === null ? '' : asText(read)
}

/** Return the data, or a remark if they are too large or nested too deeply to be written. */
async function bounded(data: unknown, save: SaveFile): Promise<unknown> {
  try {
    const text = data === undefined ? '' : JSON.stringify(data)
    return text.length > MOST_TEXT ? await whereWhole(text, 'json', save) : data
  } catch (error) {
    if (error instanceof RangeError) return 'The server sent data that is nested too deep to be read.'
    throw error
  }
}

async function whereWhole(text: string, extension: string, save: SaveFile): Promise<string> {
  const path = await save(Buffer.from(text), extension)
  const where =
    path === undefined ? 'the whole could not be saved: is the disk full?' : `the whole is in ${path}`
  return `[${text.length.toLocaleString('en')} characters; ${where}]`
}

/**
 * Remove hidden characters and secrets, in slices cut between words so that the host can do other work. A
 * text that is too long is also saved whole and unchanged in a file.
 */
async function cleaned(text: string, save: SaveFile): Promise<string> {
  const kept = text.slice(0, MOST_TEXT)
  const slices: string[] = []
  for (let from = 0, to = 0; from < kept.length; from = to) {
    const end = from + SLICE
    const gap = end < kept.length ? kept.lastIndexOf(' ', end) : kept.length
    const line = end < kept.length ? kept.lastIndexOf('\n', end) : kept.length
    to = Math.max(gap, line) > from ? Math.max(gap, line) : end
    const shown = withoutHidden(kept.slice(from, to))
    await letOthersRun()
    slices.push(await runInSlices(redactSteps(shown)))
  }
  if (text.length > kept.length) slices.push(`\n${await whereWhole(text, 'txt', save)}`)
  return slices.join('')
}

async function readPart(given: unknown, kept: Kept): Promise<string> {
  const { save } = kept
  const read = part.safeParse(given)
  if (!read.success) return (await dataText(untyped(given), save)) || '[a part that could not be read]'
  const { text, data, mimeType } = read.data
  const type = read.data.type.toLowerCase()
  if (type === 'text') return dataText(text, save)
  if (type === 'image' || type === 'audio')
    return saveData({ what: type }, data, typeof mimeType === 'string' ? mimeType : '', kept)
  if (type === 'resource_link') return linkText(read.data)
  if (type !== 'resource') return otherKind(type.slice(0, 40), read.data, save)
  const found = resource.safeParse(read.data['resource'])
  if (!found.success) return '[a resource that could not be read]'
  const { uri, text: content, blob, mimeType: kind } = found.data
  const what = `the resource ${uri.slice(0, 500)}`
  if (content !== undefined) return `[${what}]\n${await dataText(content, save)}`
  return saveData({ what, uri }, blob, kind, kept)
}

function linkText({ uri, problem }: Record<string, unknown>): string {
  const link = `a link to ${String(uri).slice(0, 500)}`
  return typeof problem === 'string' ? `[${link}, which was not read: ${problem.slice(0, 500)}]` : `[${link}]`
}

/** Read a part that does not name its kind; undefined if it is empty. */
function untyped(given: unknown): unknown {
  if (!isRecord(given)) return given
  const said = withoutMeta(given)
  return 'text' in said ? said['text'] : Object.keys(said).length > 0 ? said : undefined
}

async function otherKind(kind: string, given: Record<string, unknown>, save: SaveFile): Promise<string> {
  const { type: _type, ...said } = withoutMeta(given)
  if (Object.keys(said).length === 0) return `[a part of the kind ${kind}, which cannot be shown]`
  return `[a part of the kind ${kind}]\n${await dataText(said, save)}`
}

const withoutMeta = ({ _meta, annotations: _for, ...said }: Record<string, unknown>) => said

/** Save the data of a part as a file. If it is a document, its text is included as far as it can be read. */
async function saveData(
  { what, uri }: { what: string; uri?: string },
  data: unknown,
  mimeType: string,
  kept: Kept,
): Promise<string> {
  if (typeof data !== 'string' || data === '') return `[${what} without content]`
  if (data.length > (MOST_FILE_BYTES * 4) / 3)
    return `[${what}, larger than ${MOST_FILE_BYTES / 1_000_000} MB, was not kept]`
  const [, kind = mimeType, bare = data] = /^data:([^,;]*)[^,]*,(.*)$/s.exec(data) ?? []
  const bytes = Buffer.from(bare, 'base64')
  const extension =
    EXTENSIONS[kind.toLowerCase().replace(/(?<!\s)\s*;.*$/s, '')] ?? endingIn(uri ?? '') ?? 'bin'
  const path = await kept.save(bytes, extension)
  if (path === undefined) return `[${what} could not be saved: is the disk full?]`
  kept.files.push(path)
  const saved = `[${what} saved as ${path}]`
  if (uri === undefined || !kept.read || kept.toRead-- <= 0) return saved
  const name = endingIn(uri) === undefined ? basename(path) : fileNameIn(uri)
  return writeSaved(what, path, await kept.read(path, name)) ?? saved
}
