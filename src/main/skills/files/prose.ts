/** A Markdown body without its code blocks. Both texts keep the body's line numbers. */
export type Prose = {
  /** With inline code; fenced code and comments are blank lines. */
  text: string
  /** Without inline code, too. */
  words: string
  hasCode: boolean
}

/** Remove the code from a body. */
export function proseOf(body: string): Prose {
  let fence: string | undefined
  let hasCode = false
  const lines = body.split(/\r\n?|\n/).map(line => {
    const mark =
      line.includes('```') || line.includes('~~~') ? /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1] : undefined
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && /^[\s>]*[`~]+\s*$/.test(line)) fence = undefined
      return ''
    }
    if (mark === undefined) return line
    hasCode = true
    fence = mark
    return ''
  })
  const text = withoutComments(lines.join('\n'))
  return { text, words: text.replace(/(`+)[^`\n]*\1/g, blank), hasCode }
}

function withoutComments(text: string): string {
  let kept = ''
  let at = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start)
    if (end === -1) break
    kept += text.slice(at, start) + blank(text.slice(start, end + 3))
    at = end + 3
  }
  return kept + text.slice(at)
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** The line number of an offset, counted from `first`. */
export function lineAt(text: string, offset: number, first: number): number {
  let line = first
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

const LONGEST = 300
// Maximum length to search, in characters.
const REACH = 20_000

/** The first prose paragraph of Markdown, as one line of at most 300 characters; empty if there is none. */
export function firstParagraph(markdown: string): string {
  const lines: string[] = []
  let fence: string | undefined
  let isComment = false
  for (const raw of markdown.slice(0, REACH).split(/\r\n?|\n/)) {
    const line = raw.trim()
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      continue
    }
    if (isComment || line.startsWith('<!--')) {
      isComment = !line.includes('-->')
      continue
    }
    if (mark !== undefined) fence = mark
    const isProse = mark === undefined && line !== '' && !isFurniture(line)
    if (isProse) lines.push(line.replace(/^>\s*/, ''))
    // An underline makes the preceding lines a title.
    else if (/^(?:=+|-{2,})$/.test(line)) lines.length = 0
    else if (lines.length > 0) break
  }
  return cut(plain(lines.join(' ')))
}

/** Whether a line is a heading, a rule, an image, or part of a table, a list or HTML. */
const isFurniture = (line: string): boolean =>
  /^(?:#{1,6}(?:\s|$)|[-*_=]{2,}$|\[?!\[|\||[-*+]\s|\d{1,9}[.)]\s|<\/?[a-z])/i.test(line)

const plain = (text: string): string =>
  text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .replace(/\s+/g, ' ')
    .trim()

function cut(text: string): string {
  if (text.length <= LONGEST) return text
  const end = text.lastIndexOf(' ', LONGEST - 1)
  return `${text
    .slice(0, end > LONGEST / 2 ? end : LONGEST - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
