import { lstat, opendir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileErrorCode, type Refusal } from '../../lib/expected-errors.ts'

/** Maximum number of names compared in one folder. In a larger one, no name is certainly the only one. */
const MOST_NAMES = 20_000

const APOSTROPHES = /[‘’‚‛ʼʹ′´`＇]/g
const QUOTES = /[“”„‟″＂]/g
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g
const BLANKS = /[\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u3164\u2800]/g
const UNSEEN =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\u034f|\p{Variation_Selector}/gu

/** The look of a name, which is equal for names that differ only in how their characters are written. */
export const lookOf = (name: string): string =>
  name
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(BLANKS, ' ')
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .replace(DASHES, '-')
    .replace(/…/g, '...')
    .trim()
    .normalize('NFC')

/** The look for reading, which also ignores case and character width. */
export const looseLookOf = (name: string): string =>
  lookOf(name)
    .normalize('NFKC')
    .replace(/[\u200c\u200d]/g, '')
    .toLowerCase()

/** Whether anything is at a path, even a broken link. */
export async function existsAt(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    const code = fileErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw error
  }
}

/**
 * Find the path meant by an absolute one: each missing part becomes the only name with the same look in its
 * folder. If there is none, the rest stays as given. Refuses if two names have that look.
 */
export async function findSameLook(path: string, look = lookOf): Promise<string | Refusal> {
  const missing: string[] = []
  let at = path
  while (!(await existsAt(at)) && dirname(at) !== at) {
    missing.unshift(basename(at))
    at = dirname(at)
  }
  for (const [index, name] of missing.entries()) {
    const next = join(at, name)
    if (await existsAt(next)) {
      at = next
      continue
    }
    const twins = await namesLike(at, name, look)
    if (twins.length === 0) return join(at, ...missing.slice(index))
    if (twins.length > 1) return { refused: tellApart(name, twins) }
    at = join(at, twins[0]!)
  }
  return at
}

async function namesLike(folder: string, name: string, look: (name: string) => string): Promise<string[]> {
  const wanted = look(name)
  if (wanted === '') return []
  const found: string[] = []
  let count = 0
  try {
    for await (const each of await opendir(folder, { bufferSize: 512 })) {
      if (++count > MOST_NAMES) return []
      if (look(each.name) === wanted) found.push(each.name)
    }
  } catch (error) {
    // A file is not a folder, and nothing can be found in an unreadable one.
    fileErrorCode(error)
    return []
  }
  return found.toSorted()
}

const MOST_SHOWN = 4

/** Show both names with their differences as escapes and words, so that a model can write the right one. */
function tellApart(name: string, twins: readonly string[]): string {
  const shown = twins.slice(0, MOST_SHOWN).map(twin => {
    const others = twins.filter(each => each !== twin)
    const own = new Set(Array.from(twin).filter(letter => !others.every(each => each.includes(letter))))
    const words = [...own].filter(letter => letter > '~').map(wordsFor)
    return `${escaped(twin, own)}${words.length > 0 ? ` (with ${words.slice(0, 5).join(', ')})` : ''}`
  })
  const more = twins.length > MOST_SHOWN ? ` and ${twins.length - MOST_SHOWN} more` : ''
  return `${escaped(name, new Set())} is not there, but ${twins.length} names look like it: ${shown.join(' and ')}${more}. Write exactly the one you mean.`
}

/** Write a name as JSON, with escapes for its distinct and invisible characters. */
const escaped = (name: string, own: ReadonlySet<string>): string =>
  JSON.stringify(name).replace(/[^\0-~]/gu, letter =>
    own.has(letter) || /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(letter)
      ? Array.from({ length: letter.length }, (_, at) => escapeOf(letter.charCodeAt(at))).join('')
      : letter,
  )

const escapeOf = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`

const WORDS: Readonly<Record<string, string>> = {
  '\u00a0': 'a no-break space',
  '\u00ad': 'a soft hyphen',
  '\u2002': 'an en space',
  '\u2003': 'an em space',
  '\u2009': 'a thin space',
  '\u200a': 'a hair space',
  '\u200b': 'a zero-width space',
  '\u200e': 'a left-to-right mark',
  '\u200f': 'a right-to-left mark',
  '\u202f': 'a narrow no-break space',
  '\u2060': 'a word joiner',
  '\u3000': 'an ideographic space',
  '\ufeff': 'a byte order mark',
  '\u0300': 'a grave accent apart',
  '\u0301': 'an acute accent apart',
  '\u0302': 'a circumflex apart',
  '\u0303': 'a tilde apart',
  '\u0308': 'two dots apart',
  '\u030a': 'a ring apart',
  '\u030c': 'a caron apart',
  '\u0327': 'a cedilla apart',
  '\u2010': 'a hyphen of typography',
  '\u2011': 'a no-break hyphen',
  '\u2013': 'an en dash',
  '\u2014': 'an em dash',
  '\u2212': 'a minus sign',
  '‘': 'an opening single quote',
  '’': 'a typographic apostrophe',
  '“': 'an opening quote',
  '”': 'a closing quote',
  '„': 'a low quote',
}

function wordsFor(letter: string): string {
  const code = `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  const word =
    WORDS[letter] ??
    (/\p{M}/u.test(letter) ? 'a mark apart' : /[\p{L}\p{N}]/u.test(letter) ? letter : 'a character')
  return `${word}, ${code}`
}
