import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome } from '../../../testing/host/a-host.ts'
import { keepEntry, newToken, readEntry } from './kept-entry.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const NOW = Date.UTC(2026, 10, 29)

test('the token and the last ports of a home are there at its next start, for its user alone', () => {
  using home = aHome()
  const first = readEntry(home.path, NOW)
  expect(first).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), ports: [] })
  keepEntry(home.path, first, 4_001, NOW)
  if (process.platform !== 'win32')
    expect(statSync(join(home.path, 'page-entry.json')).mode & 0o777).toBe(0o600)
  expect(readEntry(home.path, NOW + 29 * DAY_MS)).toEqual({ token: first.token, ports: [4_001] })
})

test('three ports are kept, the newest first and each once', () => {
  using home = aHome()
  for (const [start, port] of [4_001, 4_002, 4_003, 4_002, 4_004].entries())
    keepEntry(home.path, readEntry(home.path, NOW + start), port, NOW + start)
  expect(readEntry(home.path, NOW + DAY_MS).ports).toEqual([4_004, 4_002, 4_003])
})

test.each([
  ['from 30 days ago', NOW + 30 * DAY_MS],
  ['from the future', NOW - 1],
])('a file %s gives a new token', (_what, now) => {
  using home = aHome()
  const before = readEntry(home.path, NOW)
  keepEntry(home.path, before, 4_001, NOW)
  const after = readEntry(home.path, now)
  expect(after.token).not.toBe(before.token)
  expect(after.ports).toEqual([])
})

test.each([
  ['empty', ''],
  ['cut off', '{"token":"'],
  ['of another program', '[1,2,3]'],
  ['with a short token', JSON.stringify({ token: 'abc', ports: [], at: NOW })],
  ['with a bad port', JSON.stringify({ token: newToken(), ports: [70_000], at: NOW })],
  ['with hundreds of ports', JSON.stringify({ token: newToken(), ports: Array(300).fill(4_001), at: NOW })],
])('a file that is %s is replaced', (_what, text) => {
  using home = aHome()
  const file = join(home.path, 'page-entry.json')
  writeFileSync(file, text)
  const entry = readEntry(home.path, NOW)
  expect(entry.ports).toEqual([])
  keepEntry(home.path, entry, 4_001, NOW)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ token: entry.token, ports: [4_001] })
})
