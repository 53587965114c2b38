import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openKeptWeb, type KeptPage } from './kept-web.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const page = (letters: number): KeptPage => ({
  address: 'https://a.example/',
  title: 'A',
  markdown: 'x'.repeat(letters),
  hidden: [],
  problems: [],
  readAt: 0,
})

test('the oldest pages go when all of them together take too much room', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-web-'))
  folders.push(folder)
  const kept = openKeptWeb({
    folder,
    isReadOnly: false,
    now: () => 0,
    report: error => expect.fail(String(error)),
  })
  const ids: string[] = []
  for (let number = 0; number < 4; number++)
    ids.push(await kept.keepPage(`https://a.example/${number}`, page(16_000_000)))
  expect(await kept.pageOf(ids[0]!)).toBeUndefined()
  expect((await kept.pageOf(ids[3]!))?.title).toBe('A')
  expect(readdirSync(folder)).toHaveLength(3)
  kept.close()
})
