import { parseJson, type Refusal } from '../../lib/expected-errors.ts'

const MOST_GLOBS = 64

/** Maximum length: longer than any meaningful list of globs, and short enough to be read quickly. */
const MOST_LETTERS = 4_000

/** The globs of one argument: those to search, and those to exclude. */
export type GlobList = { included: readonly string[]; excluded: readonly string[] }

/**
 * Return the ways to read the argument `glob`, such as `*.ts,*.tsx`: first as one glob, because names may
 * contain blanks and commas, then as a list. `above` is the searched folder with a slash at the end, as an
 * absolute path and as the model knows it.
 */
export function readGlobs(given: string, above: readonly string[]): GlobList[] | Refusal {
  if (given.length > MOST_LETTERS)
    return { refused: `The glob is longer than ${MOST_LETTERS} letters. Use a shorter one.` }
  const whole = unquoted(given)
  const listed = whole.startsWith('[') ? parseJson(whole) : undefined
  const isList = Array.isArray(listed) && listed.every(each => typeof each === 'string')
  const parts = isList ? listed.map(unquoted) : split(whole)
  const lists: GlobList[] = []
  for (const reading of isList || parts.length < 2 ? [parts] : [[whole], parts]) {
    const list = listOf(reading, above)
    if (!('refused' in list)) lists.push(list)
    else if (reading === parts) return list
  }
  return lists
}

function listOf(globs: readonly string[], above: readonly string[]): GlobList | Refusal {
  const included: string[] = []
  const excluded: string[] = []
  for (const glob of globs) {
    const isExcluded = /^!(?!\()/.test(glob)
    const read = readGlob(unquoted(isExcluded ? glob.slice(1) : glob), above)
    if ('refused' in read) return read
    for (const each of read) (isExcluded ? excluded : included).push(...expandBraces(each))
  }
  if (included.length + excluded.length > MOST_GLOBS)
    return { refused: `The glob stands for more than ${MOST_GLOBS} globs. Use a shorter one.` }
  return { included, excluded }
}

/** Read one glob, relative to the searched folder. Returns two if it may begin with that folder. */
function readGlob(given: string, above: readonly string[]): string[] | Refusal {
  // A backslash before a special character escapes it; any other is a Windows separator.
  const glob = given
    .normalize('NFC')
    .replaceAll(/\\(?![[\]{}()!#])/g, '/')
    .replace(/^(?:\.\/+)+/, '')
  const folder = above.map(each => each.normalize('NFC')).find(each => glob.startsWith(each))
  const below = folder === undefined ? glob : glob.slice(folder.length)
  if (/(?:^|\/)\.\.(?:\/|$)/.test(below))
    return { refused: `The glob ${given} leads out of the searched folder. Name a folder as path.` }
  if (folder === undefined && ELSEWHERE.test(glob))
    return { refused: `The glob ${given} is not below the searched folder. Name its folder as path.` }
  if (/[+?!*]\([^()]*\)/.test(below.replaceAll(/\\./g, '')))
    return {
      refused: `The glob ${given} has a form of shells that is not known here. Known are *, **, ?, [a-z], {a,b} and a list with ! before what is left out.`,
    }
  const both = folder === undefined || folder.startsWith('/') ? [below] : [glob, below]
  return both.map(each => (each === '.' || each === '' ? '**' : withBraces(each)))
}

/** Write `(a|b)` and `@(a|b)` as `{a,b}`. */
const withBraces = (glob: string): string =>
  glob.replaceAll(
    /@?\((?<inner>[^()/]*\|[^()/]*)\)/g,
    (_, inner: string) => `{${inner.replaceAll('|', ',')}}`,
  )

/** Paths of the system or of a home. Other globs with a leading slash are relative to the searched folder. */
const ELSEWHERE = /^(?:~\/|[A-Za-z]:\/|\/(?:home|Users|usr|etc|var|tmp|opt|root|mnt|private|Volumes)\/)/

/** Remove blanks and quotes around a text. */
const unquoted = (text: string): string => {
  const trimmed = text.trim()
  return /^(["'`])(?:(?!\1).)*\1$/s.test(trimmed) ? trimmed.slice(1, -1).trim() : trimmed
}

/** Split at commas, semicolons, bars and blanks that are outside brackets. */
function split(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [sign] of text.matchAll(/\\.|./gs)) {
    if ('{[('.includes(sign)) depth += 1
    if ('}])'.includes(sign)) depth = Math.max(0, depth - 1)
    if (depth === 0 && /^[\s,;|]$/.test(sign)) parts.push('')
    else parts.push(parts.pop()! + sign)
  }
  // A blank may separate a `!` from its glob.
  return parts
    .filter(each => each !== '')
    .reduce<string[]>(
      (all, each) => (all.at(-1) === '!' ? [...all.slice(0, -1), `!${each}`] : [...all, each]),
      [],
    )
}

/** Expand `*.{ts,tsx}` into two globs. */
function expandBraces(glob: string): string[] {
  const braces = /(?<!\\)\{(?<inner>[^{}]*)\}/
  let globs = [glob]
  while (globs.length <= MOST_GLOBS && globs.some(each => braces.test(each))) {
    globs = globs.flatMap(each => {
      const inner = braces.exec(each)?.groups?.['inner']
      return inner === undefined ? [each] : inner.split(',').map(part => each.replace(braces, () => part))
    })
  }
  return globs
}
