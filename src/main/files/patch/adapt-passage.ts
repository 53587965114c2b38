import type { Refusal } from '../../lib/expected-errors.ts'
import { adaptExact, isMoved } from './adapt-exact.ts'
import { inUnit, isFlatStep, tearsBlock } from './blocks.ts'
import { depthMap, indentOf } from './line-depth.ts'
import { isBlankRun } from './fold-signs.ts'
import { ownSigns } from './own-signs.ts'
import { matchLines } from './match-lines.ts'
import { lineAround, lineBehind, newLineOf, type Adapted, type Passage } from './passage.ts'
import { readBesideOneLine } from './beside-one-line.ts'
import type { TextStyle } from './text-style.ts'
import { unclearDepth, unclearSign } from './refuse-unclear.ts'

/**
 * Return the new text of the passage. Unchanged lines stay the same byte for byte; new ones take the file's
 * indentation and characters. Refuses if these are unclear.
 */
export function adaptPassage(passage: Passage, style: TextStyle): Adapted | Refusal {
  const { text, start, old, now, isExact } = passage
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const prefix = start === 0 ? '' : text.slice(lineStart, start)
  const base = indentOf(prefix)
  const [head = '', ...others] = old.split('\n')
  const isAlone = head.trim() !== '' && others.every(line => line.trim() === '')
  const startsInDepth = prefix === base && indentOf(old) !== ''
  if (isExact && !(base !== '' && (isAlone || startsInDepth))) return adaptExact(passage, style, prefix)
  if (prefix === '' || base === '' || !(isAlone || startsInDepth)) {
    return isMoved(passage, prefix)
      ? unclearDepth(passage, newLineOf(passage))
      : adaptLines(passage, style, prefix !== '')
  }
  if (!startsInDepth) {
    const read = readBesideOneLine(now.split('\n'), prefix, style)
    if (read && tearsBlock([prefix + read[0]!, ...read.slice(1)], lineBehind(passage), style))
      return unclearDepth(passage, read.at(-1)!)
    return read
      ? adaptLines({ ...passage, now: read.join('\n') }, style, true, true)
      : unclearDepth(passage, newLineOf(passage))
  }
  // The line is quoted with less indentation than it has, so the blanks before it belong to the passage.
  const adapted = adaptLines({ ...passage, start: lineStart }, style, false)
  if ('refused' in adapted) return adapted
  const [first = ''] = adapted.lines
  if (!first.startsWith(prefix)) return unclearDepth(passage, first)
  return { ...adapted, lines: [first.slice(prefix.length), ...adapted.lines.slice(1)] }
}

/**
 * `isWithin`: the passage begins inside a line, so its first line does not show its indentation. `isRead`:
 * the new lines already have the file's indentation.
 */
function adaptLines(
  passage: Passage,
  style: TextStyle,
  isWithin: boolean,
  isRead = false,
): Adapted | Refusal {
  const { text, start, end, isExact, wholeLines } = passage
  const reals = text.slice(start, end).split('\n')
  const olds = passage.old.split('\n')
  let nows: readonly string[] = passage.now.split('\n')
  if (reals.length !== olds.length) return unclearDepth(passage, nows[0]!)
  const partners = matchLines(olds, nows)
  const from = partners.map(partner => partner?.old)
  const pairs = olds.flatMap((line, index) =>
    (index === 0 && isWithin) || line.trim() === '' || reals[index]!.trim() === ''
      ? []
      : [{ model: indentOf(line), file: indentOf(reals[index]!) }],
  )
  const isFresh = pairs.every(({ model, file }) => model === '' && file === '')
  const base = isWithin ? indentOf(lineAround(text, start)) : ''
  // The first line has more indentation than was quoted, so the same may be true of another unindented line.
  const atEdge = nows.find(
    (line, at) => at > 0 && !partners[at]?.isSame && line.trim() !== '' && indentOf(line) === '',
  )
  if (base !== '' && !isRead && atEdge !== undefined && indentOf(olds[0]!) === '')
    return unclearDepth(passage, atEdge)
  if (isFresh && !isRead) {
    const isNew = (index: number) => !partners[index]?.isSame && !(index === 0 && isWithin)
    const fitted = nows.some((_, at) => isNew(at)) ? inUnit(nows, isNew, style.unit(), style.isFlat) : nows
    if (!fitted)
      return unclearDepth(
        passage,
        nows.find((line, at) => isNew(at) && line.trim() !== '')!,
      )
    nows = fitted
  }
  if (isFresh && isExact) return { lines: [...nows], from }
  const written = [...olds, ...nows].filter(line => line.trim() !== '').map(indentOf)
  const toFile = isFresh ? (indent: string) => indent : depthMap(pairs, written, style.unit)
  const parts = (line: string, index: number, count: number) =>
    partsOf(line, { depth: !(index === 0 && isWithin), end: wholeLines || index < count - 1 })
  const [realParts, oldParts] = [reals, olds].map(lines =>
    lines.map((line, index) => parts(line, index, lines.length)),
  ) as [Parts[], Parts[]]
  const signs = ownSigns(
    oldParts.map(({ content }, index) => ({ real: realParts[index]!.content, old: content })),
    () => style.usage(start),
  )
  const toEnd = endMap(
    oldParts.map(({ end }, index) => ({ model: end, file: realParts[index]!.end })),
    style,
  )
  const lines: string[] = []
  for (const [index, line] of nows.entries()) {
    const partner = partners[index]
    if (partner?.isSame) {
      lines.push(reals[partner.old]!)
      continue
    }
    if (line.trim() === '') {
      lines.push(isExact || isWithin ? line : '')
      continue
    }
    const own = parts(line, index, nows.length)
    const [real, old] = partner ? [realParts[partner.old]!, oldParts[partner.old]!] : []
    const depth = real && own.depth === old!.depth ? real.depth : toFile(own.depth)
    if (depth === undefined) return unclearDepth(passage, line)
    const content =
      real && partner!.isAlike
        ? signs.apply(real.content, old!.content, own.content)
        : signs.write(own.content)
    if (typeof content !== 'string') return unclearSign(passage, content)
    const ending = real && partner!.isAlike && own.end === old!.end ? real.end : toEnd(own.end)
    if (ending === undefined) return unclearDepth(passage, line)
    lines.push(depth + content + ending)
  }
  // A model that omits a level of indentation also omits what makes a block.
  const isForgiven = pairs.some(({ model, file }) => model !== file)
  const flat = lines.findIndex(
    (_, at) => at > 0 && !partners[at]?.isSame && isFlatStep(lines[at - 1]!, lines[at]!, style.unit()),
  )
  if (isForgiven && flat !== -1) return unclearDepth(passage, lines[flat]!)
  const isLastNew = partners.at(lines.at(-1) === '' ? -2 : -1)?.isSame === false
  const next = lineBehind(passage)
  if (isForgiven && isLastNew && tearsBlock(lines, next, style)) return unclearDepth(passage, lines.at(-1)!)
  return { lines, from }
}

/** Two blanks at the end of a line are a line break of Markdown. */
const HARD_BREAK = '  '

/** Decide the blanks at the end of a new line; undefined if the model may have left out a line break. */
function endMap(
  pairs: readonly { model: string; file: string }[],
  style: TextStyle,
): (end: string) => string | undefined {
  return end => {
    const ends = new Set(pairs.filter(({ model }) => model === end).map(({ file }) => file))
    const [only] = ends
    if (only === undefined)
      return end === '' || pairs.every(({ model, file }) => model === file) ? end : undefined
    if (ends.has(HARD_BREAK) && (ends.size > 1 || end !== HARD_BREAK)) return style.isCode() ? '' : undefined
    return ends.size === 1 ? only : end
  }
}

type Parts = { depth: string; content: string; end: string }

/** Split a line into leading blanks, content and trailing blanks. */
function partsOf(line: string, split: { depth: boolean; end: boolean }): Parts {
  const depth = split.depth ? indentOf(line) : ''
  const rest = line.slice(depth.length)
  // A regular expression for trailing blanks would take quadratic time on blanks in the middle of a line.
  let to = rest.length
  while (split.end && to > 0 && isBlankRun(rest[to - 1]!)) to--
  const content = rest.slice(0, to)
  return { depth, content, end: rest.slice(content.length) }
}
