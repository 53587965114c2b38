import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import { completeFile, filesNamedIn } from './named-files.ts'

function aFolder(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-named-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), name)
  }
  return folder
}

test('what a message names with an @ is attached if it is a file of the folder; the rest stays as it is', () => {
  const folder = aFolder('plan.md', 'docs/my plan.md', 'v1.2', '.env', 'id_rsa', '../outside.txt')
  onTestFinished(() => rmSync(join(folder, '../outside.txt'), { force: true }))
  const named = (text: string) => {
    const found = filesNamedIn(text, folder)
    return [found.text, ...found.paths.map(path => path.slice(folder.length + 1))]
  }
  expect(named('Compare @plan.md and @docs/my\\ plan.md.')).toEqual([
    'Compare plan.md and docs/my plan.md.',
    'plan.md',
    'docs/my plan.md',
  ])
  expect(named('@"docs/my plan.md"')).toEqual(['docs/my plan.md', 'docs/my plan.md'])
  expect(named('(@plan.md), @plan.md? and @v1.2.')).toEqual([
    '(plan.md), plan.md? and v1.2.',
    'plan.md',
    'v1.2',
  ])
  for (const other of [
    'ada@plan.md',
    '@gone.md',
    '@docs',
    '@.env',
    '@id_rsa',
    '@../outside.txt',
    '@',
    '@/etc/hosts',
  ])
    expect(named(`Ask ${other}`)).toEqual([`Ask ${other}`])
})

test('Tab completes names of files and folders, and none that are hidden or may hold keys', () => {
  const folder = aFolder('plan.md', 'plans/my plan.md', 'plain/a', '.env', '.plan', 'plan.pem')
  expect(completeFile('pla', folder)).toEqual(['plain/', 'plan.md', 'plans/'])
  expect(completeFile('plans/', folder)).toEqual(['plans/my\\ plan.md'])
  expect(completeFile('plans/my\\ p', folder)).toEqual(['plans/my\\ plan.md'])
  expect([completeFile('../', folder), completeFile('gone/x', folder), completeFile('/et', folder)]).toEqual([
    [],
    [],
    [],
  ])
})
