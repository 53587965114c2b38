import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootFolder } from '../lib/disk/shipped-files.ts'

/**
 * Exported functions of one word that are no verb without an object: nouns for what they return, and words of the field
 * that everybody knows.
 */
const ALLOWED = new Set(
  'alternatives call gap group literal many number pattern plural sequence similarity stream text cx debounce'.split(
    ' ',
  ),
)

const FUNCTION =
  /^export (?:async )?(?:function\*? ([a-z]+)\b(?=[<(])|const ([a-z]+)\b[^=\n]*= (?:async )?(?:<[^>]*>)?\(|const ([a-z]+)\b\s*=\s*(?:async )?[a-z]\w* =>)/gm

/** Exported functions with a name of one word, as `file: name`. */
const shortNames = (file: string, text: string): string[] =>
  [...text.matchAll(FUNCTION)].map(match => `${file}: ${match[1] ?? match[2] ?? match[3]}`)

test('one-word names are found in all forms of a function', () => {
  const text = [
    'export function tell(x: string) {}',
    'export async function* walk<T>(x: T) {}',
    'export const hear = (x: string) => x',
    'export const see = x => x',
    'export const limit = 3',
    'export function tellAll(x: string) {}',
    'function hidden() {}',
  ].join('\n')
  expect(shortNames('a.ts', text)).toEqual(['a.ts: tell', 'a.ts: walk', 'a.ts: hear', 'a.ts: see'])
})

test('an exported verb has an object: `warnAboutOverflow`, not `tell`', () => {
  const root = rootFolder()
  const files = globSync('src/{main,renderer,shared,preload}/**/*.{ts,tsx}', { cwd: root }).filter(
    file => !/\.test\.tsx?$|[\\/]test[\\/]/.test(file),
  )
  expect(files.length).toBeGreaterThan(400)
  const found = files.flatMap(file => shortNames(file, readFileSync(join(root, file), 'utf8')))
  expect(found.filter(each => !ALLOWED.has(each.split(': ')[1]!))).toEqual([])
})
