import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anchorsIn, deadLinks, readDocuments, wideRows } from '../../../testing/documents.ts'
import { rootFolder } from '../lib/disk/shipped-files.ts'

const root = rootFolder()
const documents = readDocuments(root)

/** The longest row of a table, in characters: a longer one is a paragraph, or a list. */
const WIDEST_ROW = 160
/** All pictures of the documents together, and each of them, in bytes. Help leaves out larger ones. */
const PICTURES_BYTES = 4_000_000
const PICTURE_BYTES = 2_000_000
/** The most lines of the documents that are read first. */
const LINES = {
  'README.md': 150,
  'ARCHITECTURE.md': 150,
  'CONTRIBUTING.md': 100,
  'AGENTS.md': 60,
  'SECURITY.md': 40,
}

test('no link of a document leads to a file or a heading that there is not', () => {
  const read = (path: string) => {
    if (path.startsWith('..')) return undefined
    const known = documents.get(path)
    if (known !== undefined) return known
    const file = join(root, path)
    if (!existsSync(file)) return undefined
    return statSync(file).isFile() && path.endsWith('.md') ? readFileSync(file, 'utf8') : ''
  }
  expect(documents.size).toBeGreaterThan(10)
  expect([...documents].flatMap(([path, text]) => deadLinks(path, text, read))).toEqual([])
})

test('no row of a table is wider than 160 characters', () => {
  expect([...documents].flatMap(([path, text]) => wideRows(path, text, WIDEST_ROW))).toEqual([])
})

test('what is read first is short', () => {
  const long = Object.entries(LINES).flatMap(([path, most]) => {
    const text = documents.get(path)
    if (text === undefined) return [`${path} is missing`]
    const lines = text.trimEnd().split('\n').length
    return lines > most ? [`${path} has ${lines} lines, of ${most}`] : []
  })
  expect(long).toEqual([])
})

test('the pictures of the documents take at most 4 MB, and Help shows each of them', () => {
  const pictures = globSync('docs/images/**/*', { cwd: root }).filter(path =>
    statSync(join(root, path)).isFile(),
  )
  const sizes = pictures.map(path => statSync(join(root, path)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(PICTURES_BYTES)
  expect(pictures.filter((_, at) => sizes[at]! > PICTURE_BYTES)).toEqual([])
  expect(pictures.filter(path => !/\.(?:png|jpe?g|webp|gif)$/.test(path))).toEqual([])
})

test('dead links, anchors and wide rows are found, and those of code are none', () => {
  const text = [
    '# A `b` & c!',
    '## Twice',
    '## Twice',
    '[fine](#twice-1) [web](https://example.org) [file](other.md#there) <a href="gone.md">x</a>',
    '[dead](#three-times) ![picture](images/x.png) [dead too](other.md#nowhere)',
    '```md',
    `[in code](never.md) | ${'x'.repeat(200)} |`,
    `| ${'x'.repeat(200)} |`,
    '```',
    `| ${'y'.repeat(200)} |`,
  ].join('\n')
  const read = (path: string) => (path === 'docs/other.md' ? '# There' : undefined)
  expect([...anchorsIn(text)]).toEqual(['a-b--c', 'twice', 'twice-1'])
  expect(deadLinks('docs/a.md', text, read)).toEqual([
    'docs/a.md: gone.md: there is no docs/gone.md',
    'docs/a.md: #three-times: docs/a.md has no heading #three-times',
    'docs/a.md: images/x.png: there is no docs/images/x.png',
    'docs/a.md: other.md#nowhere: docs/other.md has no heading #nowhere',
  ])
  expect(wideRows('docs/a.md', text, 160)).toEqual(['docs/a.md:10: 204'])
})
