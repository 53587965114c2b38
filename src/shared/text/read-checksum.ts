/** A SHA-256 checksum as 64 lowercase hexadecimal digits, or the problem with the text. */
export type ReadChecksum = { sha256: string } | { problem: string }

/** Other kinds of checksums by the number of their digits. */
const OTHERS: Readonly<Record<number, string>> = {
  8: 'CRC32',
  32: 'MD5',
  40: 'SHA-1',
  56: 'SHA-224',
  96: 'SHA-384',
  128: 'SHA-512',
}

const WANTED = 'A SHA-256 checksum has 64 hexadecimal digits.'

/**
 * Read a checksum as programs and pages print it: `sha256:AB…`, a line of sha256sum, `SHA256 (file) = …`,
 * with spaces, quotes or capital letters. Of several lines, the line that names the file is used.
 */
export function readChecksum(text: string, fileName = ''): ReadChecksum {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
  if (lines.length <= 1) return readLine(lines[0] ?? '')
  const joined = bareDigits(text)
  if (joined !== undefined) return { sha256: joined }
  const found = lines.map(line => readLine(line)).filter(each => 'sha256' in each)
  const own = lines.filter(line => fileName !== '' && line.toLowerCase().includes(fileName.toLowerCase()))
  if (own.length === 1) return readLine(own[0]!)
  const [first] = found
  if (first && new Set(found.map(each => each.sha256)).size === 1) return first
  return { problem: 'That has several checksums. Give the line of this file alone.' }
}

/** The digits of a text that contains nothing else, grouped or not. */
function bareDigits(text: string): string | undefined {
  const digits = text.replace(/[\s:-]/g, '').replace(/^0x/i, '')
  return /^[\da-f]{64}$/i.test(digits) ? digits.toLowerCase() : undefined
}

function readLine(line: string): ReadChecksum {
  const bare = line
    .trim()
    .replace(/^(["'`“])(.*)(["'`”])$/, '$2')
    .trim()
  const plain = bareDigits(bare)
  if (plain !== undefined) return { sha256: plain }
  // BSD and openssl: `SHA256 (name) = digits`; others: `sha256:digits`, `SHA-256 = digits`.
  const labelled = /^([a-z][a-z\d]*(?:-\d+)?)\s*(?:\(.*\))?\s*[:=]\s*(.+)$/i.exec(bare)
  const kind = labelled?.[1]?.toLowerCase().replace(/-/g, '') ?? ''
  const rest = (labelled?.[2] ?? bare).trim().replace(/^(["'])(.*)\1$/, '$2')
  if (kind !== '' && !/^(sha256|sha2256|digest|checksum|hash|etag)$/.test(kind))
    return { problem: `That is a checksum of another kind (${labelled![1]}). ${WANTED}` }
  // sha256sum: the digits, a blank, a blank or a star, and the name; a backslash before them for odd names.
  const summed = /^\\?([\da-f]{64})(?:\s.*)?$/is.exec(rest)
  if (summed) return { sha256: summed[1]!.toLowerCase() }
  const digits = bareDigits(rest)
  if (digits !== undefined) return { sha256: digits }
  if (/^(sha256-)?[A-Za-z\d+/_-]{43}=?$/.test(rest))
    return { problem: `That looks like a checksum in base64, which is not read. ${WANTED}` }
  const [word = ''] = rest.split(/\s/)
  const other = /^[\da-f]+$/i.test(word) ? OTHERS[word.length] : undefined
  return { problem: other === undefined ? WANTED : `That looks like ${other}. ${WANTED}` }
}
