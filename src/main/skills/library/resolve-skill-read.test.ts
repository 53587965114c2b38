import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Refusal } from '../../lib/expected-errors.ts'
import { resolveSkillPath, readFile, readInside } from './resolve-skill-path.ts'

let home: string
let skill: string
const MOST = 10_000

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-read-inside-')))
  skill = join(home, 'haiku')
  mkdirSync(join(skill, 'references'), { recursive: true })
  mkdirSync(join(home, 'outside'))
  writeFileSync(join(skill, 'references', 'moon.md'), 'Old pond.')
  writeFileSync(join(home, 'outside', 'moon.md'), 'secret')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const textOf = (read: { bytes: Buffer } | Refusal) => ('bytes' in read ? read.bytes.toString() : read.refused)

test('a file of the skill is read up to a length', () => {
  expect(textOf(readInside(skill, 'references/moon.md', MOST))).toBe('Old pond.')
  expect(readInside(skill, 'references/moon.md', 8)).toEqual({ refused: 'It is longer than 8 bytes.' })
  expect(readInside(skill, 'references/sun.md', MOST)).toEqual({
    refused: 'There is no such file in the skill.',
  })
  expect(readInside(skill, '../outside/moon.md', MOST)).toHaveProperty('refused')
})

test('a link that replaces a folder after the check is detected', () => {
  const inside = resolveSkillPath(skill, 'references/moon.md') as { path: string }
  renameSync(join(skill, 'references'), join(home, 'old'))
  symlinkSync(join(home, 'outside'), join(skill, 'references'))
  const isStill = () => 'path' in resolveSkillPath(skill, 'references/moon.md')
  expect(readFile(inside.path, MOST, isStill)).toBeUndefined()
})

test('a link that replaces the file after the check is not followed', () => {
  const inside = resolveSkillPath(skill, 'references/moon.md') as { path: string }
  rmSync(inside.path)
  symlinkSync(join(home, 'outside', 'moon.md'), inside.path)
  expect(() => readFile(inside.path, MOST)).toThrow(expect.objectContaining({ code: 'ELOOP' }))
  expect(readInside(skill, 'references/moon.md', MOST)).toHaveProperty('refused')
})

test('constantly swapping a folder for a link never gets another file read', async () => {
  symlinkSync(join(home, 'outside'), join(home, 'link'))
  const swapping = new Worker(
    `const { renameSync } = require('node:fs')
    const { workerData: { real, link, spare } } = require('node:worker_threads')
    for (;;) {
      renameSync(real, spare); renameSync(link, real)
      renameSync(real, link); renameSync(spare, real)
    }`,
    {
      eval: true,
      workerData: { real: join(skill, 'references'), link: join(home, 'link'), spare: join(home, 'spare') },
    },
  )
  try {
    await new Promise(begun => swapping.once('online', begun))
    const seen = new Set<string>()
    for (let count = 0; count < 8_000; count++)
      seen.add(textOf(readInside(skill, 'references/moon.md', MOST)))
    expect(seen).toContain('Old pond.')
    expect(seen.size).toBeGreaterThan(1)
    expect([...seen].filter(text => text.includes('secret'))).toEqual([])
  } finally {
    await swapping.terminate()
  }
})
