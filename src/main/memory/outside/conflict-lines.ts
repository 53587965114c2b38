/** One version of a text that a program could not merge, as a whole text without marks. */
type Version = { label: string; text: string }

/** What lines of a conflict make of a text: its versions, or one without the marks where the conflict is not whole. */
export type Conflict = { versions: Version[]; isWhole: boolean }

/** Git, Mercurial, Jujutsu and diff3 begin such lines with seven equal signs, more where a text holds seven itself. */
const MARK = /^(<{7,}|>{7,}|\|{7,}|={7,}|%{7,}|\+{7,}|-{7,}|\\{7,})(?:[ \t]+(.*))?$/

/** A line, with the sign that a mark repeats and how often; no sign in a line of text. */
type Line = { text: string; sign: string; size: number; label: string }

/**
 * Find the lines of merge conflicts in a text, and what each side of them would make of it. Undefined if there are none: a
 * heading that is underlined with seven signs is no conflict, and neither is a line that only mentions the marks.
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

/** The text in parts: what all sides have, and what they differ in. `half`: a mark without those that belong to it. */
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
 * Where the conflict that begins at a line ends; undefined if another begins first, or none ends. Marks of another length
 * belong to a conflict within the common ancestor.
 */
function endOf(lines: readonly Line[], begin: number): number | undefined {
  const { size } = lines[begin]!
  // A copy of the rest for each conflict would take minutes where there are thousands.
  for (let at = begin + 1; at < lines.length; at++) {
    const line = lines[at]!
    if (line.size !== size) continue
    if (line.sign === '>') return at
    if (line.sign === '<') return undefined
  }
  return undefined
}

/** Whether a line is a mark that belongs to no conflict: what a person left when they tidied up, or a file cut short. */
function isStray(lines: readonly Line[], at: number): boolean {
  const { sign, text, label } = lines[at]!
  if (sign === '>') return true
  if (sign !== '=' || label !== '' || text.trimEnd().length !== 7) return false
  // A heading of seven letters is underlined with seven signs.
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

/** Jujutsu writes one side as a difference (`%`), others whole (`+`), and the base of them all (`-`). */
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
