/** A path without surrounding characters. `host` is the computer named by a `file://` address. */
export type PlainPath = { text: string; host?: string }

/** Maximum number of layers to unwrap. */
const MOST_ROUNDS = 20

/** Quotes that no name begins or ends with, and those that may be apostrophes, so they count in pairs. */
const QUOTES = new Set('"“”„‟〝〞〟＂«»‹›「」『』`')
const APOSTROPHES = new Set("'‘’‚‛＇")

/** Whether a character is a blank, a line break or invisible. */
const isNothing = (letter: string) =>
  /[\s\u0085\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2800\u3164\ufeff]/.test(letter)

/**
 * Extract the path from a text as a model writes it: remove surrounding quotes, backticks, blanks and line
 * breaks, `<…>`, a Markdown link or a `file://` address, and a trailing comma. Use forward slashes. The
 * inside of the path stays unchanged.
 */
export function plainPath(given: string): PlainPath {
  let text = given
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const address = readFileAddress(trim(text))
    if (address) return address
    const less = withoutStop(linked(withoutAngles(withoutQuotes(trim(text)))))
    if (less === text) break
    text = less
  }
  return { text: withSlashesOfHere(text) }
}

function trim(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isNothing(text[from]!)) from += 1
  while (to > from && isNothing(text[to - 1]!)) to -= 1
  return text.slice(from, to)
}

/** Remove quotes at both ends, or at one end only if there are no others. `\"` counts as a quote. */
function withoutQuotes(text: string): string {
  const one = peel(text, QUOTES)
  if (one.left + one.right > 0 && !hasAny(one.inner, QUOTES) && !isInches(text, one)) return one.inner
  const two = peel(text, APOSTROPHES)
  return two.left > 0 && two.right > 0 && !hasAny(two.inner, APOSTROPHES) ? two.inner : text
}

type Peeled = { inner: string; left: number; right: number }

function peel(text: string, quotes: ReadonlySet<string>): Peeled {
  let from = 0
  let to = text.length
  for (let at = from; at < to; at++) {
    if (quotes.has(text[at]!)) from = at + 1
    else if (text[at] !== '\\') break
  }
  while (to > from && quotes.has(text[to - 1]!)) {
    to -= 1
    while (to > from && text[to - 1] === '\\') to -= 1
  }
  return { inner: text.slice(from, to), left: from, right: text.length - to }
}

const hasAny = (text: string, letters: ReadonlySet<string>) =>
  Array.from(text).some(letter => letters.has(letter))

/** Whether a quote after a number means inches, as in `Screen 27"`. */
const isInches = (text: string, { left, right, inner }: Peeled) =>
  left === 0 && right === 1 && /["”]$/.test(text) && /\d$/.test(inner)

const withoutAngles = (text: string) =>
  (text.startsWith('<') && text.endsWith('>')) || (text.startsWith('＜') && text.endsWith('＞'))
    ? text.slice(1, -1)
    : text

/** Return the target of a Markdown link, or its label if the target is just the label as a web address. */
function linked(text: string): string {
  const [, label = '', inside] = /^!?\[([^[\]]*)\]\((.*)\)$/s.exec(text) ?? []
  if (inside === undefined) return text
  const target = trim(inside.replace(/\s(?:"[^"]*"|'[^']*')\s*$/, ''))
  const name = /^https?:\/\/(.*?)\/?$/is.exec(target)?.[1]
  return name !== undefined && name === trim(label) ? label : target
}

/** Remove a final comma, colon or semicolon, and a full stop after a file extension. */
function withoutStop(text: string): string {
  if (/^[A-Za-z]:$/.test(text)) return text
  let to = text.length
  while (to > 0 && ',;:，；：、'.includes(text[to - 1]!)) to -= 1
  const less = text.slice(0, to)
  return less.replace(/(?<=[^./\\]\.[\p{L}][\p{L}\p{N}]{0,9}|^\.[\p{L}]{2,20})[.。]{1,3}$/u, '')
}

/** Read the path of a `file:` address, with its escapes. */
function readFileAddress(text: string): PlainPath | undefined {
  const found = /^file:(?:\/\/([^/\\]*))?(.*)$/is.exec(text)
  if (!found) return undefined
  const [, host = '', rest = ''] = found
  const path = readEscapes(trim(rest))
  if (/^[A-Za-z]:$/.test(host)) return { text: host + path }
  if (/^\/[A-Za-z]:[/\\]/.test(path)) return { text: path.slice(1) }
  if (host === '' || /^(localhost|127\.0\.0\.1)$/i.test(host)) return { text: withSlashesOfHere(path) }
  return { text: withSlashesOfHere(path), host: readEscapes(host) }
}

/** Decode escapes such as `%20`; invalid ones stay. */
export const readEscapes = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, run => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })

/** Convert `src\b.ts` from Windows and `My\ Notes.txt` from a shell. On Windows nothing changes. */
function withSlashesOfHere(text: string): string {
  if (process.platform === 'win32' || !text.includes('\\')) return text
  if (/^\\\\[^\\]/.test(text)) return text
  return /\\[ )\]'"&]/.test(text) ? text.replace(/\\(.)/gs, '$1') : text.replace(/\\+/g, '/')
}

/** The reason why a plain path cannot name anything; undefined if it can. */
export function pathProblem({ text, host }: PlainPath): string | undefined {
  if (host !== undefined)
    return `file://${host} names another computer, not a file of this one. Write the path alone.`
  if (text === '') return 'The path is empty.'
  if (text.includes('\0')) return 'The path contains a null character.'
  const [odd] = /[\p{Cc}\u2028\u2029]/u.exec(text) ?? []
  if (odd !== undefined) {
    const after = text.slice(0, text.indexOf(odd)).slice(-40)
    return `The path has ${wordFor(odd)} in it, after “${after}”. Write it in one line, with / between folders.`
  }
  if (!text.isWellFormed()) return 'The path is not valid text: it holds half of a character.'
  const short = text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text
  if (/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(text)) return `${short} is an address, not the path of a file.`
  if (isOnAnotherComputer(text)) return `${short} is on another computer. Only files of this one can be used.`
  if (process.platform !== 'win32' && /^[A-Za-z]:[/\\]/.test(text))
    return `${short} is a path of Windows, which leads nowhere on this computer.`
  return undefined
}

/** Whether a Windows path leads to another computer. Just checking it would send the user's name there. */
export const isOnAnotherComputer = (text: string): boolean =>
  /^\\\\[^\\]/.test(text) || (process.platform === 'win32' && /^[\\/]{2}[^\\/]/.test(text))

function wordFor(letter: string): string {
  if (/[\n\r\u0085\u2028\u2029\v\f]/.test(letter)) return 'a line break'
  return letter === '\t'
    ? 'a tab'
    : `the control character U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
