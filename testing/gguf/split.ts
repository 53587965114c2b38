import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export type SplitOptions = {
  /** Number of files to write. */
  parts: number
  /** The first file contains the metadata and no weights, as with `--no-tensor-first-split`. */
  bareFirst?: boolean
}

const alignment = 32
/** Bytes of the value types by number; strings (8) and lists (9) have no fixed size. */
const fixedSize = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8]

/**
 * Split a GGUF file, byte for byte like llama.cpp's `gguf-split` with `--split-max-tensors`: only the first
 * part has the metadata; the others have just their number, the counts and their weights. Returns the paths,
 * `<prefix>-00001-of-00003.gguf` and so on.
 */
export function splitGguf(
  path: string,
  prefix: string,
  { parts, bareFirst = false }: SplitOptions,
): string[] {
  const { file, metadata, entries, tensors } = readWhole(path)
  const withTensors = bareFirst ? parts - 1 : parts
  const perFile = Math.ceil(tensors.length / withTensors)
  const groups = Array.from({ length: withTensors }, (_, index) =>
    tensors.slice(index * perFile, (index + 1) * perFile),
  )
  if (withTensors < 1 || groups.some(group => group.length === 0))
    throw new Error(`${tensors.length} weights cannot be cut into ${parts} files.`)
  if (bareFirst) groups.unshift([])
  mkdirSync(dirname(prefix), { recursive: true })
  return groups.map((group, index) => {
    const own = index === 0 ? { metadata, entries } : { metadata: Buffer.alloc(0), entries: 0 }
    const head = [
      Buffer.from('GGUF'),
      u32(3),
      u64(group.length),
      u64(own.entries + 3),
      own.metadata,
      // The real tool writes the count last, when it knows it.
      number('split.no', 2, index),
      number('split.tensors.count', 5, tensors.length),
      number('split.count', 2, parts),
      ...tableOf(group),
    ]
    const to = `${prefix}-${digits(index + 1)}-of-${digits(parts)}.gguf`
    writeFileSync(
      to,
      Buffer.concat([padded(Buffer.concat(head)), ...group.map(each => padded(bytesOf(file, each)))]),
    )
    return to
  })
}

type Tensor = { info: Buffer; at: number; bytes: number }

function* tableOf(group: readonly Tensor[]): Generator<Buffer> {
  let offset = 0
  for (const { info, bytes } of group) {
    yield Buffer.concat([info, u64(offset)])
    offset += Math.ceil(bytes / alignment) * alignment
  }
}

const bytesOf = (file: Buffer, { at, bytes }: Tensor) => file.subarray(at, at + bytes)

/** The entries of a file in order, and its weights. */
function readWhole(path: string): { file: Buffer; metadata: Buffer; entries: number; tensors: Tensor[] } {
  const file = readFileSync(path)
  let at = 8
  const long = () => Number(file.readBigUInt64LE((at += 8) - 8))
  const int = () => file.readUInt32LE((at += 4) - 4)
  const skipText = () => {
    const length = long()
    at += length
  }
  const skipValue = (type: number): void => {
    if (type === 8) return skipText()
    if (type !== 9) {
      at += fixedSize[type] ?? 0
      return
    }
    const element = int()
    for (let left = long(); left > 0; left--) skipValue(element)
  }
  const count = long()
  const entries = long()
  const metadataAt = at
  for (let left = entries; left > 0; left--) {
    skipText()
    skipValue(int())
  }
  const metadata = file.subarray(metadataAt, at)
  const infos = Array.from({ length: count }, () => {
    const infoAt = at
    skipText()
    const dims = int()
    at += dims * 8 + 4
    return { info: file.subarray(infoAt, at), offset: long() }
  })
  const dataAt = Math.ceil(at / alignment) * alignment
  const tensors = infos.map(({ info, offset }, index) => {
    const end = infos[index + 1]?.offset ?? file.length - dataAt
    return { info, at: dataAt + offset, bytes: end - offset }
  })
  return { file, metadata, entries, tensors }
}

const digits = (value: number) => String(value).padStart(5, '0')
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer)

/** A number entry: type 2 has two bytes, type 5 has four. */
function number(key: string, type: 2 | 5, value: number): Buffer {
  const bytes = type === 2 ? Buffer.from(Uint16Array.of(value).buffer) : u32(value)
  return Buffer.concat([u64(Buffer.byteLength(key)), Buffer.from(key), u32(type), bytes])
}

const padded = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)])
