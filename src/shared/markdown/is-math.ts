/** Two words side by side, or one alone: what stands between is a sentence. */
const PROSE = /(?<!\p{L})\p{L}{2,}[,;]?\s+\p{L}{2,}|^\s*\p{L}{3,}\s*$/u
/** `$PATH:/usr/bin:$` and the like. */
const VARIABLE = /^[A-Z_][A-Z0-9_]{2,}[/:"'\\]/
/** An amount and what is bought with it, as in `$5 or 6$`. */
const AMOUNT = /^\d[\d.,]*\s+\p{L}/u
/** Signs that only a formula has. */
const SIGN = /[\\^_=+<>]/

const COMMAND = /\\(?:text\w*|mathrm|mathbf|mathit|operatorname\*?)\s*\{[^{}]*\}|\\[a-zA-Z]+/g

/**
 * Whether the text between two delimiters is a formula. Prices, variables of a shell and brackets escaped for Markdown
 * are not. `isSure`: the delimiters alone say so, unless what they hold is a sentence.
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
/** Lines of one formula at most. */
const MOST_LINES = 120

/**
 * Write each formula that goes over several lines in one, which means the same: a line of it that begins with `-` or `=`
 * would otherwise begin a list or a heading. A formula without an end stays as it is.
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

/** The formula over several lines that begins on a line. */
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
      // Dollars that another text follows directly began something else.
      if (opener === '$$' && /^\S/.test(behind) && !/^[.,;:)]/.test(behind)) return undefined
      return { line: `${indent}${opener}${source} ${line.slice(0, end + 2)}${behind}`, last: next }
    }
    source += ` ${line}`
  }
  return undefined
}
