import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestResults } from './judge.ts'
import { ROOT } from './where-is.ts'

const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/
/**
 * A title: the first text in a call of `test`, `it`, `describe` or of what `test.for(…)` returned. Tests that
 * are always skipped have none.
 */
const TITLE = new RegExp(
  String.raw`(?:\b(?:test|it|describe)(?:\.(?!(?:skip|todo)\b)\w+)*|\))\(\s*(${LITERAL.source})\s*,`,
  'g',
)
/** The open parts of a title: `%s` and the like, `$name`, and the slots of a template. */
const OPEN = /%[sjdifoO#]|\$\{[^}]*\}|\$[a-z]\w*/g

type Title = { text: string; at: number }

/**
 * The tests whose groups and title are in their file, one inside the other. They are not run, because `npm
 * test` does that.
 */
export function findTitles(names: readonly string[]): TestResults {
  const files = new Map<string, string | undefined>()
  const found = new Map<string, 'passed'>()
  for (const name of names) {
    const [file = '', ...titles] = name.split(' > ')
    if (!files.has(file)) {
      const path = join(ROOT, file)
      files.set(file, existsSync(path) ? readFileSync(path, 'utf8') : undefined)
    }
    const source = files.get(file)
    if (source !== undefined && standsIn(source, titles)) found.set(name, 'passed')
  }
  return found
}

/** Whether a source has the titles in this order. The texts that fill open parts must be in it too. */
export function standsIn(source: string, titles: readonly string[]): boolean {
  const all = titlesIn(source)
  let from = -1
  for (const wanted of titles) {
    const next = all.find(({ text, at }) => at > from && fits(text, wanted, source))
    if (!next) return false
    from = next.at
  }
  return titles.length > 0
}

const titlesIn = (source: string): Title[] =>
  [...source.replace(/^\s*\/\/.*$/gm, remark => ' '.repeat(remark.length)).matchAll(TITLE)].map(match => ({
    text: plainText(match[1]!),
    at: match.index,
  }))

/** The text that a literal stands for. */
const plainText = (literal: string) => literal.slice(1, -1).replace(/\\(.)/g, '$1')

function fits(title: string, wanted: string, source: string): boolean {
  if (title === wanted) return true
  const parts = title.split(OPEN)
  if (parts.length === 1) return false
  const pattern = parts.map(part => RegExp.escape(part)).join('(.+)')
  const fillings = new RegExp(`^${pattern}$`, 's').exec(wanted)?.slice(1)
  const plain = source.replace(/(?<=\d)_(?=\d)/g, '')
  return fillings !== undefined && fillings.every(each => writings(each).some(text => plain.includes(text)))
}

/** The ways to write a text in a source; its numbers have no underscores. */
const writings = (text: string) => [
  text,
  text.replace(/^"(.*)"$/s, '$1'),
  text.replaceAll("'", String.raw`\'`),
]
