const FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)]) +|> ?)*)(`{3,}|~{3,})[ \t]*([^`\n]*)$/
const MARKDOWN = /^(?:markdown|md|mdx|mkd|mdown)\b/i

type Fence = { at: number; before: string; marks: string; info: string }

/**
 * Lengthen the fences around Markdown that contains fences, so that the block ends at the last matching
 * fence. Otherwise a README in three backticks ends at its first code block. While the text grows, an
 * unclosed block stays open.
 */
export function mendFences(text: string, isLive = false): string {
  if (!/^[ \t>*+\-\d.)]*(?:```+|~~~+)[ \t]*(?:markdown|md|mdx|mkd|mdown)\b/im.test(text)) return text
  const lines = text.split('\n')
  const fences = lines.flatMap((line, at) => fenceOf(line, at) ?? [])
  const bare = bareLeft(fences)
  let next = 0
  while (next < fences.length) {
    const fence = fences[next]!
    if (!MARKDOWN.test(fence.info)) {
      next = closerOf(fences, next) + 1
      continue
    }
    const end = endOf(fences, next, { lines, bare, isLive })
    const last = end ?? fences.length
    const inner = fences.slice(next + 1, last).filter(({ marks }) => marks[0] === fence.marks[0])
    const length = Math.max(...inner.map(({ marks }) => marks.length + 1), fence.marks.length)
    for (const edge of [fence, fences[last]]) {
      if (!edge) continue
      const rest = lines[edge.at]!.slice(edge.before.length + edge.marks.length)
      lines[edge.at] = `${edge.before}${fence.marks[0]!.repeat(length)}${rest}`
    }
    next = last + 1
  }
  return lines.join('\n')
}

function fenceOf(line: string, at: number): Fence | undefined {
  const [, before = '', marks, info = ''] = FENCE.exec(line) ?? []
  return marks === undefined ? undefined : { at, before, marks, info: info.trim() }
}

const fits = (fence: Fence, opener: Fence) =>
  fence.marks[0] === opener.marks[0] && fence.marks.length >= opener.marks.length

/** The index of the fence that closes an ordinary block. */
function closerOf(fences: readonly Fence[], at: number): number {
  let next = at + 1
  while (next < fences.length && !(fences[next]!.info === '' && fits(fences[next]!, fences[at]!))) next++
  return next
}

/** For each fence: the number of closing fences minus the number of opening fences from there on. */
function bareLeft(fences: readonly Fence[]): number[] {
  const left = [0]
  for (const { info } of fences.toReversed()) left.push(left.at(-1)! + (info === '' ? 1 : -1))
  return left.toReversed()
}

type Known = { lines: readonly string[]; bare: readonly number[]; isLive: boolean }

/**
 * The fence that closes a Markdown block: the first that no inner block needs, else the last possible one.
 */
function endOf(fences: readonly Fence[], at: number, { lines, bare, isLive }: Known): number | undefined {
  const opener = fences[at]!
  let isInside = false
  let last: number | undefined
  for (let next = at + 1; next < fences.length; next++) {
    const fence = fences[next]!
    if (!fits(fence, opener)) continue
    if (fence.info !== '') {
      // Another document starts: this one had no end.
      if (MARKDOWN.test(fence.info) && !isInside && last !== undefined) break
      isInside = true
      continue
    }
    last = next
    if (isInside) isInside = false
    // A bare fence right before text opens a block, if enough bare fences follow to close both.
    else if (isFollowed(lines, fence.at) && bare[next + 1]! >= 2) isInside = true
    else return next
  }
  return isLive ? undefined : last
}

const isFollowed = (lines: readonly string[], at: number) => (lines[at + 1] ?? '').trim() !== ''
