import { readTokens, type Token } from './read-tokens.ts'

/** A piece of a template's source: literal text, or the tokens of a tag. */
export type Piece = { kind: 'text'; text: string } | { kind: 'tag' | 'output'; tokens: Token[] }

const opening = /\{%|\{\{|\{#/g

/**
 * Split a source into texts and tags. Whitespace is handled as transformers configures Jinja. The line feed
 * after a tag is removed (`trim_blocks`), and so are spaces between the start of a line and a tag
 * (`lstrip_blocks`). A `-` removes all whitespace on its side, a `+` keeps it.
 */
export function readTags(original: string): Piece[] {
  const source = original.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')
  const pieces: Piece[] = []
  let at = 0
  let trim: 'none' | 'line' | 'all' = 'none'

  const addText = (end: number, sign: string, isOutput: boolean): void => {
    let text = source.slice(at, end)
    if (trim === 'all') text = text.trimStart()
    else if (trim === 'line' && text.startsWith('\n')) text = text.slice(1)
    if (sign === '-') text = text.trimEnd()
    else if (sign !== '+' && !isOutput) text = withoutIndent(text, end - text.length, source)
    if (text !== '') pieces.push({ kind: 'text', text })
  }

  for (;;) {
    opening.lastIndex = at
    const found = opening.exec(source)
    if (!found) break
    const start = found.index
    const sign = /^[-+]/.exec(source.slice(start + 2, start + 3))?.[0] ?? ''
    addText(start, sign, found[0] === '{{')
    const from = start + 2 + sign.length
    if (found[0] === '{#') {
      const end = source.indexOf('#}', from)
      if (end < 0) throw new Error('a comment has no end')
      trim = endTrim(source, end, from)
      at = end + 2
      continue
    }
    const raw = found[0] === '{%' ? /^\s*raw\s*([-+]?)%\}/.exec(source.slice(from, from + 200)) : null
    if (raw) {
      const rest = /\{%([-+]?)\s*endraw\s*([-+]?)%\}/g
      rest.lastIndex = from
      const end = rest.exec(source)
      if (!end) throw new Error('a raw block has no end')
      at = from + raw[0].length
      trim = raw[1] === '-' ? 'all' : raw[1] === '+' ? 'none' : 'line'
      addText(end.index, end[1] ?? '', false)
      at = end.index + end[0].length
      trim = end[2] === '-' ? 'all' : end[2] === '+' ? 'none' : 'line'
      continue
    }
    const kind = found[0] === '{{' ? 'output' : 'tag'
    const { tokens, end, sign: after } = readTokens(source, from, kind === 'output' ? '}}' : '%}')
    pieces.push({ kind, tokens })
    at = end
    trim = after === '-' ? 'all' : kind === 'output' || after === '+' ? 'none' : 'line'
  }
  addText(source.length, '+', true)
  return pieces
}

function endTrim(source: string, end: number, from: number): 'none' | 'line' | 'all' {
  const sign = end > from ? source[end - 1] : ''
  return sign === '-' ? 'all' : sign === '+' ? 'none' : 'line'
}

/** Remove the spaces between the start of the text's last line and the tag after it. */
function withoutIndent(text: string, start: number, source: string): string {
  const line = text.lastIndexOf('\n') + 1
  if (!/^[ \t]*$/.test(text.slice(line))) return text
  const startsLine = line > 0 || start === 0 || source[start - 1] === '\n'
  return startsLine ? text.slice(0, line) : text
}
