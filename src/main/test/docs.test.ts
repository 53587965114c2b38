import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootFolder } from '../lib/disk/shipped-files.ts'

const root = rootFolder()
const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** Where a path of a document may begin. */
const BASES = ['', 'src/main/', 'src/renderer/', 'src/shared/', 'src/']

/** Paths of this project that a text names between backticks. */
const pathsOf = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+(?:\/[\w.{},<>*-]+)+\/?)`/g)]
    .map(match => match[1]!)
    .filter(path => /\.(ts|tsx|mjs|json|md)$|\/$/.test(path) && !/[<>*{]/.test(path))
    // Files of the user's home and what a build makes.
    .filter(path => !/^(memories|cache|archive|logs|out|node_modules|chat)\//.test(path))

const named = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'AGENTS.md',
  'docs/data/databases.md',
  'docs/security/threat-model.md',
  ...['contribution-points', 'layers', 'one-turn', 'other-systems', 'testing', 'where-to-change'].map(
    name => `docs/dev/${name}.md`,
  ),
]

test.each(named)('%s names only files and folders that exist', name => {
  const paths = pathsOf(read(name))
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter(path => !BASES.some(base => existsSync(join(root, base, path))))).toEqual([])
})

test('ARCHITECTURE.md has at most 150 lines and names every folder of the host', () => {
  const text = read('ARCHITECTURE.md')
  expect(text.split('\n').length).toBeLessThanOrEqual(151)
  const folders = new Set(globSync('src/main/*/**/*.ts', { cwd: root }).map(path => path.split(/[\\/]/)[2]!))
  expect(folders.size).toBeGreaterThan(10)
  expect([...folders].filter(folder => folder !== 'test' && !text.includes(`${folder}/`))).toEqual([])
})
