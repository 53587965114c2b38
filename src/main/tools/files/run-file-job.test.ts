import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aWorkspace } from '../../../../testing/tools/a-workspace.ts'
import { STOPPED_BEFORE } from '../registry/call-failures.ts'
import { patchFile } from './patch-file.ts'
import { readFileTool } from './read-file.ts'
import { fileJobs } from './file-jobs.ts'
import { runFileJob } from './run-file-job.ts'
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

test('a long passage is looked for in a thread, also in a small file', async () => {
  const { workspace, call } = aWorkspace({ 'notes.md': 'one\n' })
  const patch = { path: 'notes.md', old_string: 'two\n'.repeat(10_000), new_string: '' }
  expect(await call(patchFile, patch)).toMatchObject({ ok: false })
  expect([readFileSync(join(workspace, 'notes.md'), 'utf8'), threads]).toEqual(['one\n', 1])
})

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
  // One thread is enough for sequential work, and the previous test's thread still runs.
  expect([readFileSync(path, 'utf8'), threads]).toEqual([content, 0])
})

test('what a thread finds is what is found without one', async () => {
  const { workspace } = aWorkspace({ 'log.txt': big, 'picture.png': `\0${big}` })
  for (const name of ['log.txt', 'picture.png', 'gone.txt']) {
    const file = { path: join(workspace, name), given: name, name }
    const missing = { old: 'in the midle', new: 'x', all: false }
    expect(await runFileJob('compare', file, ['x'])).toEqual(await fileJobs.compare(file, 'x'))
    expect(await runFileJob('patch', file, [missing])).toEqual(await fileJobs.patch(file, missing))
    const page = { offset: 1, limit: 3 }
    expect(await runFileJob('page', file, [page])).toEqual(await fileJobs.page(file, page))
    const [inThread, here] = [await runFileJob('rewrite', file, ['x']), await fileJobs.rewrite(file, 'x')]
    // A thread hands over plain bytes.
    expect({ ...inThread, bytes: null }).toEqual({ ...here, bytes: null })
  }
})

// This passage is not found, and looking for a similar one takes long in such a text.
const hard = { old: `${'`'.repeat(60_000)}x`, new: '', all: false }
const backticks = '`'.repeat(900_000)

test('a patch that does not end within its limit is an answer, and the next one works', async () => {
  const { workspace } = aWorkspace({ 'log.txt': backticks })
  const file = { path: join(workspace, 'log.txt'), given: 'log.txt', name: 'log.txt' }
  expect(await runFileJob('patch', file, [hard], { limitMs: 1 })).toEqual({
    isUnfinished: true,
    refused:
      'The work on log.txt did not end within 0.001 seconds, so nothing was changed. Patch a shorter passage: a few whole lines around the change that occur once in the file. Or change it with a command.',
  })
  expect(await runFileJob('compare', file, [`${backticks}x`], { limitMs: 1 })).toMatchObject({
    refused: 'The work on log.txt did not end within 0.001 seconds, so its changes are not shown.',
  })
  expect(await runFileJob('compare', file, [`${backticks}x`])).toMatchObject({
    diff: expect.stringContaining('x') as string,
  })
})

test('a patch that is stopped says so and leaves its thread', async () => {
  const { workspace } = aWorkspace({ 'log.txt': backticks })
  const file = { path: join(workspace, 'log.txt'), given: 'log.txt', name: 'log.txt' }
  const stopping = new AbortController()
  const patched = runFileJob('patch', file, [hard], { signal: stopping.signal })
  stopping.abort()
  expect(await patched).toMatchObject({ refused: STOPPED_BEFORE })
})

test('small files need no thread', async () => {
  const { call } = aWorkspace({ 'notes.md': 'one\n' })
  expect(await call(readFile, { path: 'notes.md' })).toMatchObject({ ok: true })
  expect(threads).toBe(0)
})
