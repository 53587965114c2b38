import type { Refusal } from '../../lib/expected-errors.ts'
import { lineAbove, lineBehind, type Adapted, type Passage } from './passage.ts'
import { flatBlock, hasRule, inUnit, isFlatStep, isPlainCode, tearsBlock } from './blocks.ts'
import { indentOf, type Unit } from './line-depth.ts'
import { matchLines, type Partner } from './match-lines.ts'
import type { TextStyle } from './text-style.ts'
import { flatLine, unclearDepth } from './refuse-unclear.ts'

/**
 * Adapt the new lines for a passage that was quoted exactly. They stay as they are, because the model has
 * seen the indentation. If the quoted lines have none, new lines that continue a block of the file, or that
 * are plain code, get the file's unit. `prefix` is the text before the passage in its line.
 */
export function adaptExact(passage: Passage, style: TextStyle, prefix: string): Adapted | Refusal {
  const [olds, nows] = [passage.old.split('\n'), passage.now.split('\n')]
  const partners = matchLines(olds, nows)
  const from = partners.map(partner => partner?.old)
  if (prefix === '') {
    const isNew = (index: number) => !partners[index]?.isSame && nows[index]!.trim() !== ''
    if (olds.some(line => indentOf(line) !== '') || !nows.some((_, index) => isNew(index)))
      return { lines: nows, from }
    const flat = flatBlock(nows, isNew)
    if (flat && style.hasColonBlocks() && !style.isFlat()) return flatLine(passage, flat)
    return { lines: [...besideNoDepth(passage, nows, isNew, style)], from }
  }
  if (isMoved(passage, prefix)) return unclearDepth(passage, nows[0]!)
  // If only the first old line is indented and was quoted without it, all new lines may be written from the
  // edge.
  const isUnsaid = prefix.trim() === '' && olds.slice(1).every(line => indentOf(line) === '')
  const unclear = isUnsaid
    ? atEdge(passage, partners, [prefix + nows[0]!, ...nows.slice(1)], style)
    : undefined
  return unclear === undefined ? { lines: nows, from } : unclearDepth(passage, unclear)
}

/** Find an unindented new line that may belong deeper: before the next old line, or in a block. */
function atEdge(
  passage: Passage,
  partners: readonly (Partner | undefined)[],
  lines: readonly string[],
  style: TextStyle,
): string | undefined {
  const known = partners.findIndex(
    (partner, at) => partner?.isSame && partner.old > 0 && lines[at]!.trim() !== '',
  )
  const flat = lines.find(
    (line, at) =>
      at > 0 &&
      line.trim() !== '' &&
      indentOf(line) === '' &&
      (known === -1 || at < known || isFlatStep(lines[at - 1]!, line, style.unit())) &&
      !partners[at]?.isSame,
  )
  if (flat !== undefined) return flat
  const isLastNew = !partners.at(lines.at(-1) === '' ? -2 : -1)?.isSame
  return isLastNew && tearsBlock(lines, lineBehind(passage), style) ? lines.at(-1)! : undefined
}

/** Adapt new lines if no old line is indented. */
function besideNoDepth(
  passage: Passage,
  nows: readonly string[],
  isNew: (index: number) => boolean,
  style: TextStyle,
): readonly string[] {
  const unit = style.unit()
  const first = nows.findIndex(line => line.trim() !== '')
  const last = nows.findLastIndex(line => line.trim() !== '')
  // Blocks of the file that the new lines continue, by the indentation of the line beside them.
  const beside = [
    ...(isNew(first) && indentOf(nows[first]!) !== '' ? [indentOf(lineAbove(passage))] : []),
    ...(isNew(last) && indentOf(nows[last]!) !== '' ? [indentOf(lineBehind(passage))] : []),
  ].filter(indent => indent !== '')
  const fits = beside.some(indent => nows.some((line, index) => isNew(index) && indentOf(line) === indent))
  const isRule = unit === '\t' && hasRule(nows)
  if (fits || (beside.length === 0 && !isRule && !(isUsual(unit) && style.isCode() && isPlainCode(nows))))
    return nows
  return inUnit(nows, isNew, unit, () => true) ?? nows
}

/** Whether this is a usual unit of indentation; others come from aligned columns. */
const isUsual = (unit: Unit | undefined) => unit === '\t' || [2, 3, 4, 8].includes(unit?.length ?? 0)

/** Whether the first new line is another old line, with another indentation than the first old line. */
export function isMoved({ old, now, isExact }: Passage, prefix: string): boolean {
  if (prefix === '' || prefix.trim() !== '') return false
  const [first = '', ...others] = old.split('\n')
  const [begins = ''] = now.split('\n', 1).map(line => line.trim())
  const isElsewhere = (line: string) => !isExact || indentOf(line) !== prefix + indentOf(first)
  return (
    begins !== '' &&
    begins !== first.trim() &&
    others.some(line => line.trim() === begins && isElsewhere(line))
  )
}
