import { inUnit, oddSteps } from './blocks.ts'
import { indentOf } from './depth.ts'
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
  const asWritten = inItsUnit([prefix + first, ...rest])
  const fromEdge = inItsUnit([prefix.trimStart() + first, ...rest]).map(line =>
    line.trim() === '' ? line : base + line,
  )
  const isShallower = (line: string) => line.trim() !== '' && indentOf(line).length < base.length
  // A new part of the file, or the next part of the same block: after an empty line nothing tells them apart.
  if (asWritten.some((line, index) => index > 0 && isShallower(line) && asWritten[index - 1]!.trim() === ''))
    return undefined
  const odd = {
    asWritten: oddSteps(asWritten, unit) + asWritten.slice(1).filter(isShallower).length,
    fromEdge: oddSteps(fromEdge, unit),
  }
  const same = asWritten.join('\n') === fromEdge.join('\n')
  if (!same && (odd.asWritten === 0) === (odd.fromEdge === 0)) return undefined
  const chosen = same || odd.asWritten === 0 ? asWritten : fromEdge
  return [first, ...chosen.slice(1)]
}
