import { byCount } from '../../shared/text/amounts.ts'
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'
import { encodingName } from '../lib/encodings/decode-text.ts'
import { DocumentTrouble, MOST_CHARACTERS, type Content, type Reading, type ReadRefusal } from './document.ts'
import { findKind } from './find-kind.ts'
import { KINDS } from './document-kinds.ts'
import { openMembers } from './zip-members.ts'

/** The document to read, and the deadline in epoch ms. */
export type ReadJob = { path: string; name: string; password?: string; until: number }

/** Maximum size of a document, and how much of a larger text is read, in bytes. */
const MOST_BYTES = 100_000_000
const MOST_TEXT = 32_000_000
/** How many bytes to read to find the kind of a file that is too large. */
const HEAD_BYTES = 65_536

/** Read one document in this process or thread, which others can end. A refusal follows “report.pdf …”. */
export async function readSource({ path, name, password, until }: ReadJob): Promise<Reading | ReadRefusal> {
  try {
    const { bytes, size } = readBytes(path)
    const ending = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
    const isZip = bytes.subarray(0, 4).equals(ZIP) || bytes.subarray(0, 4).equals(EMPTY_ZIP)
    const zip = isZip ? await openMembers(path) : undefined
    const found = findKind(bytes, ending, zip)
    const { kind, named, text } = found
    if (kind === 'picture' || kind === 'other')
      return { kind, pages: [], problems: [`It is ${named}.`, ...wrongEnding(kind, ending)] }
    const isWhole = bytes.length === size
    if (!isWhole && !text) return { refused: `is too big to be read (${Math.round(size / 1e6)} MB)` }
    const read = await KINDS[kind].load()
    const content = await read({
      ending,
      size,
      bytes,
      ...(text && { text }),
      ...(zip && { zip }),
      ...(password !== undefined && { password }),
      hasBeside: added => (statSync(path + added, { throwIfNoEntry: false })?.size ?? 0) > 0,
      isLate: () => Date.now() > until,
    })
    const encoding = content.encoding ?? (text && encodingName(text.encoding))
    const problems = [
      ...wrongEnding(content.kind ?? kind, ending),
      ...(isWhole ? [] : [`Only its first ${MOST_TEXT / 1e6} MB of ${Math.round(size / 1e6)} MB were read.`]),
      ...(text?.isUnsure && content.encoding === undefined
        ? [`Its encoding is not sure: it was read as ${encoding}, so signs may be wrong.`]
        : []),
      ...content.problems,
    ]
    return bounded({ ...content, problems }, content.kind ?? kind, encoding)
  } catch (error) {
    if (error instanceof DocumentTrouble)
      return { refused: error.message, ...(error.needs && { needs: error.needs }) }
    if (error instanceof Error && 'code' in error && 'syscall' in error) {
      const code = fileErrorCode(error)
      return { refused: OPENING[code] ?? `cannot be read: ${reasonOf(code)}` }
    }
    // A stranger's file may break a reader in any way.
    return {
      refused: `cannot be read: it is damaged, or made in a way that is not known here (${short(error)})`,
    }
  }
}

const OPENING: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ELOOP: 'cannot be read: its links lead in a circle',
}
const ZIP = Buffer.from('PK\u0003\u0004')
const EMPTY_ZIP = Buffer.from('PK\u0005\u0006')

const short = (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  return message.replaceAll(/\s+/g, ' ').slice(0, 120)
}

/** The bytes of a file, or its first bytes if it is too large. Refuses devices and pipes: they may block. */
function readBytes(path: string): { bytes: Buffer; size: number } {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory()) throw new DocumentTrouble('is a folder')
    if (!stats.isFile()) throw new DocumentTrouble('is no file, but a device or a pipe')
    const { size } = stats
    const head = readUpTo(file, Math.min(size, HEAD_BYTES))
    const isText = !/^(?:%PDF|PK|SQLite|ÐÏ|\{\\rtf)/.test(head.subarray(0, 8).toString('latin1'))
    const most = isText ? MOST_TEXT : MOST_BYTES
    return { bytes: size <= HEAD_BYTES ? head : readUpTo(file, Math.min(size, most)), size }
  } finally {
    closeSync(file)
  }
}

function readUpTo(file: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let at = 0
  while (at < length) {
    const read = readSync(file, bytes, at, length - at, at)
    if (read === 0) break
    at += read
  }
  return bytes.subarray(0, at)
}

/** A problem to report if the content is not what the extension promises. */
function wrongEnding(kind: Reading['kind'], ending: string): string[] {
  const promised = Object.entries(KINDS).find(([, each]) => each.endings.includes(ending))
  const isRight = promised === undefined || promised[0] === kind
  if (isRight || kind === 'text' || kind === 'other') return []
  const title = kind === 'picture' ? 'a picture' : KINDS[kind].title
  return KINDS_OF_TEXT.has(kind) && KINDS[kind as 'html'].endings.includes(ending)
    ? []
    : [`Its name ends in .${ending}, but it is ${title}.`]
}
const KINDS_OF_TEXT = new Set<Reading['kind']>(['rtf', 'eml', 'html'])

function bounded(content: Content, kind: Reading['kind'], encoding: string | undefined): Reading {
  let room = MOST_CHARACTERS
  const pages: Reading['pages'] = []
  const problems = [...content.problems]
  for (const [index, text] of content.pages.entries()) {
    if (text.length > room) {
      problems.push(
        byCount(
          content.pages.length,
          `It has too much text: only its first ${MOST_CHARACTERS / 1e6} million characters are read.`,
          `It has too much text: the rest of page ${index + 1} of ${content.pages.length} and what follows are left out.`,
        ),
      )
      pages.push({ n: index + 1, text: text.slice(0, room).replace(/[\ud800-\udbff]$/, '') })
      break
    }
    room -= text.length
    pages.push({ n: index + 1, text })
  }
  if (problems.length === 0 && pages.every(({ text }) => text.trim() === '')) problems.push('It has no text.')
  return { kind, ...(encoding !== undefined && { encoding }), pages, problems }
}
