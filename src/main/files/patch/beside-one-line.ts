import { inUnit, oddSteps } from './blocks.ts'
import { indentOf } from './line-depth.ts'
import type { TextStyle } from './text-style.ts'

/**
 * Read the new lines for a single old line that was quoted without its indentation. They may be indented
 * fully, or as if the first one had none; undefined if both make sense. `prefix` is the text before the old
 * line.
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
  // Written from the edge, a later line would be deeper, which is true only in a block or a list.
  const isBlock = oddSteps([prefix.trimStart() + first, ` ${filled[0]!.trim()}`]) === 0
  if (filled[0]!.startsWith(base) && (!isBlock || isComment(prefix + first, filled[0]!))) return nows
  // Lines that begin with the file's indentation are fully indented.
  const isAsDeep = filled.every(line => line.startsWith(base))
  const asWritten = isAsDeep ? [prefix + first, ...rest] : inItsUnit([prefix + first, ...rest])
  const fromEdge = inItsUnit([prefix.trimStart() + first, ...rest]).map(line =>
    line.trim() === '' ? line : base + line,
  )
  const isShallower = (line: string) => line.trim() !== '' && indentOf(line).length < base.length
  // After an empty line, a new part of the file and the next part of the same block look the same.
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

/** Whether two lines belong to a block comment, whose stars are aligned one blank after its beginning. */
const isComment = (line: string, next: string): boolean =>
  /^\*( |$)/.test(line.trim()) &&
  next.trim().startsWith('*') &&
  indentOf(line) === indentOf(next) &&
  (indentOf(line).length - 1 - indentOf(line).lastIndexOf('\t')) % 2 === 1
