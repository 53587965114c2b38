import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const main = join(import.meta.dirname, '../..')
const list = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
/** The rows of the list as “file name = value”, and their reasons. */
const rows = [...list.matchAll(/^\| ([\d_. *]+) \| `([A-Z_]+)` \| `(.+?)` \| (.+) \|$/gm)].map(
  ([, value, name, file, reason]) => ({ value: `${file} ${name} = ${value}`, file: file!, reason: reason! }),
)

/** The numbers that a file fixes, in the same form. */
const fixedIn = (file: string): string[] =>
  [...readFileSync(join(main, file), 'utf8').matchAll(/^(?:export )?const ([A-Z_]+) = ([\d_. *]+)$/gm)].map(
    ([, name, value]) => `${file} ${name} = ${value}`,
  )

test('the list of fixed values holds those of the code, and nothing else', () => {
  const files = globSync('agent/compaction/*.ts', { cwd: main }).filter(file => !file.endsWith('.test.ts'))
  const all = [...new Set([...files, ...rows.map(({ file }) => file)])].flatMap(fixedIn)
  expect(rows.map(({ value }) => value).toSorted()).toEqual(all.toSorted())
  expect(rows.length).toBeGreaterThan(50)
})

test('each fixed value has a reason', () => {
  for (const { value, reason } of rows) expect(reason.length, value).toBeGreaterThan(10)
})
