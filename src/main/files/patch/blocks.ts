import { indentOf, levelOf, type Unit } from './line-depth.ts'

/** A line that opens a block or a list, so that the next line is deeper, in any language. */
const OPENS = /[{([]$|(=>|->|\bthen|\bdo|\belse)$|:$/
/** The first line of a block in Python: it begins with a keyword and ends with a colon. */
const COLON_BLOCK =
  /^(async |def |class |if |elif |else|for |while |with |try|except|finally|match |case ).*:$/
/** Other lines that open something with a colon: a key or a label, but not a sentence or a comment. */
const KEY = /^(?!#|\/\/|--|;|%)([-*+] |\d+[.)] )?(\S+( \S+)?|"[^"]*"|'[^']*'|(case|when|default)\b.*) ?:$/
/** A line that must open a block, in every language. */
const MUST_OPEN = new RegExp(`[{([]$|${COLON_BLOCK.source}`)
const ITEM = /^([-*+]|\d+[.)]) /
const CLOSES =
  /^([})\]]|<\/|end\b|fi\b|done\b|esac\b|else\b|elif\b|except\b|finally\b|catch\b|case\b|default\b)/

/**
 * Count the lines that are deeper than the previous one without reason, or not deeper although they must be.
 * With `unit`, a block may only be one level deeper.
 */
export function oddSteps(lines: readonly string[], unit?: Unit): number {
  let odd = 0
  for (const [above, below] of neighbours(lines)) {
    const step = indentOf(below).length - indentOf(above).length
    const isOpen = opens(above.trim(), unit)
    // The line after an item of a list may belong to it, or end the list.
    if (step === 0 && ITEM.test(above.trim()) && !ITEM.test(below.trim())) odd++
    const tooDeep = unit !== undefined && step > unit.length
    const [marker = ''] = ITEM.exec(above.trim()) ?? []
    if (marker !== '' && tooDeep && step > marker.length) odd++
    if (isOpen ? tooDeep || (step <= 0 && !CLOSES.test(below.trim())) : step > 0 && !ITEM.test(above.trim()))
      odd++
  }
  return odd
}

/** Whether a block contains a line that is not deeper than its opening line. */
export function hasFlatBlock(lines: readonly string[]): boolean {
  return neighbours(lines).some(
    ([above, below]) =>
      MUST_OPEN.test(above.trim()) &&
      indentOf(below).length <= indentOf(above).length &&
      !CLOSES.test(below.trim()),
  )
}

/** Find the first new line that is not deeper than the line that must open a block, with that line. */
export function flatBlock(
  lines: readonly string[],
  isNew: (index: number) => boolean,
): { above: string; below: string } | undefined {
  const at = lines.findIndex((below, index) => {
    const above = lines[index - 1] ?? ''
    return (
      isNew(index) &&
      COLON_BLOCK.test(above.trim()) &&
      indentOf(below).length <= indentOf(above).length &&
      !CLOSES.test(below.trim()) &&
      !/^(#|$)/.test(below.trim()) &&
      !ITEM.test(below.trim())
    )
  })
  return at === -1 ? undefined : { above: lines[at - 1]!, below: lines[at]! }
}

/** Whether a text has Python-style blocks with deeper lines. */
export const hasColonBlock = (lines: readonly string[]): boolean =>
  neighbours(lines).some(
    ([above, below]) => COLON_BLOCK.test(above.trim()) && indentOf(below).length > indentOf(above).length,
  )

/** The start of embedded text in code, whose indentation is not that of the code. */
const OTHER_TEXT = /^\s*(```|~~~)|"""|'''|<<|\/\*|<pre|<textarea|\\$/

/** Whether lines are only code, which gets deeper only after a line that opens a block, by one level. */
export function isPlainCode(lines: readonly string[]): boolean {
  if (lines.some(line => OTHER_TEXT.test(line) || (line.split('`').length - 1) % 2 === 1)) return false
  const steps = lines.flatMap((below, index) => {
    const above = lines[index - 1] ?? ''
    const step = indentOf(below).length - indentOf(above).length
    return below.trim() !== '' && index > 0 && step > 0 ? [{ above: above.trim(), step }] : []
  })
  const isOpening = (line: string) => (line.endsWith(':') ? COLON_BLOCK : OPENS).test(line)
  return steps.every(({ above, step }) => isOpening(above) && step === steps[0]!.step)
}

/** Whether a Makefile rule has recipes that are indented by blanks. */
export const hasRule = (lines: readonly string[]): boolean =>
  neighbours(lines).some(
    ([above, below]) => below.startsWith(' ') && opens(above, '\t') && /^[^\s:]+ ?:/.test(above),
  )

/** Whether a line is not deeper than one that seems to open a block, or than a list item before it. */
export function isFlatStep(above: string, below: string, unit: Unit | undefined): boolean {
  const step = indentOf(below).length - indentOf(above).length
  if (above.trim() === '' || below.trim() === '' || step > 0) return false
  if (CLOSES.test(below.trim()) || ITEM.test(below.trim())) return false
  return opens(above.trim(), unit) || (ITEM.test(above.trim()) && step === 0)
}

/** Whether the next line is deeper than the last of these, which opens nothing: they would split a block. */
export function tearsBlock(
  lines: readonly string[],
  next: string,
  style: { unit(): Unit | undefined },
): boolean {
  const fresh = lines.slice(1).findLast(line => line.trim() !== '')
  if (fresh === undefined || next.trim() === '') return false
  return indentOf(next).length > indentOf(fresh).length && !opens(fresh.trim(), style.unit())
}

/** Whether a line opens a block. In a text indented by tabs, a Makefile rule does too. */
const opens = (line: string, unit: Unit | undefined): boolean =>
  (line.endsWith(':') ? COLON_BLOCK.test(line) || KEY.test(line) : OPENS.test(line)) ||
  (unit === '\t' && /^[^\s:]+ ?:(?![=:]).*[^,;]$/.test(line))

/** Pairs of adjacent lines that are not blank. */
const neighbours = (lines: readonly string[]): [string, string][] =>
  lines.slice(1).flatMap((below, index): [string, string][] => {
    const above = lines[index]!
    return above.trim() === '' || below.trim() === '' ? [] : [[above, below]]
  })

/**
 * Write new lines in the file's unit of indentation, if no old line shows the model's. Lines that fit, or are
 * deeper without opening a block, as in prose and tables, stay. Undefined if indentation is missing.
 */
export function inUnit(
  lines: readonly string[],
  isNew: (index: number) => boolean,
  unit: Unit | undefined,
  isFlatFile: () => boolean,
): readonly string[] | undefined {
  if (unit === undefined) return lines
  const fresh = lines.filter((line, index) => isNew(index) && line.trim() !== '')
  if (fresh.length === 0) return lines
  if (hasFlatBlock(lines) && !isFlatFile()) return undefined
  const indents = [...new Set(fresh.map(indentOf))].filter(indent => indent !== '')
  if (indents.length === 0) return lines
  const sign = indents[0]![0]!
  if (indents.some(indent => indent !== sign.repeat(indent.length))) return lines
  const widths = [0, ...indents.map(indent => indent.length)].toSorted((a, b) => a - b)
  const step = Math.min(...widths.slice(1).map((width, index) => width - widths[index]!))
  const isOtherSign = sign !== unit[0]
  const isWhole = widths.every(width => width % step === 0)
  const fits =
    indents.every(indent => levelOf(indent, unit) !== undefined) && (step === unit.length || !isWhole)
  if (fits && !isOtherSign) return lines
  if (!isWhole) return isOtherSign ? undefined : lines
  // Only a block is certain to be one level deeper. Lists, tables and continued lines vary.
  if (!isOtherSign && oddSteps(lines) > 0) return lines
  return lines.map((line, index) => {
    const indent = indentOf(line)
    return isNew(index) && line.trim() !== ''
      ? unit.repeat(indent.length / step) + line.slice(indent.length)
      : line
  })
}
