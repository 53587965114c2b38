import { parseJson } from '../../lib/expected-errors.ts'

/** A ChatGPT mark: private characters start it, separate its fields, and end it. */
const MARK = /\uE200([^\uE200-\uE202]*)((?:\uE202[^\uE200-\uE202]*)*)(\uE201|(?=\uE200)|$)/g
const BRACKETS = /【\d+[^】]{0,40}】/g
const STRAY = /[\uE200-\uE206]/g

/** References to search results, by numbers that only ChatGPT knows. */
const SOURCE = /^\s*(?:turn\d+[a-z_]+\d*[\s,]*)+/i

/** Marks that lost their private characters, as when a chat was copied. No other text looks like this. */
const BARE_SOURCE = /[ \t]?\b(?:file)?cite[ \t]?(?:turn\d+[a-z_]+\d+)+/g
const BARE_ENTITY = /\bentity(\["[a-z_]+",\s*"(?:[^"\\]|\\.)*"(?:,\s*(?:"(?:[^"\\]|\\.)*"|null))*\])/g

/** Marks for things other than words, such as pictures to search for. */
const WORDLESS =
  /^(cite|filecite|image_group|i|video|audio|genui|forecast|finance|schedule|standing|sport|calc|time)$/

/** Remove private marks from a text, but keep their words. `left`: the number of marks without words. */
export function readMarks(text: string): { text: string; left: number } {
  let left = 0
  const bare = text
    .replaceAll(MARK, (_whole, kind: string, rest: string, end: string) => {
      const fields = rest.split('\uE202').slice(1)
      const words = end === '\uE201' ? wordsOf(kind.trim(), fields) : wordsOfOpen(kind, fields)
      if (words === '') left++
      return words
    })
    .replaceAll(BRACKETS, () => {
      left++
      return ''
    })
    .replaceAll(STRAY, '')
    .replaceAll(BARE_ENTITY, (_whole, list: string) => wordsOf('entity', [list]))
    .replaceAll(BARE_SOURCE, () => {
      left++
      return ''
    })
  return { text: bare, left }
}

function wordsOf(kind: string, fields: readonly string[]): string {
  if (WORDLESS.test(kind)) return ''
  if (kind === 'entity') return stringsIn(fields[0] ?? '')[1] ?? stringsIn(fields[0] ?? '')[0] ?? ''
  const strings = fields.flatMap(stringsIn).filter(each => each.replace(SOURCE, '').trim() !== '')
  if (kind !== 'url' && kind !== 'link') return strings.map(each => each.trim()).join(' ')
  const address = strings.find(each => /^https?:\/\/\S+$/.test(each.trim()))?.trim()
  const title = strings.find(each => each.trim() !== address)?.trim()
  if (address === undefined) return title ?? ''
  return title === undefined ? address : `[${title.replaceAll(/[[\]]/g, '')}](${address})`
}

/** Return the words of an unclosed mark. Its last field runs into the text that follows, which is kept. */
function wordsOfOpen(kind: string, fields: readonly string[]): string {
  if (fields.length === 0) return kind
  const [last = '', before] = [fields.at(-1), fields.slice(0, -1)]
  const list = /^\s*(\[[^\]]*\]|\{[^{}]*\})/.exec(last)?.[0]
  const own = list ?? SOURCE.exec(last)?.[0] ?? (/^\s*[[{]/.test(last) ? last : '')
  const behind = last.slice(own.length)
  return `${wordsOf(kind.trim(), own === '' ? before : [...before, own])}${before.length > 0 && own === '' ? ' ' : ''}${behind}`
}

/** Return the texts in a field: from its JSON, even if broken; else the field itself. */
function stringsIn(field: string): string[] {
  if (!/^\s*[[{]/.test(field)) return [field]
  const value = parseJson(field)
  if (value !== undefined) return textsOf(value, 0)
  return [...field.matchAll(/"((?:[^"\\]|\\.)*)(?:"|$)/g)].map(match => match[1] ?? '')
}

const MOST_DEEP = 5

function textsOf(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > MOST_DEEP) return []
  return Object.values(value).flatMap(each => textsOf(each, depth + 1))
}
