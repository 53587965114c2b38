import { createReadStream, fstatSync, statSync, type Stats } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { absolutePath } from '../command-line.ts'
import { escapeInvisible } from '../output/terminal-text.ts'

/** The bytes of a file of JSON lines, with its name and its status. */
export type LineSource = { name: string; stats: Stats; bytes: AsyncIterable<Buffer> }

/**
 * Open a file of lines, or standard input for none or `-`. Gzip files are unpacked, because Hermes Agent
 * writes them. Throws a `bad_input` Fault, immediately or while reading, if the file cannot be read or is of
 * another kind.
 */
export function openSource(file: string | undefined, signal: AbortSignal): LineSource {
  const isInput = file === undefined || file === '-'
  if (isInput && process.stdin.isTTY)
    throw new Fault('bad_input', 'Name a file, or pass its lines on standard input.')
  const path = isInput ? undefined : absolutePath(file)
  const name = path === undefined ? 'Standard input' : escapeInvisible(path)
  try {
    const stats = path === undefined ? fstatSync(0) : statSync(path)
    const bytes: AsyncIterable<Buffer> = path === undefined ? process.stdin : bytesOf(path, signal)
    return { name, stats, bytes: readable(unpacked(bytes, name, signal), name) }
  } catch (error) {
    throw sayUnreadable(name, error)
  }
}

/** The bytes of a file, which is opened at the first read. */
async function* bytesOf(path: string, signal: AbortSignal): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of createReadStream(path, { signal })) yield chunk as Buffer
}

/** The Fault for a file that cannot be read. Rethrows an error that is not from the system. */
function sayUnreadable(name: string, error: unknown): Fault {
  const code = fileErrorCode(error)
  const why = code === 'ENOENT' ? 'it does not exist' : reasonOf(code)
  return new Fault('bad_input', `${name} cannot be read: ${why}.`)
}

/** Pass bytes on. An error of the system or of gzip becomes a Fault with the name of the file. */
async function* readable(bytes: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer, void, void> {
  const iterator = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        if (error instanceof Fault || (error instanceof Error && error.name === 'AbortError')) throw error
        const { code = '' } = error as NodeJS.ErrnoException
        if (code.startsWith('Z_'))
          throw new Fault('bad_input', `${name} cannot be unpacked: its gzip data is damaged.`)
        throw sayUnreadable(name, error)
      })
      if (next.done) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Unpack gzip. A file that is not text is refused by its first bytes. */
async function* unpacked(
  bytes: AsyncIterable<Buffer>,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const iterator = bytes[Symbol.asyncIterator]()
  const begin = await iterator.next()
  if (begin.done) return
  async function* whole() {
    yield begin.value!
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  if (begin.value[0] === 0x1f && begin.value[1] === 0x8b) {
    const unpacking = createGunzip()
    // Its errors surface in the stream that is read.
    pipeline(whole, unpacking, { signal }).catch(() => undefined)
    for await (const chunk of unpacking) yield chunk as Buffer
    return
  }
  const other = otherKind(begin.value)
  if (other !== undefined) throw new Fault('bad_input', `${name} ${other}`)
  yield* whole()
}

/** Describe a file that has no JSON lines, judged by its first bytes; undefined for any other file. */
function otherKind(first: Buffer): string | undefined {
  const mark = first.subarray(0, 2).toString('latin1')
  if (mark === '\xff\xfe' || mark === '\xfe\xff') return 'is UTF-16 text. Save it as UTF-8.'
  if (/^(?:\xef\xbb\xbf)?\s*\[/.test(first.subarray(0, 1_024).toString('latin1')))
    return 'is one JSON list. Put each object on a line of its own, such as with jq -c ".[]".'
  return undefined
}
