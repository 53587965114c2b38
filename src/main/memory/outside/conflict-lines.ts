/** One side of an unmerged text, as a whole text without conflict marks. */
type Version = { label: string; text: string }

/** The versions in a text with conflict marks, or one version without the marks if they are incomplete. */
export type Conflict = { versions: Version[]; isWhole: boolean }

/** Git, Mercurial, Jujutsu and diff3 use seven signs for a mark, or more if the text itself has seven. */
const MARK = /^(<{7,}|>{7,}|\|{7,}|={7,}|%{7,}|\+{7,}|-{7,}|\\{7,})(?:[ \t]+(.*))?$/

/** A line. For a mark, `sign` is the repeated sign and `size` its count; for text, `sign` is empty. */
type Line = { text: string; sign: string; size: number; label: string }

/**
 * Find merge conflicts in a text, and the text of each side. Undefined without a conflict: a heading
 * underlined with seven signs, or a line that mentions the marks, is not one.
 */
export function findConflict(text: string): Conflict | undefined {
  if (!/[<>]{7}|={7}/.test(text)) return undefined
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map(lineOf)
  const parts = partsOf(lines)
  if (parts === 'none') return undefined
  if (parts === 'half') return { versions: [{ label: '', text: withoutMarks(lines) }], isWhole: false }
  const count = Math.max(...parts.map(part => (part.kind === 'sides' ? part.sides.length : 0)))
  const versions = Array.from({ length: count }, (_, at) => versionAt(parts, at))
  return { versions, isWhole: true }
}

function lineOf(text: string): Line {
  const found = MARK.exec(text.trimEnd())
  if (!found) return { text, sign: '', size: 0, label: '' }
  return { text, sign: found[1]![0]!, size: found[1]!.length, label: found[2] ?? '' }
}

type Side = { label: string; lines: string[] }
type Part = { kind: 'common'; lines: string[] } | { kind: 'sides'; sides: Side[] }

/** The common parts and the differing parts of the text. `half`: a mark without its counterparts. */
function partsOf(lines: readonly Line[]): Part[] | 'none' | 'half' {
  const parts: Part[] = []
  let common: string[] = []
  let hasSides = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (line.sign === '<') {
      const end = endOf(lines, at)
      const sides = end === undefined ? undefined : sidesOf(lines.slice(at, end + 1))
      if (end === undefined || sides === undefined) return 'half'
      parts.push({ kind: 'common', lines: common }, { kind: 'sides', sides })
      common = []
      hasSides = true
      at = end
    } else if (isStray(lines, at)) return 'half'
    else common.push(line.text)
  }
  return hasSides ? [...parts, { kind: 'common', lines: common }] : 'none'
}

/**
 * The end of the conflict that starts at a line; undefined if another starts first, or if it has no end.
 * Marks of another length belong to a conflict within the common ancestor.
 */
function endOf(lines: readonly Line[], begin: number): number | undefined {
  const { size } = lines[begin]!
  // Copying the rest for each conflict would take minutes for thousands of conflicts.
  for (let at = begin + 1; at < lines.length; at++) {
    const line = lines[at]!
    if (line.size !== size) continue
    if (line.sign === '>') return at
    if (line.sign === '<') return undefined
  }
  return undefined
}

/** Whether a line is a mark without a conflict: left over from tidying up, or from a truncated file. */
function isStray(lines: readonly Line[], at: number): boolean {
  const { sign, text, label } = lines[at]!
  if (sign === '>') return true
  if (sign !== '=' || label !== '' || text.trimEnd().length !== 7) return false
  // A heading of seven letters may be underlined with seven signs.
  return (lines[at - 1]?.text.trim().length ?? 0) !== 7
}

/** The sides of one conflict, from its first to its last mark; undefined if nothing separates them. */
function sidesOf(lines: readonly Line[]): Side[] | undefined {
  const { size } = lines[0]!
  const inner = lines.slice(1, -1).map(line => (line.size === size ? line : { ...line, sign: '' }))
  const [first, last] = [lines[0]!.label, lines.at(-1)!.label]
  if (inner.some(({ sign }) => sign === '%' || sign === '+')) return jujutsuSides(inner)
  const middle = inner.findIndex(({ sign, label }) => sign === '=' && label === '')
  if (middle < 0) return undefined
  const base = inner.findIndex(({ sign }) => sign === '|')
  const mine = inner.slice(0, base >= 0 && base < middle ? base : middle)
  return [
    { label: first, lines: mine.map(({ text }) => text) },
    { label: last, lines: inner.slice(middle + 1).map(({ text }) => text) },
  ]
}

/** Jujutsu writes one side as a diff (`%`), other sides in full (`+`), and their base (`-`). */
function jujutsuSides(lines: readonly Line[]): Side[] | undefined {
  const sides: Side[] = []
  let into: { side: Side; isDifference: boolean } | undefined
  let isSeen = false
  for (const { sign, label, text } of lines) {
    if (sign === '%' || sign === '+') {
      into = { side: { label: label.replace(/^.*(?=side #)/, ''), lines: [] }, isDifference: sign === '%' }
      sides.push(into.side)
    } else if (sign === '-') into = undefined
    else if (sign === '\\') continue
    else if (into?.isDifference) {
      if (!text.startsWith('-')) into.side.lines.push(text.replace(/^[ +]/, ''))
    } else into?.side.lines.push(text)
    isSeen = true
  }
  return isSeen && sides.length > 1 ? sides : undefined
}

const versionAt = (parts: readonly Part[], at: number): Version => {
  const sideOf = ({ sides }: { sides: Side[] }) => sides[at] ?? sides.at(-1)!
  const label = parts.flatMap(part => (part.kind === 'sides' ? [sideOf(part).label] : []))[0] ?? ''
  const lines = parts.flatMap(part => (part.kind === 'sides' ? sideOf(part).lines : part.lines))
  return { label, text: lines.join('\n') }
}

const withoutMarks = (lines: readonly Line[]): string =>
  lines
    .filter(({ sign }, at) => sign !== '<' && sign !== '|' && !isStray(lines, at))
    .map(({ text }) => text)
    .join('\n')
