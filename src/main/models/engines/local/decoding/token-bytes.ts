/** Tokens that could produce invalid UTF-8. */
type TokenBytes = {
  /** Tokens with a byte that never occurs in UTF-8. */
  never: number[]
  /** Tokens that end with a lead byte that only some continuation bytes may follow. */
  leads: Map<number, number>
  /** For each such lead byte, the tokens that start with an invalid continuation. */
  behind: Map<number, number[]>
}

/** Lead bytes after which part of the range 80 to BF is invalid, with that part. */
const badSeconds: ReadonlyMap<number, readonly [from: number, to: number]> = new Map([
  [0xe0, [0x80, 0x9f]],
  [0xed, [0xa0, 0xbf]],
  [0xf0, [0x80, 0x8f]],
  [0xf4, [0x90, 0xbf]],
])

const isNever = (byte: number): boolean => byte === 0xc0 || byte === 0xc1 || byte >= 0xf5

const normal = 1

const byteToken = 6

/**
 * Analyse the bytes of a vocabulary. `kind` is the file's name for it: `gpt2` writes each byte as a
 * character, others have tokens like `<0xE0>`. Tokens of a trained model are pieces of valid text, so only
 * the seam between two tokens can be invalid.
 */
export function readTokenBytes(vocabulary: {
  kind: string
  texts: readonly string[]
  types: readonly unknown[]
}): TokenBytes {
  const found: TokenBytes = {
    never: [],
    leads: new Map(),
    behind: new Map([...badSeconds.keys()].map(lead => [lead, []])),
  }
  const { kind, texts, types } = vocabulary
  for (const [token, text] of texts.entries()) {
    const type = Number(types[token])
    let first: number | undefined
    let last: number | undefined
    if (type === byteToken) first = last = Number.parseInt(text.slice(1, -1), 16)
    else if (kind === 'gpt2' && type === normal) {
      first = byteOf(text.charCodeAt(0))
      last = byteOf(text.charCodeAt(text.length - 1))
    }
    if ((first !== undefined && isNever(first)) || (last !== undefined && isNever(last)))
      found.never.push(token)
    if (last !== undefined && badSeconds.has(last)) found.leads.set(token, last)
    if (first === undefined || first < 0x80 || first > 0xbf) continue
    for (const [lead, [from, to]] of badSeconds) {
      if (first >= from && first <= to) found.behind.get(lead)?.push(token)
    }
  }
  return found
}

/** Return the byte for a character of a byte-level vocabulary. Printable characters stand for themselves. */
function byteOf(code: number): number | undefined {
  if (code >= 0xa1 && code <= 0xff && code !== 0xad) return code
  if (code === 323) return 0xad
  return code >= 290 && code <= 322 ? code - 290 + 0x80 : undefined
}
