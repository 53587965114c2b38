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
