const CONTEXT = 3
const MOST_CELLS = 1_000_000
const MOST_LINES = 400

type Line = { mark: ' ' | '-' | '+'; text: string; before: number; after: number }

/**
 * A unified diff of two texts without the two header lines; empty when they are equal. Work and length are bounded:
 * where too much differs the whole part is shown as replaced, and a long diff says how many lines it leaves out.
 */
export function diffTexts(before: string, after: string): string {
  if (before === after) return ''
  const hunks = hunksOf(compare(linesOf(before), linesOf(after)))
  const lines = hunks.flatMap(hunk => [headOf(hunk), ...hunk.map(line => line.mark + line.text)])
  if (lines.length === 0) return 'Only line endings or the last line break differ.'
  if (lines.length <= MOST_LINES) return lines.join('\n')
  return [...lines.slice(0, MOST_LINES), `[… ${lines.length - MOST_LINES} more lines of this diff]`].join(
    '\n',
  )
}

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const room = Math.min(before.length, after.length) - start
  while (end < room && before[before.length - 1 - end] === after[after.length - 1 - end]) end++

  const lines: Line[] = []
  const add = (mark: Line['mark'], text: string, at: number, to: number) =>
    lines.push({ mark, text, before: at, after: to })
  for (let i = 0; i < start; i++) add(' ', before[i]!, i, i)
  const middle = [before.slice(start, before.length - end), after.slice(start, after.length - end)] as const
  for (const [mark, i, j] of steps(...middle)) {
    add(mark, mark === '+' ? middle[1][j]! : middle[0][i]!, start + i, start + j)
  }
  for (let i = end; i > 0; i--) {
    add(' ', before[before.length - i]!, before.length - i, after.length - i)
  }
  return lines
}

/** The way from one list to the other along their longest common subsequence. */
function steps(a: readonly string[], b: readonly string[]): [Line['mark'], number, number][] {
  const width = b.length + 1
  if ((a.length + 1) * width > MOST_CELLS) {
    return [
      ...a.map((_, i): [Line['mark'], number, number] => ['-', i, 0]),
      ...b.map((_, j): [Line['mark'], number, number] => ['+', a.length, j]),
    ]
  }
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const way: [Line['mark'], number, number][] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) way.push([' ', i++, j++])
    else if (i < a.length && (j === b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      way.push(['-', i++, j])
    } else way.push(['+', i, j++])
  }
  return way
}

/** Changed lines with the lines around them; changes that are close together share one hunk. */
function hunksOf(lines: readonly Line[]): Line[][] {
  const ranges: { from: number; to: number }[] = []
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue
    const [from, to] = [Math.max(index - CONTEXT, 0), index + CONTEXT + 1]
    const last = ranges.at(-1)
    if (last && from <= last.to) last.to = to
    else ranges.push({ from, to })
  }
  return ranges.map(({ from, to }) => lines.slice(from, to))
}

function headOf(hunk: readonly Line[]): string {
  const [first] = hunk
  const range = (start: number, count: number) =>
    `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`
  const old = hunk.filter(line => line.mark !== '+').length
  const now = hunk.filter(line => line.mark !== '-').length
  return `@@ -${range(first!.before, old)} +${range(first!.after, now)} @@`
}
