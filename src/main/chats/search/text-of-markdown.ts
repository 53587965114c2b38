/** A text without any of these characters contains no Markdown. */
const MARKED = /[*_`~[\]#>|\\]/u

/**
 * Return a Markdown text about as it is displayed: without the marks of emphasis, code, headings, quotes,
 * tables and links. It is read line by line, and code stays unchanged. Searches then find exactly what the
 * user sees.
 */
export function textOfMarkdown(text: string): string {
  if (!MARKED.test(text)) return text
  let inCode = false
  const lines = text.split('\n').flatMap(line => {
    if (/^\s*(?:```|~~~)/u.test(line)) {
      inCode = !inCode
      return []
    }
    return [inCode ? line : shownLine(line)]
  })
  return lines.join('\n')
}

function shownLine(line: string): string {
  // Text in backticks stays unchanged.
  return line
    .replace(/^\s*(?:#{1,6}\s+|>\s?)+/u, '')
    .split(/((?<!`)`+[^`]+`+)/u)
    .map((part, at) => (at % 2 === 1 ? part.replaceAll('`', '') : shownText(part)))
    .join('')
}

function shownText(text: string): string {
  const linked = text.replaceAll(/!?\[([^[\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/gu, '$1')
  return withoutPairs(withoutPairs(linked, STARS), LINES).replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1')
}

/** Marks around emphasised words, longest first, and the patterns for text before and after them. */
type Marks = { marks: readonly string[]; opens: Sides; closes: Sides }
type Sides = { before: RegExp; behind: RegExp }

const STARS: Marks = {
  marks: ['***', '**', '*', '~~'],
  opens: { before: /^$|[^\\]$/u, behind: /^\S/u },
  closes: { before: /[^\s\\]$/u, behind: /^/u },
}
const LINES: Marks = {
  marks: ['___', '__', '_'],
  opens: { before: /^$|[^\p{L}\p{N}_]$/u, behind: /^\S/u },
  closes: { before: /\S$/u, behind: /^$|^[^\p{L}\p{N}_]/u },
}

/** Remove marks that are closed by the same mark. A pattern would scan to the end for each opening one. */
function withoutPairs(text: string, { marks, opens, closes }: Marks): string {
  const known = marks.filter(mark => text.includes(mark))
  if (known.length === 0) return text
  const fits = (at: number, mark: string, { before, behind }: Sides) =>
    before.test(text.slice(Math.max(0, at - 2), at)) &&
    behind.test(text.slice(at + mark.length, at + mark.length + 2))
  const closing = new Map(
    known.map(mark => [mark, placesOf(text, mark).filter(at => fits(at, mark, closes))]),
  )
  const next = new Map(known.map(mark => [mark, 0]))
  const closingBehind = (mark: string, least: number) => {
    const places = closing.get(mark)!
    let index = next.get(mark)!
    while (index < places.length && places[index]! < least) index++
    next.set(mark, index)
    return places[index]
  }
  const pieces: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    for (const mark of known) {
      if (!text.startsWith(mark, at) || !fits(at, mark, opens)) continue
      const end = closingBehind(mark, at + mark.length + 1)
      if (end === undefined) continue
      pieces.push(text.slice(from, at), text.slice(at + mark.length, end))
      from = end + mark.length
      at = from - 1
      break
    }
  }
  return [...pieces, text.slice(from)].join('')
}

function placesOf(text: string, mark: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) places.push(at)
  return places
}
