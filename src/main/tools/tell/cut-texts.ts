import { many } from '../../../shared/text/amounts.ts'
import { CUT_NOTE } from '../registry/shorten-result.ts'
import { writeWords } from './plain-markdown.ts'

/** The note that says how many lines are left out. */
const noteOn = (lines: number): string => `(${many(lines, 'more line is', 'more lines are')} not shown.)`
const NOTE = 60

/** Cut a Markdown text at the end of a line, to at most `most` characters, and close an open code block. */
export function shortenTold(text: string, most: number): string {
  if (text.length <= most) return text
  const lines = text.split('\n')
  const kept: string[] = []
  let fence = ''
  let room = most - NOTE
  for (const line of lines) {
    const mark = /^(`{3,})[\w-]*$/.exec(line)?.[1] ?? ''
    const after = fence === '' ? mark : line === fence ? '' : fence
    room -= line.length + 1
    if (room < after.length + 1) break
    kept.push(line)
    fence = after
  }
  const left = lines.length - kept.length
  // An empty block says nothing.
  if (fence !== '' && /^`{3,}[\w-]*$/.test(kept.at(-1) ?? '')) {
    kept.pop()
    fence = ''
  }
  if (kept.length === 0) return writeWords(text, most - NOTE)
  return [...kept, ...(fence === '' ? [] : [fence]), '', noteOn(left)].join('\n')
}

/** Shorten the longest of several texts until all together have at most `most` characters. */
export function fitAll(texts: readonly string[], most: number): string[] {
  const sizes = texts.map(each => each.length).toSorted((a, b) => a - b)
  let left = most
  let share = Math.floor(left / Math.max(1, sizes.length))
  for (const [at, size] of sizes.entries()) {
    share = Math.floor(left / (sizes.length - at))
    if (size > share) break
    left -= size
  }
  return texts.map(each => shortenTold(each, share))
}

/** Join the texts of several results: short sentences share a paragraph, everything else gets its own. */
export function joinTold(texts: readonly string[]): string {
  let joined = ''
  let wasShort = false
  for (const text of texts) {
    const isShort = text.length <= 160 && !text.includes('\n')
    joined += joined === '' ? text : isShort && wasShort ? ` ${text}` : `\n\n${text}`
    wasShort = isShort
  }
  return joined
}

/** A result that was shortened for a model: the remaining text, and the file that has all of it. */
export type CutResult = { text: string; isCut: boolean; keptIn?: string }

/** Read a result that may have been shortened. Each gap becomes one line of the text. */
export function readCut(text: string): CutResult {
  let isCut = false
  let keptIn: string | undefined
  const rest = text.replaceAll(CUT_NOTE, (_, count: string, advice: string | undefined) => {
    isCut = true
    keptIn ??= /\bin ([^]+), read it with read_file/.exec(advice ?? '')?.[1]
    return `\n… (${count} characters are left out) …\n`
  })
  return { text: rest, isCut, ...(keptIn !== undefined && { keptIn }) }
}

/** Read the lines of a list that may have been shortened. Lines that a gap cut in two are left out. */
export function readCutLines(text: string): CutResult & { lines: string[] } {
  const cut = readCut(text)
  if (!cut.isCut) return { ...cut, lines: text.split('\n') }
  const lines = cut.text.split('\n')
  const isGap = (line: string | undefined) =>
    line !== undefined && /^… \([\d,]+ characters are left out\) …$/.test(line)
  return {
    ...cut,
    lines: lines.filter((line, at) => !isGap(line) && !isGap(lines[at - 1]) && !isGap(lines[at + 1])),
  }
}
