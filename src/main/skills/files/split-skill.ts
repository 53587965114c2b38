/** A SKILL.md split by lines. Offsets count UTF-16 units of the text. */
export type SplitSkill = {
  /**
   * `none`: the text is all body. `open`: the closing line is missing, so the front matter ends after its
   * last field.
   */
  form: 'closed' | 'open' | 'none'
  /** The text between the `---` lines, with `\n` after every line; empty without front matter. */
  front: string
  /** 1-based line where `front` begins. */
  frontLine: number
  /** Everything below the front matter, unchanged, without a byte order mark. */
  body: string
  bodyLine: number
  /** The line ending of the text. */
  newline: '\n' | '\r\n'
  hasMark: boolean
  /** Whether blank lines precede the front matter. */
  isLate: boolean
}

const MARK = '\uFEFF'
const RULE = /^---[ \t]*$/
const LOOKS_LIKE_FIELD = /^[A-Za-z_][\w.-]{0,63}[ \t]*:(?!\/\/)/

/** Find front matter and body. Only a line of just `---` closes the front matter. */
export function splitSkill(text: string): SplitSkill {
  const hasMark = text.startsWith(MARK)
  const whole = hasMark ? text.slice(1) : text
  const newline = whole.includes('\r\n') ? '\r\n' : '\n'
  const none = (): SplitSkill => ({
    form: 'none',
    front: '',
    frontLine: 1,
    body: whole,
    bodyLine: 1,
    newline,
    hasMark,
    isLate: false,
  })
  const lines = linesOf(whole)
  let at = lines.next()
  let number = 1
  while (!at.done && at.value.text.trim() === '') {
    at = lines.next()
    number++
  }
  if (at.done || !RULE.test(at.value.text)) return none()
  const isLate = number > 1
  const frontLine = number + 1
  const front: string[] = []
  // Where the fields end if the closing line is missing: the offset, and the number of lines before it.
  let open: { end: number; lines: number } | undefined
  let end = at.value.end
  for (at = lines.next(); !at.done; at = lines.next()) {
    const { text: line } = at.value
    if (RULE.test(line)) {
      const bodyLine = frontLine + front.length + 1
      return {
        form: 'closed',
        front: joined(front),
        frontLine,
        body: whole.slice(at.value.end),
        bodyLine,
        newline,
        hasMark,
        isLate,
      }
    }
    if (open === undefined && !isPartOfFields(line)) open = { end, lines: front.length }
    front.push(line)
    end = at.value.end
  }
  const { end: bodyAt, lines: count } = open ?? { end, lines: front.length }
  const fields = front.slice(0, count)
  // A rule at the top without a field below it is Markdown.
  if (!fields.some(line => LOOKS_LIKE_FIELD.test(line))) return none()
  return {
    form: 'open',
    front: joined(fields),
    frontLine,
    body: whole.slice(bodyAt),
    bodyLine: frontLine + count,
    newline,
    hasMark,
    isLate,
  }
}

const joined = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('')

const isPartOfFields = (line: string): boolean => LOOKS_LIKE_FIELD.test(line) || /^(?:[ \t]+\S|- )/.test(line)

/** Iterate lazily over the lines of a text, without line ends. `end` is the offset of the next line. */
function* linesOf(text: string): Generator<{ text: string; end: number }, void> {
  // Files without any line feed use the line endings of the old Mac OS.
  const ends = text.includes('\n') ? /\r?\n/g : /\r/g
  let start = 0
  for (const found of text.matchAll(ends)) {
    const end = found.index + found[0].length
    yield { text: text.slice(start, found.index), end }
    start = end
  }
  if (start < text.length) yield { text: text.slice(start), end: text.length }
}
