import { isOneMistake } from '../../lib/words/similarity.ts'
import type { Scene } from '../guide/guide-scene.ts'

const NUMBERS: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  first: '1',
  second: '2',
  third: '3',
  fourth: '4',
  fifth: '5',
  dozen: '12',
  twenty: '20',
  hundred: '100',
}

/**
 * Whether every path, name and number in the arguments of a call is in the message that it is for. A path may
 * also be an existing file that the message names without its extension.
 */
export function isGrounded(
  given: Readonly<Record<string, unknown>>,
  message: string,
  { files, folders }: Pick<Scene, 'files' | 'folders'>,
): boolean {
  const said = inOneLine(message)
  const numbers = new Set([
    ...(said.match(/\d+/g) ?? []),
    ...said.split(/[^\p{L}]+/u).flatMap(word => NUMBERS[word] ?? []),
  ])
  const lies = new Set([...files, ...folders].map(inOneLine))
  /** For an existing file, one word of its name is enough: nobody types all of “lentil-soup.md”. */
  const isNamed = (path: string) => {
    const parts = path.split('/').filter(part => part !== '' && part !== '.')
    const words = (parts.at(-1) ?? '').replace(/\.\p{L}\w*$/u, '').match(/[\p{L}\p{N}]{3,}/gu) ?? []
    return lies.has(parts.join('/')) && words.some(word => says(word))
  }
  const spoken = said.match(/[\p{L}\p{N}]{3,}/gu) ?? []
  const says = (word: string) => said.includes(word) || spoken.some(each => isOneMistake(each, word))
  const holds = (word: string): boolean => {
    const bare = word.replace(/^[^\p{L}\p{N}~./*]+|(?:['’]s)?[^\p{L}\p{N}/*]*$/gu, '')
    if (bare === '' || word.startsWith('-') || OURS.has(bare.toLowerCase())) return true
    if (said.includes(inOneLine(bare))) return true
    if (/^\d+$/.test(bare)) return numbers.has(bare)
    const ending = /^\*\.(\w+)$/.exec(bare)?.[1]?.toLowerCase()
    if (ending !== undefined) return said.includes(ending) || said.includes(KINDS[ending] ?? '*')
    const isPath = /[\p{L}\p{N}][./\\][\p{L}\p{N}]|^[~/.]+[/\\]|^[*.]+\p{L}/u.test(bare) || bare.endsWith('/')
    if (isPath) return isNamed(inOneLine(bare))
    return !/^\p{Lu}\p{Ll}/u.test(bare) && !/\d/.test(bare)
  }
  return textsIn(given).every(text => {
    const whole = inOneLine(text)
    return lies.has(whole) ? said.includes(whole) || isNamed(whole) : text.split(/\s+/).every(holds)
  })
}

/** Common names of file types, by extension. */
const KINDS: Readonly<Record<string, string>> = { md: 'markdown', txt: 'text' }

/** First words of our own sentences about the user, and programs with a number in their names. */
const OURS = new Set(['user', 'the', 'python3'])

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

const inOneLine = (text: string): string =>
  text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim()
