/** Two adjacent words, or a single word: the text between the delimiters is prose. */
const PROSE = /(?<!\p{L})\p{L}{2,}[,;]?\s+\p{L}{2,}|^\s*\p{L}{3,}\s*$/u
/** `$PATH:/usr/bin:$` and the like. */
const VARIABLE = /^[A-Z_][A-Z0-9_]{2,}[/:"'\\]/
/** An amount and what is bought with it, as in `$5 or 6$`. */
const AMOUNT = /^\d[\d.,]*\s+\p{L}/u
/** Characters that only formulas have. */
const SIGN = /[\\^_=+<>]/

const COMMAND = /\\(?:text\w*|mathrm|mathbf|mathit|operatorname\*?)\s*\{[^{}]*\}|\\[a-zA-Z]+/g

/**
 * Whether the text between two delimiters is a formula. Prices, shell variables and brackets escaped for
 * Markdown are not. `isSure`: the delimiters alone mark a formula, unless the text between them is prose.
 */
export function isMath(source: string, isSure: boolean): boolean {
  if (source.trim() === '') return false
  if (SIGN.test(source) && isSure) return true
  const plain = source.replaceAll(COMMAND, ' . ')
  if (PROSE.test(plain)) return false
  if (isSure) return true
  return !VARIABLE.test(source) && !AMOUNT.test(source) && !source.includes('"')
}

const FENCE = /^[ >]*(?:(?:[-*+]|\d+[.)])[ ]+)*(`{3,}|~{3,})/
const OPENER = /^([ >]*(?:(?:[-*+]|\d{1,9}[.)])[ ]+)*)(\$\$|\\\[)(.*)$/
const LIST = /^[ >]*(?:[-*+]|\d{1,9}[.)])[ ]/
/** Maximum number of lines of a formula. */
const MOST_LINES = 120

/**
 * Join each formula of several lines into one line, which has the same meaning: a line that starts with `-`
 * or `=` would otherwise start a list or a heading. A formula without an end stays unchanged.
 */
export function joinFormulas(text: string): string {
  if (!text.includes('$$') && !text.includes('\\[')) return text
  const lines = text.split('\n')
  const joined: string[] = []
  let fence = ''
  let isInList = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const mark = FENCE.exec(line)?.[1]
    if (fence !== '') {
      if (mark?.startsWith(fence) && /^[ >]*[`~]+\s*$/.test(line)) fence = ''
      joined.push(line)
      continue
    }
    if (mark !== undefined) fence = mark
    if (LIST.test(line)) isInList = true
    else if (/^\S/.test(line)) isInList = false
    const found = mark === undefined && (isInList || !/^ {4}/.test(line)) ? formulaAt(lines, at) : undefined
    joined.push(found?.line ?? line)
    if (found) at = found.last
  }
  return joined.join('\n')
}

/** The multi-line formula that starts on a line. */
function formulaAt(lines: readonly string[], at: number): { line: string; last: number } | undefined {
  const [, indent = '', opener = '', rest = ''] = OPENER.exec(lines[at]!) ?? []
  const closer = opener === '$$' ? '$$' : '\\]'
  if (opener === '' || rest.includes(closer) || rest.includes('%')) return undefined
  const isAlone = rest.trim() === ''
  const quote = /^[ >]*/.exec(indent)![0].replaceAll(' ', '')
  let source = rest
  for (let next = at + 1; next < Math.min(lines.length, at + MOST_LINES); next++) {
    const line = lines[next]!.replace(quote === '' ? /^ +/ : /^[ >]+/, '')
    if (FENCE.test(line) || line.includes('%') || (line === '' && !isAlone)) return undefined
    const end = line.indexOf(closer)
    if (end >= 0) {
      const behind = line.slice(end + 2)
      // Dollars directly followed by text do not end a formula.
      if (opener === '$$' && /^\S/.test(behind) && !/^[.,;:)]/.test(behind)) return undefined
      return { line: `${indent}${opener}${source} ${line.slice(0, end + 2)}${behind}`, last: next }
    }
    source += ` ${line}`
  }
  return undefined
}
