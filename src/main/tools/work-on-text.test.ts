import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aWorkspace } from '../../../testing/tools/a-workspace.ts'
import { patchFile } from './patch-file.ts'
import { readFileTool } from './read-file.ts'
import { textWork } from './text-work.ts'
import { workOnText } from './work-on-text.ts'
import { writeFile } from './write-file.ts'

const readFile = readFileTool()
let threads = 0
const count = () => void (threads += 1)
beforeEach(() => {
  threads = 0
  process.on('worker', count)
})
afterEach(() => void process.off('worker', count))

const lines = (count: number) => 'A line of a log.\n'.repeat(count)
const big = `${lines(40_000)}in the middle\n${lines(40_000)}`

test('a big file is patched, read and replaced by threads, in the words of a small one', async () => {
  const { workspace, call, intent } = aWorkspace({ 'log.txt': big })
  const patch = { path: 'log.txt', old_string: 'in the middle', new_string: 'changed' }
  expect(await intent(patchFile, patch)).toMatchObject({
    detail: expect.stringContaining('-in the middle\n+changed') as string,
  })
  expect(await call(patchFile, patch)).toMatchObject({ ok: true, text: expect.stringContaining('+changed') })
  const path = join(workspace, 'log.txt')
  expect(readFileSync(path, 'utf8')).toBe(big.replace('in the middle', 'changed'))
  expect(await call(readFile, { path: 'log.txt', offset: 40_001, limit: 1 })).toEqual({
    ok: true,
    text: 'log.txt, lines 40001-40001 of 80001\nchanged\n[more from line 40002: read again with offset 40002]',
  })
  const content = 'Nothing.\n'
  expect(await intent(writeFile, { path: 'log.txt', content })).toMatchObject({ title: 'Replace log.txt' })
  expect(await call(writeFile, { path: 'log.txt', content })).toMatchObject({ ok: true })
  expect([readFileSync(path, 'utf8'), threads]).toEqual([content, 9])
})

test('what a thread finds is what is found without one', async () => {
  const { workspace } = aWorkspace({ 'log.txt': big, 'picture.png': `\0${big}` })
  for (const name of ['log.txt', 'picture.png', 'gone.txt']) {
    const file = { path: join(workspace, name), given: name, name }
    const missing = { old: 'in the midle', new: 'x', all: false }
    expect(await workOnText('compare', file, 'x')).toEqual(await textWork.compare(file, 'x'))
    expect(await workOnText('patch', file, missing)).toEqual(await textWork.patch(file, missing))
    const page = { offset: 1, limit: 3 }
    expect(await workOnText('page', file, page)).toEqual(await textWork.page(file, page))
    const [inThread, here] = [await workOnText('rewrite', file, 'x'), await textWork.rewrite(file, 'x')]
    // A thread hands over plain bytes.
    expect({ ...inThread, bytes: null }).toEqual({ ...here, bytes: null })
  }
  expect(threads).toBe(8)
})

test('small files need no thread', async () => {
  const { call } = aWorkspace({ 'notes.md': 'one\n' })
  expect(await call(readFile, { path: 'notes.md' })).toMatchObject({ ok: true })
  expect(threads).toBe(0)
})
