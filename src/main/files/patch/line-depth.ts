/** The unit of indentation of a text: a tab or a number of blanks per level. */
export type Unit = string

const MOST_LINES = 20_000
const MOST_BLANKS = 8
/** Minimum share of the indented lines that must agree. */
const CLEAR = 0.9

export const indentOf = (line: string): string => /^[\p{Zs}\t]*/u.exec(line)![0]

/** Find the unit of indentation of a text; undefined if there is none, or more than one. */
export function unitOf(lines: readonly string[]): Unit | undefined {
  let [tabs, blanks, before] = [0, 0, 0]
  const steps: number[] = []
  for (const line of lines.slice(0, MOST_LINES)) {
    const indent = indentOf(line)
    // The lines of a block comment are one blank deeper.
    if (line.length === indent.length || line[indent.length] === '*') continue
    if (/^\t+$/.test(indent)) tabs++
    else if (/^ +$/.test(indent)) blanks++
    const width = /^ *$/.test(indent) ? indent.length : 0
    if (width > before && width - before <= MOST_BLANKS) steps.push(width - before)
    before = width
  }
  if (tabs + blanks === 0) return undefined
  if (tabs >= (tabs + blanks) * CLEAR) return '\t'
  if (blanks < (tabs + blanks) * CLEAR || steps.length === 0) return undefined
  const counts = new Map<number, number>()
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1)
  const [[step, count]] = [...counts].toSorted(([a, many], [b, others]) => others - many || a - b) as [
    [number, number],
  ]
  return count >= steps.length / 2 ? ' '.repeat(step) : undefined
}

/** How many levels deep an indent is in this unit; undefined if it is not a whole number. */
export function levelOf(indent: string, unit: Unit): number | undefined {
  const level = indent.length / unit.length
  return Number.isInteger(level) && indent === unit.repeat(level) ? level : undefined
}

/** The width of an indent of only tabs or only blanks; undefined for a mixed one. */
const widthOf = (indent: string): number | undefined =>
  /^(\t*| *)$/.test(indent) ? indent.length : undefined

/** The indent of one line as the model wrote it, and as the file has it. */
export type DepthPair = { model: string; file: string }

/**
 * Map the model's indents to the file's; undefined if unclear. `pairs` are lines that both have. `written`
 * are all indents that the model wrote.
 */
export function depthMap(
  pairs: readonly DepthPair[],
  written: readonly string[],
  unit: () => Unit | undefined,
): (indent: string) => string | undefined {
  const known = new Map<string, Set<string>>()
  for (const { model, file } of pairs) known.set(model, (known.get(model) ?? new Set()).add(file))
  const isSame = pairs.every(({ model, file }) => model === file)
  const extrapolate = isSame ? (indent: string) => indent : extrapolation(pairs, written, unit())
  return indent => {
    const [file, other] = known.get(indent) ?? []
    if (other !== undefined) return undefined
    return file ?? extrapolate(indent)
  }
}

/** Extrapolate from the known indents, level by level. */
function extrapolation(
  pairs: readonly DepthPair[],
  written: readonly string[],
  unit: Unit | undefined,
): (indent: string) => string | undefined {
  const unclear = () => undefined
  const models = written.filter(indent => indent !== '')
  // Tabs and blanks in one passage cannot be counted together.
  if (models.some(indent => indent[0] !== models[0]![0] || widthOf(indent) === undefined)) return unclear
  const isFlat = pairs.every(({ file }) => file === '')
  const step = stepOf(pairs, written, unit)
  if (step === undefined) return unclear
  const fileUnit = unit ?? (isFlat ? models[0]![0]!.repeat(step) : undefined)
  if (fileUnit === undefined) return unclear
  const levels = pairs.map(({ model, file }) => ({ width: model.length, level: levelOf(file, fileUnit) }))
  const base = levels[0]
  if (!base || levels.some(({ level }) => level === undefined)) return unclear
  return indent => {
    const level = base.level! + (indent.length - base.width) / step
    // If no known line is indented, nothing can be shallower.
    if (isFlat && level < 0) return ''
    return Number.isInteger(level) && level >= 0 ? fileUnit.repeat(level) : undefined
  }
}

/** How much the model indents per level: as known lines show, else its smallest step. */
function stepOf(
  pairs: readonly DepthPair[],
  written: readonly string[],
  unit: Unit | undefined,
): number | undefined {
  const levels = pairs.flatMap(({ model, file }) => {
    const level = unit === undefined ? undefined : levelOf(file, unit)
    return level === undefined ? [] : [{ width: model.length, level }]
  })
  const [first] = levels
  const others = levels.filter(({ level }) => level !== first!.level)
  if (others.length > 0) {
    const steps = new Set(others.map(({ width, level }) => (width - first!.width) / (level - first!.level)))
    const [step] = steps
    return steps.size === 1 && step! > 0 ? step : undefined
  }
  const widths = [...new Set(written.map(indent => indent.length))].toSorted((a, b) => a - b)
  const gaps = widths.slice(1).map((width, index) => width - widths[index]!)
  return gaps.length > 0 ? Math.min(...gaps) : undefined
}
