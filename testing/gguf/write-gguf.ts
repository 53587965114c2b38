import { closeSync, openSync, writeSync } from 'node:fs'

export type TensorType = 'F32' | 'F16' | 'Q8_0' | 'Q4_0' | 'Q4_K'

/** Id of the type in the file, elements per block, and bytes per block. */
export const tensorTypes: Record<TensorType, { id: number; per: number; bytes: number }> = {
  F32: { id: 0, per: 1, bytes: 4 },
  F16: { id: 1, per: 1, bytes: 2 },
  Q4_0: { id: 2, per: 32, bytes: 18 },
  Q8_0: { id: 8, per: 32, bytes: 34 },
  Q4_K: { id: 12, per: 256, bytes: 144 },
}

/** One entry of the header. */
export type GgufEntry =
  | { key: string; type: 'u32' | 'f32'; value: number }
  | { key: string; type: 'bool'; value: boolean }
  | { key: string; type: 'string'; value: string }
  | { key: string; type: 'strings'; value: readonly string[] }
  | { key: string; type: 'i32s'; value: readonly number[] }

/** One weight; `data` yields its bytes in order and is called once. */
export type GgufTensor = {
  name: string
  dims: readonly number[]
  type: TensorType
  data: () => Iterable<Uint8Array>
}

const alignment = 32
const valueType = { u32: 4, f32: 6, bool: 7, string: 8 } as const
const elementType = { strings: 8, i32s: 5 } as const

/** Write a GGUF v3 file; returns its size in bytes. */
export function writeGguf(
  path: string,
  entries: readonly GgufEntry[],
  tensors: readonly GgufTensor[],
): number {
  const out = openOutput(path)
  try {
    out.raw(Buffer.from('GGUF'))
    out.u32(3)
    out.u64(tensors.length)
    out.u64(entries.length)
    for (const entry of entries) writeEntry(out, entry)
    let offset = 0
    for (const tensor of tensors) {
      out.string(tensor.name)
      out.u32(tensor.dims.length)
      for (const size of tensor.dims) out.u64(size)
      out.u32(tensorTypes[tensor.type].id)
      out.u64(offset)
      offset += Math.ceil(tensorBytes(tensor) / alignment) * alignment
    }
    out.pad()
    for (const tensor of tensors) {
      for (const bytes of tensor.data()) out.raw(bytes)
      out.pad()
    }
    return out.flush()
  } finally {
    out.close()
  }
}

/** Number of elements in a tensor. */
export const elementCount = (dims: readonly number[]): number => dims.reduce((a, b) => a * b, 1)

function tensorBytes({ dims, type }: GgufTensor): number {
  const { per, bytes } = tensorTypes[type]
  return (elementCount(dims) / per) * bytes
}

function writeEntry(out: Output, entry: GgufEntry): void {
  out.string(entry.key)
  if (entry.type === 'strings' || entry.type === 'i32s') {
    out.u32(9)
    out.u32(elementType[entry.type])
    out.u64(entry.value.length)
    if (entry.type === 'strings') for (const text of entry.value) out.string(text)
    else out.raw(new Uint8Array(Int32Array.from(entry.value).buffer))
    return
  }
  out.u32(valueType[entry.type])
  if (entry.type === 'string') out.string(entry.value)
  else if (entry.type === 'bool') out.raw(Uint8Array.of(entry.value ? 1 : 0))
  else if (entry.type === 'u32') out.u32(entry.value)
  else out.raw(new Uint8Array(Float32Array.of(entry.value).buffer))
}

type Output = ReturnType<typeof openOutput>

function openOutput(path: string) {
  const file = openSync(path, 'w')
  let parts: Uint8Array[] = []
  let held = 0
  let size = 0
  const flush = () => {
    const bytes = Buffer.concat(parts)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    parts = []
    held = 0
    return size
  }
  const raw = (bytes: Uint8Array) => {
    parts.push(bytes)
    held += bytes.length
    size += bytes.length
    if (held > 1 << 24) flush()
  }
  const u64 = (value: number) => raw(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer))
  return {
    raw,
    flush,
    u64,
    u32: (value: number) => raw(new Uint8Array(Uint32Array.of(value).buffer)),
    string(text: string) {
      const bytes = Buffer.from(text, 'utf8')
      u64(bytes.length)
      raw(bytes)
    },
    pad: () => raw(new Uint8Array((alignment - (size % alignment)) % alignment)),
    close: () => closeSync(file),
  }
}

const single = new Float32Array(1)
const singleBits = new Uint32Array(single.buffer)

/** A number as half-precision bits. */
export function toHalf(value: number): number {
  single[0] = value
  const bits = singleBits[0] ?? 0
  const sign = (bits >>> 16) & 0x8000
  const exponent = ((bits >>> 23) & 0xff) - 112
  const mantissa = bits & 0x7fffff
  if (exponent <= 0) {
    return exponent < -10 ? sign : sign | ((((mantissa | 0x800000) >> (1 - exponent)) + 0x1000) >> 13)
  }
  if (exponent >= 31) return sign | 0x7c00
  return sign | ((exponent << 10) + ((mantissa + 0x1000) >> 13))
}
