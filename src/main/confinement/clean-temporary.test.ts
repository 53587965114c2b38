import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cleanTemporary } from './clean-temporary.ts'

const DAY = 24 * 3_600_000
const NOW = Date.parse('2026-06-10T12:00:00Z')
let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'talaria-clean-'))
})
afterEach(() => rmSync(cache, { recursive: true, force: true }))

/** Create a temporary folder with a 100 kB file, last used this many days ago. */
function put(chat: string, days: number) {
  const folder = join(cache, 'tmp', chat)
  mkdirSync(join(folder, 'deep'), { recursive: true })
  const file = join(folder, 'deep/file')
  writeFileSync(file, Buffer.alloc(100_000, 1))
  const at = new Date(NOW - days * DAY)
  for (const path of [file, join(folder, 'deep'), folder]) utimesSync(path, at, at)
}
const left = () => readdirSync(join(cache, 'tmp')).toSorted()

test('folders of chats that are gone or were long unused are removed', async () => {
  put('gone', 0)
  put('old', 8)
  put('recent', 6)
  const outside = join(cache, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'file'), 'kept')
  symlinkSync(outside, join(cache, 'tmp/gone/link'))
  await cleanTemporary(cache, id => id !== 'gone', NOW)
  expect(left()).toEqual(['recent'])
  expect(existsSync(join(outside, 'file'))).toBe(true)
})

test('the longest unused go first when all together take too much', async () => {
  put('a', 3)
  put('b', 1)
  put('c', 2)
  await cleanTemporary(cache, () => true, NOW, 250_000)
  expect(left()).toEqual(['b', 'c'])
})

test('a home without temporary folders needs no cleaning', async () => {
  await cleanTemporary(cache, () => true)
  expect(readdirSync(cache)).toEqual([])
})
