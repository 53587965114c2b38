import { createHash } from 'node:crypto'

// For tests: small PDFs, written by hand.

/** A page: its drawing commands and further resources; `note` is a reader's annotation. */
export type PdfPage = { draws: string; resources?: string; note?: string }

/** A page with one line of text. */
export const linePage = (text: string): PdfPage => ({ draws: `BT /F1 12 Tf 72 700 Td (${text}) Tj ET` })

/** A page that is only a picture, like a scan. */
export const scannedPage: PdfPage = {
  draws: 'q 600 0 0 800 0 0 cm /Scan Do Q',
  resources: '/XObject << /Scan 5 0 R >>',
}

/** A page with Japanese text in Shift JIS codes, which only a character map can translate. */
export const japanesePage = (codes: string): PdfPage => ({ draws: `BT /J1 12 Tf 72 700 Td <${codes}> Tj ET` })

/** The bytes of a PDF. With a `password` it is encrypted, as PDF 1.3 did it. */
export function makePdf(pages: readonly PdfPage[], { password }: { password?: string } = {}): Buffer {
  const key = password === undefined ? undefined : keyOf(password)
  const objects = new Map<number, string>()
  const first = 8
  const ids = pages.map((_, index) => first + index * 3)
  objects.set(1, '<< /Type /Catalog /Pages 2 0 R >>')
  objects.set(2, `<< /Type /Pages /Kids [${ids.map(id => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`)
  objects.set(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  objects.set(
    4,
    '<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>',
  )
  objects.set(
    5,
    streamOf(
      5,
      '\0\0\0\0\0\0\0\0',
      '/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray',
    ),
  )
  objects.set(
    6,
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 7 0 R >>',
  )
  objects.set(
    7,
    '<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >>',
  )
  for (const [index, { draws, resources = '', note }] of pages.entries()) {
    const id = first + index * 3
    const notes = note === undefined ? '' : ` /Annots [${id + 2} 0 R]`
    objects.set(
      id,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${id + 1} 0 R /Resources << /Font << /F1 3 0 R /J1 4 0 R >> ${resources} >>${notes} >>`,
    )
    objects.set(id + 1, streamOf(id + 1, draws, ''))
    if (note !== undefined)
      objects.set(
        id + 2,
        `<< /Type /Annot /Subtype /Text /Rect [10 10 20 20] /Contents (${note}) /T (Ada) >>`,
      )
  }
  return Buffer.from(writeFile(objects, key), 'latin1')

  function streamOf(id: number, content: string, more: string): string {
    const bytes = Buffer.from(content, 'latin1')
    const body = key ? encryptFor(key.key, id, bytes) : bytes
    return `<< ${more} /Length ${body.length} >>\nstream\n${body.toString('latin1')}\nendstream`
  }
}

function writeFile(objects: ReadonlyMap<number, string>, key: ReturnType<typeof keyOf> | undefined): string {
  let text = '%PDF-1.4\n'
  const places = new Map<number, number>()
  for (const [id, body] of objects) {
    places.set(id, text.length)
    text += `${id} 0 obj\n${body}\nendobj\n`
  }
  const start = text.length
  const count = Math.max(...objects.keys()) + 1
  const row = (id: number) => {
    const place = places.get(id)
    return place === undefined ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`
  }
  const locked = key
    ? ` /Encrypt << /Filter /Standard /V 1 /R 2 /O <${key.owner.toString('hex')}> /U <${key.user.toString('hex')}> /P -4 >> /ID [<${ID.toString('hex')}> <${ID.toString('hex')}>]`
    : ''
  return `${text}xref\n0 ${count}\n${Array.from({ length: count }, (_, id) => row(id)).join('')}trailer\n<< /Size ${count} /Root 1 0 R${locked} >>\nstartxref\n${start}\n%%EOF\n`
}

const ID = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()

/** The key of a document and its check value, with the same password for the owner. */
function keyOf(password: string) {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32)
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const rights = Buffer.alloc(4)
  rights.writeInt32LE(-4)
  const key = md5(padded, owner, rights, ID).subarray(0, 5)
  return { key, owner, user: rc4(key, PADDING) }
}

function encryptFor(key: Buffer, id: number, bytes: Buffer): Buffer {
  const salt = Buffer.from([id & 255, (id >> 8) & 255, (id >> 16) & 255, 0, 0])
  return rc4(md5(key, salt).subarray(0, 10), bytes)
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, at) => at)
  const swap = (a: number, b: number) => ([state[a], state[b]] = [state[b]!, state[a]!])
  for (let at = 0, other = 0; at < 256; at++) {
    other = (other + state[at]! + key[at % key.length]!) & 255
    swap(at, other)
  }
  let at = 0
  let other = 0
  return Buffer.from(
    bytes.map(byte => {
      at = (at + 1) & 255
      other = (other + state[at]!) & 255
      swap(at, other)
      return byte ^ state[(state[at]! + state[other]!) & 255]!
    }),
  )
}
