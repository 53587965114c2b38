import { open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { BadLine } from '../../shared/contract/runs/batch.ts'
import { Fault } from '../../shared/rpc.ts'
import { formatBytes } from '../../shared/text/amounts.ts'
import { fileErrorCode, reasonOf, type Refusal } from '../lib/expected-errors.ts'
import { letOthersRun } from '../lib/timing.ts'
import { isPictureFile } from '../pictures/picture-file.ts'
import { MOST_FILE_BYTES } from '../pictures/prepare-picture.ts'
import { isInShard, MAX_LINE, readRow, rowKey, type Row } from './row.ts'

/** Position of a row in its file, in bytes, and fields for the plan. The rest is read when it runs. */
export type RowAt = {
  key: string
  /** 1-based. */
  line: number
  offset: number
  length: number
  model: string | undefined
  hasImage: boolean
  promptLength: number
}

/**
 * The valid rows of a file, in order, and the bad lines. `checks`: the distinct checks of the whole file, in
 * order, so that every part of it has the same.
 */
export type RowIndex = { rows: RowAt[]; bad: BadLine[]; badCount: number; checks: string[] }

const MAX_ROWS = 1_000_000
const MAX_BAD = 20
/** Maximum total length of the distinct checks, in characters, because the user has to read them. */
const MAX_CHECKS = 2_000_000
const NEWLINE = 10
const CHUNK = 256 * 1_024

/**
 * Read the lines of a file, and find the rows of one part. Bad lines are reported, the others still count.
 * Equal rows are numbered over the whole file, so that each part names them alike. Throws `bad_input` if the
 * file is unreadable.
 */
export async function indexRows(
  file: string,
  shard: { index: number; count: number } | undefined,
): Promise<RowIndex> {
  const handle = await openFile(file)
  const index: RowIndex = { rows: [], bad: [], badCount: 0, checks: [] }
  const ordinals = new Map<string, number>()
  const around = await realpath(dirname(file))
  const named = new Map<string, Promise<string | undefined>>()
  /** The reason why a file or folder named by a row cannot be used. Each name is checked once. */
  function whyUnusable(field: Beside, name: string): Promise<string | undefined> {
    const known = named.get(`${field} ${name}`) ?? whyNotBeside(around, field, name)
    named.set(`${field} ${name}`, known)
    return known
  }
  const checks = new Set<string>()
  let checkLength = 0
  const isBad = (line: number, why: string) => {
    index.badCount++
    if (index.bad.length < MAX_BAD) index.bad.push({ line, why })
  }
  try {
    for await (const { line, offset, bytes } of linesOf(handle)) {
      if (bytes === undefined) {
        isBad(line, `it is longer than ${MAX_LINE.toLocaleString('en')} bytes`)
        continue
      }
      const text = textOf(bytes)
      if (text === undefined) {
        isBad(line, 'it is not UTF-8 text')
        continue
      }
      if (text.trim() === '') continue
      const read = readRow(text)
      if ('why' in read) {
        isBad(line, read.why)
        continue
      }
      const { row, hash } = read
      if (row.check !== undefined && !checks.has(row.check)) {
        checks.add(row.check)
        checkLength += row.check.length
        if (checkLength > MAX_CHECKS)
          throw new Fault(
            'bad_input',
            `${file} has more checks than anybody can read. Use fewer different ones.`,
          )
      }
      const ordinal = (ordinals.get(hash) ?? 0) + 1
      ordinals.set(hash, ordinal)
      const key = rowKey(hash, ordinal)
      if (!isInShard(key, shard)) continue
      const why =
        (row.cwd === undefined ? undefined : await whyUnusable('cwd', row.cwd)) ??
        (row.image === undefined ? undefined : await whyUnusable('image', row.image))
      if (why !== undefined) {
        isBad(line, why)
        continue
      }
      if (index.rows.length === MAX_ROWS)
        throw new Fault('bad_input', `${file} has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it.`)
      index.rows.push({
        key,
        line,
        offset,
        length: bytes.length,
        model: row.model,
        hasImage: row.image !== undefined,
        promptLength: row.prompt.length,
      })
    }
    return { ...index, checks: [...checks].toSorted() }
  } finally {
    await handle.close()
  }
}

/** An indexed file whose rows are read one at a time. */
export type RowFile = {
  read(at: RowAt): Promise<Row>
  folderOf(row: Row): string | undefined
  /** The picture of a row, or why it can no longer be used. */
  imageOf(row: Row): Promise<string | Refusal | undefined>
  close(): Promise<void>
}

/** Open an indexed file. `read` throws `conflict` if the file has changed since. */
export async function openRows(file: string): Promise<RowFile> {
  const handle = await openFile(file)
  const around = await realpath(dirname(file))
  return {
    async read({ key, offset, length }) {
      const bytes = Buffer.alloc(length)
      await handle.read(bytes, 0, length, offset)
      const read = readRow(textOf(bytes) ?? '')
      if ('why' in read || !key.startsWith(`${read.hash}-`))
        throw new Fault('conflict', `${file} was changed while the batch ran. Start it again.`)
      return read.row
    },
    folderOf: row => (row.cwd === undefined ? undefined : resolve(around, row.cwd)),
    async imageOf({ image }) {
      if (image === undefined) return undefined
      const why = await whyNotBeside(around, 'image', image)
      return why === undefined
        ? await realpath(resolve(around, image))
        : { refused: `The row has changed: ${why}.` }
    },
    close: () => handle.close(),
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    if ((await stat(file)).isFile()) return await open(file, 'r')
  } catch (error) {
    const code = fileErrorCode(error)
    throw new Fault(
      'bad_input',
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${reasonOf(code)}.`,
    )
  }
  throw new Fault('bad_input', `${file} is not a file.`)
}

type Beside = 'cwd' | 'image'

/**
 * The reason why a file or folder named by a row cannot be used, as the end of a sentence. Rows are often
 * written by others, and a model sees what they name, so they may name only files beside their own file.
 */
async function whyNotBeside(around: string, field: Beside, name: string): Promise<string | undefined> {
  const named = `its “${field}” ${name}`
  try {
    const real = await realpath(resolve(around, name))
    const stats = await stat(real)
    const wanted = field === 'cwd' ? stats.isDirectory() : stats.isFile()
    if (!wanted) return `${named} is not a ${field === 'cwd' ? 'folder' : 'file'}`
    const way = relative(around, real)
    if (way === '' || way.startsWith('..') || isAbsolute(way))
      return `${named} is not ${field === 'cwd' ? 'in a folder ' : ''}beside the file`
    if (field === 'cwd') return undefined
    if (stats.size > MOST_FILE_BYTES) return `${named} is larger than ${formatBytes(MOST_FILE_BYTES)}`
    return (await isPictureFile(real)) ? undefined : `${named} is not a picture that can be read`
  } catch (error) {
    fileErrorCode(error)
    return `${named} cannot be found`
  }
}

type Line = { line: number; offset: number; bytes: Buffer | undefined }

/** The lines of a file with their positions. A line that is too long has no bytes. */
async function* linesOf(handle: FileHandle): AsyncGenerator<Line, void, void> {
  const chunk = Buffer.alloc(CHUNK)
  let parts: Buffer[] = []
  let size = 0
  let line = 1
  let begin = 0
  const take = (): Line => {
    const bytes = size > MAX_LINE ? undefined : Buffer.concat(parts)
    const found = { line, offset: begin, bytes }
    begin += size + 1
    line++
    parts = []
    size = 0
    return found
  }
  for (let at = 0; ;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, at)
    if (bytesRead === 0) break
    at += bytesRead
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < bytesRead; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end))
      yield take()
      from = end + 1
    }
    add(chunk.subarray(from, bytesRead))
    await letOthersRun()
  }
  if (size > 0) yield take()

  /** Add bytes to the current line. A line that is too long is counted but not kept. */
  function add(bytes: Buffer): void {
    size += bytes.length
    if (size <= MAX_LINE) parts.push(Buffer.from(bytes))
    else parts = []
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decode UTF-8 without the byte order mark that some editors add; undefined if the bytes are not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
