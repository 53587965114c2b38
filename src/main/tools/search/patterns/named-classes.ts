import { PatternProblem, type SetItem } from './pattern-parts.ts'

/** The POSIX classes as sets of Unicode. */
const POSIX: Record<string, string> = {
  alnum: String.raw`\p{Alphabetic}\p{M}\p{Nd}`,
  alpha: String.raw`\p{Alphabetic}\p{M}`,
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\t\p{Zs}`,
  cntrl: String.raw`\p{Cc}`,
  digit: String.raw`\p{Nd}`,
  graph: String.raw`[^\p{C}\s]`,
  lower: String.raw`\p{Lowercase}`,
  print: String.raw`[\P{C}--[\p{Zl}\p{Zp}]]`,
  punct: String.raw`\p{P}\$\+\<\=\>\^\x60\|\~`,
  space: String.raw`\s\x85`,
  upper: String.raw`\p{Uppercase}`,
  word: String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`,
  xdigit: '0-9A-Fa-f',
}

/** Classes that distinguish upper and lower case. */
const CASED = /^(?:L[ult&C]|Lowercase|Uppercase|Titlecase|lower|upper)/i

/** The class for a POSIX name in a set, such as `[:alpha:]`. */
export function posixClass(name: string, negated: boolean): SetItem & { cased: boolean } {
  const source = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined
  if (source === undefined)
    throw new PatternProblem(
      `There is no class [:${name}:]. The known ones are ${Object.keys(POSIX).join(', ')}.`,
    )
  return { type: 'ready', source, negated, cased: name === 'lower' || name === 'upper' }
}

/** The class for `\p{Greek}`, in the spellings of PCRE, Java, Python’s regex, Ruby, .NET and ripgrep. */
export function propertyClass(given: string, negated: boolean): SetItem & { cased: boolean } {
  const name = given.trim().replace(/^\^/, '')
  const isNegated = negated !== given.trim().startsWith('^')
  const posix = name.replace(/^(?:X?Posix|X(?=[a-z]))/, '').toLowerCase()
  if (Object.hasOwn(POSIX, posix)) return posixClass(posix, isNegated)
  const source = spellings(name).find(isProperty)
  if (source === undefined)
    throw new PatternProblem(
      `\\p{${given.slice(0, 40)}} is not a property of Unicode that is known here; known are categories such as \\p{L} and scripts such as \\p{Greek}.`,
    )
  return {
    type: 'ready',
    source: `\\p{${source}}`,
    negated: isNegated,
    cased: CASED.test(source.replace(/^.*=/, '')),
  }
}

/** The ways to write a property in a RegExp: categories and scripts, with or without their kind. */
function spellings(name: string): string[] {
  const [left = '', right] = name.split(/\s*[=:]\s*/)
  if (right !== undefined) {
    const kind = { sc: 'Script', script: 'Script', scx: 'Script_Extensions', gc: 'General_Category' }[
      left
        .toLowerCase()
        .replaceAll(/[ _-]/g, '')
        .replace('generalcategory', 'gc')
        .replace('scriptextensions', 'scx')
    ]
    return kind === undefined ? [] : [`${kind}=${right}`, `${kind}=${titled(right)}`]
  }
  if (/^L&$/.test(name)) return ['LC']
  const bare = name.replace(/^Is_?(?=.)/i, '')
  return [name, bare, titled(bare), `Script=${bare}`, `Script=${titled(bare)}`, upperFirst(bare)]
}

/** Turn `uppercase letter` into `Uppercase_Letter`. */
const titled = (name: string): string =>
  name
    .split(/[ _-]+/)
    .map(word => upperFirst(word.toLowerCase()))
    .join('_')

const upperFirst = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

const knownProperties = new Map<string, boolean>()

function isProperty(source: string): boolean {
  const known = knownProperties.get(source) ?? (/^[\w=]+$/.test(source) && canCompile(source))
  if (knownProperties.size < 1_000) knownProperties.set(source, known)
  return known
}

function canCompile(source: string): boolean {
  try {
    return new RegExp(`\\p{${source}}`, 'u').unicode
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
