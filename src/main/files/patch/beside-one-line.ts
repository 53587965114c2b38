import { inUnit, oddSteps } from './blocks.ts'
import { indentOf } from './line-depth.ts'
import type { TextStyle } from './text-style.ts'

/**
 * The new lines for a single old one that was quoted without its depth. The next ones may be written as deep as they are,
 * or as if the first one began at the edge; undefined where both make sense. `prefix` is what stands before the old line.
 */
export function readBesideOneLine(
  nows: readonly string[],
  prefix: string,
  style: TextStyle,
): readonly string[] | undefined {
  const [first = '', ...rest] = nows
  if (rest.every(line => line.trim() === '')) return nows
  const base = indentOf(prefix)
  const unit = style.unit()
  const inItsUnit = (lines: readonly string[]) =>
    inUnit(
      lines,
      index => index > 0,
      unit,
      () => true,
    ) ?? lines
  const filled = rest.filter(line => line.trim() !== '')
  // Written from the edge, a line behind the first one would be deeper, which only a block or a list is.
  const isBlock = oddSteps([prefix.trimStart() + first, ` ${filled[0]!.trim()}`]) === 0
  if (filled[0]!.startsWith(base) && (!isBlock || isComment(prefix + first, filled[0]!))) return nows
  // Lines that begin as the file's do are written as deep as the file is.
  const isAsDeep = filled.every(line => line.startsWith(base))
  const asWritten = isAsDeep ? [prefix + first, ...rest] : inItsUnit([prefix + first, ...rest])
  const fromEdge = inItsUnit([prefix.trimStart() + first, ...rest]).map(line =>
    line.trim() === '' ? line : base + line,
  )
  const isShallower = (line: string) => line.trim() !== '' && indentOf(line).length < base.length
  // A new part of the file, or the next part of the same block: after an empty line nothing tells them apart.
  if (asWritten.some((line, index) => index > 0 && isShallower(line) && asWritten[index - 1]!.trim() === ''))
    return undefined
  const steps = (lines: readonly string[]) =>
    oddSteps(
      lines.filter(line => line.trim() !== ''),
      unit,
    )
  const odd = {
    asWritten: steps(asWritten) + asWritten.slice(1).filter(isShallower).length,
    fromEdge: steps(fromEdge),
  }
  const same = asWritten.join('\n') === fromEdge.join('\n')
  if (!same && (odd.asWritten === 0) === (odd.fromEdge === 0)) return undefined
  const chosen = same || odd.asWritten === 0 ? asWritten : fromEdge
  return [first, ...chosen.slice(1)]
}

/** Whether two lines belong to a block comment, whose stars stand below each other, one blank further than its beginning. */
const isComment = (line: string, next: string): boolean =>
  /^\*( |$)/.test(line.trim()) &&
  next.trim().startsWith('*') &&
  indentOf(line) === indentOf(next) &&
  (indentOf(line).length - 1 - indentOf(line).lastIndexOf('\t')) % 2 === 1
