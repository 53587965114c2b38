const LONGEST = 300
// Maximum length to search, in characters.
const REACH = 20_000

/** The first prose paragraph of Markdown, as one line of at most 300 characters; empty when there is none. */
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

/** Headings, rules, images, tables, lists and HTML. */
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
