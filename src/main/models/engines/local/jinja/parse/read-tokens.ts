/** A word, a literal or an operator inside a tag. */
export type Token = { kind: 'name' | 'text' | 'integer' | 'float' | 'operator' | 'end'; text: string }

const blank = /\s+/y
const name = /[\p{L}_][\p{L}\p{N}_]*/uy
const float = /\d+(?:_\d+)*(?:\.\d+(?:_\d+)*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)/y
const integer = /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d+(?:_\d+)*/y
const string = /'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"/y
const operator = /\*\*|\/\/|==|!=|<=|>=|[-+*/%~<>=()[\]{},.:|;]/y

/** Read the tokens of a tag up to its end. */
export function readTokens(
  source: string,
  from: number,
  close: '}}' | '%}',
): { tokens: Token[]; end: number; sign: string } {
  const tokens: Token[] = []
  let at = from
  let depth = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(source)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  for (;;) {
    take(blank)
    if (at >= source.length) throw new Error(`a tag has no "${close}"`)
    if (depth === 0) {
      const sign = /^[-+]/.exec(source.slice(at, at + 1))?.[0] ?? ''
      if (source.startsWith(close, at + sign.length) && !(sign === '+' && close === '}}'))
        return { tokens, end: at + sign.length + close.length, sign }
    }
    const afterDot = tokens.at(-1)?.text === '.' && tokens.at(-1)?.kind === 'operator'
    const fraction = afterDot ? undefined : take(float)
    if (fraction !== undefined) tokens.push({ kind: 'float', text: fraction.replaceAll('_', '') })
    else {
      const token = nextToken(take)
      if (!token) throw new Error(`it has an unexpected "${source.slice(at, at + 1)}"`)
      if (token.kind === 'operator' && '([{'.includes(token.text)) depth++
      if (token.kind === 'operator' && ')]}'.includes(token.text)) depth--
      tokens.push(token)
    }
  }
}

function nextToken(take: (pattern: RegExp) => string | undefined): Token | undefined {
  const number = take(integer)
  if (number !== undefined) return { kind: 'integer', text: number.replaceAll('_', '') }
  const word = take(name)
  if (word !== undefined) return { kind: 'name', text: word }
  const quoted = take(string)
  if (quoted !== undefined) return { kind: 'text', text: unescapeText(quoted.slice(1, -1)) }
  const sign = take(operator)
  return sign === undefined ? undefined : { kind: 'operator', text: sign }
}

const controls: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  "'": "'",
  '"': '"',
  '\\': '\\',
  '\n': '',
}

/** Resolve Python escapes. An unknown escape keeps its backslash. */
function unescapeText(text: string): string {
  return text.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([^]))/g,
    (all: string, ...groups: (string | undefined)[]) => {
      const [two, four, eight, octal, control = ''] = groups
      const hex = two ?? four ?? eight
      if (hex !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10_ffff))
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
      return controls[control] ?? all
    },
  )
}
