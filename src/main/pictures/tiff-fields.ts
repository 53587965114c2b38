/** The fields of the first directory in TIFF data. EXIF is TIFF data, too. */
type Directory = {
  /** The first number of a field. */
  field(tag: number): number | undefined
  /** Position of the next directory, or 0. */
  next: number
}

const SHORT = 3
const LONG = 4
/** Maximum number of fields in a valid directory. */
const MOST_FIELDS = 4_096

/** Read the first directory of TIFF data from `start` on. Throws a RangeError if it points beyond the end. */
export function readDirectory(view: DataView, start: number): Directory {
  const little = view.getUint16(start) === 0x4949
  const short = (at: number) => view.getUint16(at, little)
  const first = start + view.getUint32(start + 4, little)
  const count = short(first)
  if (count > MOST_FIELDS) throw new RangeError('Too many fields.')
  const fields = new Map<number, number>()
  for (let index = 0; index < count; index++) {
    const at = first + 2 + index * 12
    const value = numberAt(view, at, start, little)
    if (value !== undefined) fields.set(short(at), value)
  }
  const after = first + 2 + count * 12
  return {
    field: tag => fields.get(tag),
    next: after + 4 <= view.byteLength ? view.getUint32(after, little) : 0,
  }
}

/** The first number of a field. Several numbers are stored elsewhere, and the field points there. */
function numberAt(view: DataView, at: number, start: number, little: boolean): number | undefined {
  const type = view.getUint16(at + 2, little)
  const count = view.getUint32(at + 4, little)
  if (type !== SHORT && type !== LONG) return undefined
  const size = type === SHORT ? 2 : 4
  const from = count * size <= 4 ? at + 8 : start + view.getUint32(at + 8, little)
  if (from + size > view.byteLength) return undefined
  return type === SHORT ? view.getUint16(from, little) : view.getUint32(from, little)
}

const ORIENTATION = 0x112

/** The orientation in EXIF data of `length` bytes; 1 (upright) if it has no valid one. */
export function findOrientation(view: DataView, start: number, length: number): number {
  const end = Math.min(start + length, view.byteLength)
  if (end - start < 14) return 1
  try {
    const part = new DataView(view.buffer, view.byteOffset + start, end - start)
    const found = readDirectory(part, 0).field(ORIENTATION) ?? 1
    return found >= 1 && found <= 8 ? found : 1
  } catch (error) {
    if (error instanceof RangeError) return 1
    throw error
  }
}
