import { spawnSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from 'vitest'
import { copyIn } from './copy-in.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern what a fixture needs
const test = base.extend('places', async ({}, { onCleanup }) => {
  const around = mkdtempSync(join(tmpdir(), 'talaria-copy-'))
  onCleanup(() => rmSync(around, { recursive: true, force: true }))
  const [from, to] = [join(around, 'from'), join(around, 'to')]
  mkdirSync(from)
  mkdirSync(to)
  return { around, from, to }
})

test('files and folders are copied, and links and pipes are left out', async ({
  places: { around, from, to },
}) => {
  writeFileSync(join(around, 'secret'), 'secret')
  mkdirSync(join(around, 'outside'))
  mkdirSync(join(from, 'src'))
  writeFileSync(join(from, 'src', 'a.ts'), 'a')
  writeFileSync(join(from, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 })
  symlinkSync(join(around, 'secret'), join(from, 'link'))
  symlinkSync(join(around, 'outside'), join(from, 'linked-folder'))
  if (process.platform !== 'win32') spawnSync('mkfifo', [join(from, 'pipe')])
  expect(await copyIn(from, to)).toBeUndefined()
  expect(readdirSync(to).toSorted()).toEqual(['run.sh', 'src'])
  expect(readFileSync(join(to, 'src', 'a.ts'), 'utf8')).toBe('a')
  expect(lstatSync(join(to, 'run.sh')).mode & 0o111).not.toBe(0)
})

test('what is too large or too many is refused', async ({ places: { from, to } }) => {
  for (const name of ['a', 'b', 'c']) writeFileSync(join(from, name), 'x'.repeat(40))
  expect(await copyIn(from, to, { maxBytes: 100 })).toEqual({
    refused: expect.stringContaining('larger than 100 B'),
  })
  rmSync(to, { recursive: true })
  mkdirSync(to)
  expect(await copyIn(from, to, { maxEntries: 2 })).toEqual({
    refused: expect.stringContaining('more than 2 files'),
  })
})

test('a folder that is gone is a refusal', async ({ places: { around, to } }) => {
  expect(await copyIn(join(around, 'gone'), to)).toEqual({
    refused: expect.stringContaining('cannot be copied'),
  })
})
