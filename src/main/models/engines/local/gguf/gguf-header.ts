import { open, type FileHandle } from 'node:fs/promises'
import { openCursor } from './byte-cursor.ts'
import type { ByteCursor } from './byte-cursor.ts'
import { weightTypes } from './weight-types.ts'
import { signOf, type WeightSign } from '../../../judge-file.ts'

/** The small values of a header, and figures computed from its tensor table. */
export type GgufHeader = {
  values: ReadonlyMap<string, string | number | boolean>
  /** Sums of lists with one number per layer. */
  sums: ReadonlyMap<string, number>
  vocabularySize: number
  /** Whole lines of text that are a single token, as in small vocabularies; otherwise empty. */
  lines: ReadonlySet<string>
  /** Number of merge rules of a byte-pair vocabulary. */
  mergeCount: number
  parameters: number
  /** Number of entries in the tensor table. */
  tensors: number
  /** Bytes of weights that a processor keeps in a rearranged copy, and no longer reads from the file. */
  repackedBytes: number
  /** Bytes of the weights of each type, by type number. */
  bytesByType: ReadonlyMap<number, number>
  /** The offset of the first weight. */
  dataAt: number
  /** The end offset of the last weight. A shorter file is truncated. */
  endsAt: number
  /** Signs of the kind of file, found in the names of the weights. */
  signs: ReadonlySet<WeightSign>
}

/** The reason a header could not be read. */
export type HeaderProblem = { problem: 'magic' | 'version' | 'cut' | 'damaged'; detail: string }

const limits = { entries: 65_536, key: 65_535, text: 4 << 20, tensors: 1 << 20, dims: 8, depth: 4 }

/** Size in bytes of each value type; strings (8) and arrays (9) have no fixed size. */
const fixedSize = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]
const stringType = 8
const arrayType = 9

/** Weight types that are rearranged for a processor; Q8_0, Q5_K and Q6_K only on ARM. */
const repacked = new Set([2, 10, 12, 20, ...(process.arch === 'arm64' ? [8, 13, 14] : [])])

/**
 * Read a GGUF header of version 2 or 3. Lists are skipped and not stored, so memory stays small even if the
 * file claims long ones. The work is bounded by the length of the file.
 */
export async function readHeader(
  file: FileHandle,
  size: number,
  options: { checkVocabulary?: boolean } = {},
): Promise<GgufHeader | HeaderProblem> {
  const cursor = openCursor(file, size)
  try {
    return await parse(cursor, options)
  } catch (error) {
    if (error instanceof Stop) return { problem: error.problem, detail: error.message }
    if (error instanceof RangeError) return { problem: 'cut', detail: error.message }
    throw error
  }
}

/**
 * Return the length that a file must have, from the header of a partial download. `cut`: the header is not
 * complete yet. `exact` is false if weights of an unknown type may end later.
 */
export async function readExtent(
  path: string,
): Promise<{ dataAt: number; endsAt: number; exact: boolean } | HeaderProblem['problem']> {
  await using file = await open(path)
  const header = await readHeader(file, Number.MAX_SAFE_INTEGER)
  if ('problem' in header) return header.problem
  const { dataAt, endsAt, bytesByType } = header
  return { dataAt, endsAt, exact: ![...bytesByType.values()].includes(0) }
}

class Stop extends Error {
  readonly problem: HeaderProblem['problem']
  constructor(problem: HeaderProblem['problem'], message: string) {
    super(message)
    this.problem = problem
  }
}

async function parse(cursor: ByteCursor, options: { checkVocabulary?: boolean }): Promise<GgufHeader> {
  if (cursor.size < 4 || (await cursor.text(4)) !== 'GGUF') throw new Stop('magic', '')
  const version = await cursor.u32()
  if (version === 0x02000000 || version === 0x03000000) throw new Stop('version', 'for big-endian machines')
  if (version !== 2 && version !== 3) throw new Stop('version', `of version ${version}`)
  const tensorCount = await cursor.u64()
  const entryCount = await cursor.u64()
  if (entryCount > limits.entries || tensorCount > limits.tensors) throw damaged('its header makes no sense')

  const values = new Map<string, string | number | boolean>()
  const sums = new Map<string, number>()
  const lines = new Set<string>()
  let vocabularySize = 0
  let mergeCount = 0
  for (let left = entryCount; left > 0; left--) {
    const key = await readText(cursor, limits.key)
    const type = await cursor.u32()
    if (type === arrayType) {
      const isVocabulary = key === 'tokenizer.ggml.tokens'
      const onToken = isVocabulary ? whatToDoWith(lines, options) : undefined
      const list = await readList(cursor, onToken, 0)
      if (isVocabulary) vocabularySize = list.count
      if (key === 'tokenizer.ggml.merges') mergeCount = list.count
      // Models whose layers differ have one number per layer. The largest is the safe choice.
      if (list.largest !== undefined && isOfLayers(key)) {
        values.set(key, list.largest)
        sums.set(key, list.sum)
      }
    } else values.set(key, await readValue(cursor, type))
  }
  const alignment = Number(values.get('general.alignment') ?? 32)
  if (!(alignment >= 1 && alignment <= 1 << 20)) throw damaged('its alignment makes no sense')
  const tensors = await readTensors(cursor, tensorCount, alignment)
  return { values, sums, vocabularySize, lines, mergeCount, tensors: tensorCount, ...tensors }
}

const isOfLayers = (key: string) => key.includes('.attention.') || key.endsWith('.feed_forward_length')

async function readTensors(cursor: ByteCursor, count: number, alignment: number) {
  let parameters = 0
  let furthest = 0
  let repackedBytes = 0
  const bytesByType = new Map<number, number>()
  const signs = new Set<WeightSign>()
  for (let left = count; left > 0; left--) {
    const name = await readText(cursor, limits.key)
    const dims = await cursor.u32()
    if (dims > limits.dims) throw damaged('a weight has too many dimensions')
    const sign = signOf(name)
    if (sign) signs.add(sign)
    let elements = 1
    for (let dim = 0; dim < dims; dim++) elements *= await cursor.u64()
    const type = await cursor.u32()
    const kind = weightTypes[type]
    const bytes = kind ? Math.ceil(elements / kind.per) * kind.bytes : 0
    const offset = await cursor.u64()
    parameters += elements
    bytesByType.set(type, (bytesByType.get(type) ?? 0) + bytes)
    furthest = Math.max(furthest, offset + bytes)
    // Embeddings are looked up, not multiplied, so they are not rearranged.
    if (dims > 1 && repacked.has(type) && !name.startsWith('token_embd')) repackedBytes += bytes
  }
  // The first file of a split model may have no weights, and then no padding before them.
  const dataAt = count === 0 ? cursor.position : Math.ceil(cursor.position / alignment) * alignment
  return { parameters, repackedBytes, bytesByType, dataAt, endsAt: dataAt + furthest, signs }
}

async function readValue(cursor: ByteCursor, type: number): Promise<string | number | boolean> {
  switch (type) {
    case 0:
      return (await cursor.view(1)).getUint8(0)
    case 1:
      return (await cursor.view(1)).getInt8(0)
    case 2:
      return (await cursor.view(2)).getUint16(0, true)
    case 3:
      return (await cursor.view(2)).getInt16(0, true)
    case 4:
      return cursor.u32()
    case 5:
      return (await cursor.view(4)).getInt32(0, true)
    case 6:
      return (await cursor.view(4)).getFloat32(0, true)
    case 7:
      return (await cursor.view(1)).getUint8(0) !== 0
    case stringType:
      return readText(cursor, limits.text)
    case 10:
      return cursor.u64()
    case 11:
      return Number((await cursor.view(8)).getBigInt64(0, true))
    case 12:
      return (await cursor.view(8)).getFloat64(0, true)
    default:
      throw damaged('its header holds a value of an unknown kind')
  }
}

async function readList(
  cursor: ByteCursor,
  textTaker: TextTaker | undefined,
  depth: number,
): Promise<{ count: number; largest: number | undefined; sum: number }> {
  const type = await cursor.u32()
  const count = await cursor.u64()
  let largest: number | undefined
  let sum = 0
  if (type === stringType) {
    const take = textTaker?.(count)
    for (let left = count; left > 0; left--) {
      if (take) take(await readText(cursor, limits.text))
      // Avoid a promise in the common case: a vocabulary has a few hundred thousand entries.
      else if (!cursor.skipText()) await skipText(cursor, limits.text)
    }
  } else if (type === arrayType) {
    if (depth >= limits.depth) throw damaged('its header nests lists too deeply')
    for (let left = count; left > 0; left--) await readList(cursor, undefined, depth + 1)
  } else {
    const bytes = fixedSize[type]
    if (!bytes) throw damaged('its header holds a value of an unknown kind')
    const isSmall = count <= 1_024 && type >= 4 && type <= 5
    for (let left = isSmall ? count : 0; left > 0; left--) {
      const number = Math.max(0, Number(await readValue(cursor, type)))
      largest = Math.max(largest ?? 0, number)
      sum += number
    }
    if (!isSmall) cursor.skip(count * bytes)
  }
  return { count, largest, sum }
}

/** Returns a callback for each text of a list of that length, or undefined to skip the texts. */
type TextTaker = (count: number) => ((text: string) => void) | undefined

/** Maximum size of vocabularies that are searched for whole lines. Larger ones have none. */
const smallVocabulary = 8_192
const shortestLine = 12
const longestLine = 2_000

const isLine = (token: string): boolean =>
  token.length >= shortestLine && token.length <= longestLine && token.includes(' ')

/** Look for duplicate tokens if requested, and for whole-line tokens in small vocabularies. */
function whatToDoWith(
  lines: Set<string>,
  { checkVocabulary = false }: { checkVocabulary?: boolean },
): TextTaker {
  return count => {
    const isSmall = count <= smallVocabulary
    if (!isSmall && !checkVocabulary) return undefined
    const seen = new Set<string>()
    return token => {
      if (checkVocabulary && seen.has(token)) throw damaged('its vocabulary holds the same token twice')
      if (checkVocabulary) seen.add(token)
      if (isSmall && isLine(token)) lines.add(token)
    }
  }
}

async function readText(cursor: ByteCursor, limit: number): Promise<string> {
  const length = await cursor.u64()
  if (length > limit) throw tooLong(cursor, length)
  return cursor.text(length)
}

async function skipText(cursor: ByteCursor, limit: number): Promise<void> {
  const length = await cursor.u64()
  if (length > limit) throw tooLong(cursor, length)
  cursor.skip(length)
}

/** Create the error for an excessive length. Beyond the file's end, the header is cut off or overwritten. */
const tooLong = (cursor: ByteCursor, length: number) =>
  cursor.position + length > cursor.size
    ? damaged('a length in its header points beyond the end of the file')
    : damaged('a text in its header is too long')

const damaged = (detail: string) => new Stop('damaged', detail)
