import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mostWatched } from './watch-folders.ts'

test.each([
  ['8192', 2_048],
  ['1048576', 8_000],
  ['nonsense', 8_000],
])('where the system allows %s watches, %i are taken at most', (limit, most) => {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-watch-'))
  const file = join(folder, 'limit')
  writeFileSync(file, `${limit}\n`)
  expect(mostWatched(file)).toBe(most)
  rmSync(folder, { recursive: true })
  expect(mostWatched(file)).toBe(8_000)
})
