import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import type { EngineChild, SpawnEngine } from '../../interface/engine-child.ts'
import { resourcePath } from '../../../lib/disk/shipped-files.ts'
import { isToEngine } from './process/protocol.ts'
import { openSmallModels } from './small-models.ts'
import { forkEngine } from './process/start-engine.ts'

const shipped = resourcePath('models/tool-meanings.gguf')
const { signal } = new AbortController()

/** `diesAtOnce`: the first text kills each engine. */
type Given = { path?: string; idleMs?: number; diesAtOnce?: boolean }

/** Small models on real engines, with the engines started, the texts asked for and the errors reported. */
function theMeanings({ path = shipped, idleMs, diesAtOnce = false }: Given = {}) {
  const children: EngineChild[] = []
  const asked: unknown[] = []
  const reported: unknown[] = []
  const spawn: SpawnEngine = (...given) => {
    const child = forkEngine(...given)
    children.push(child)
    const post = (message: unknown) => {
      if (isToEngine(message) && message.t === 'embed') asked.push(message)
      child.post(message)
      if (diesAtOnce && isToEngine(message) && message.t === 'embed') child.kill()
    }
    return { ...child, post }
  }
  const report = (error: unknown) => void reported.push(error)
  // Wait for the vectors, however slow the machine is.
  const waitMs = 600_000
  const meanings = openSmallModels({ path, spawn, report, waitMs, ...(idleMs !== undefined && { idleMs }) })
  onTestFinished(() => meanings.close())
  return { meanings, children, asked, reported }
}
const exited = (child: EngineChild) => new Promise<string>(resolve => child.onExit(resolve))
const likeness = (a: Float32Array, b: Float32Array) => a.reduce((sum, each, at) => sum + each * b[at]!, 0)

test('texts that mean the same are nearer than others, in vectors of length 1, whatever they hold', async () => {
  const { meanings, children } = theMeanings()
  const texts = [
    'The build crashed again, what did it print before it died?',
    'github: get job logs. Get the logs of a job of a workflow.',
    'spotify: pause. Pause what is playing.',
    '',
    'long '.repeat(5_000),
    '[MASK] \u0000 日本語 🙂',
  ]
  const vectors = (await meanings.of(texts, signal))!
  expect(vectors).toHaveLength(texts.length)
  for (const vector of vectors) expect(vector).toHaveLength(384)
  expect(vectors.map(vector => Math.round(Math.hypot(...vector) * 1_000) / 1_000)).toEqual([1, 1, 1, 0, 1, 1])
  expect(likeness(vectors[0]!, vectors[1]!)).toBeGreaterThan(likeness(vectors[0]!, vectors[2]!))
  // Cached vectors need no engine.
  await meanings.close()
  expect(await meanings.of(texts.slice(0, 2), signal)).toEqual(vectors.slice(0, 2))
  expect(children).toHaveLength(1)
})

test('the engine ends when nothing was asked for a while, and starts again', async () => {
  const { meanings, children } = theMeanings({ idleMs: 1 })
  await meanings.of(['one'], signal)
  await exited(children[0]!)
  expect(await meanings.of(['two', 'one', 'two'], signal)).toHaveLength(3)
  expect(children).toHaveLength(2)
})

test('who stops waiting gets nothing, and the next one is answered', async () => {
  const { meanings, reported } = theMeanings()
  const over = new AbortController()
  const asked = meanings.of(['one', 'two', 'three'], over.signal)
  over.abort()
  expect(await asked).toBeUndefined()
  expect(await meanings.of(['four'], signal)).toHaveLength(1)
  expect(reported).toEqual([])
})

test('searches at the same time encode a text once, and too many texts not at all', async () => {
  const { meanings, asked } = theMeanings()
  const [one, other] = await Promise.all([
    meanings.of(['one', 'two'], signal),
    meanings.of(['two', 'three'], signal),
  ])
  expect(one?.[1]).toEqual(other?.[0])
  expect(asked).toMatchObject([{ texts: ['one', 'two'] }, { texts: ['three'] }])
  const many = Array.from({ length: 4_001 }, (_, at) => String(at))
  expect(await meanings.of(many, signal)).toBeUndefined()
  expect(asked).toHaveLength(2)
})

test('a file that is cut off is reported once, and not tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-meanings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'broken.gguf')
  writeFileSync(path, readFileSync(shipped).subarray(0, 100_000))
  const { meanings, children, reported } = theMeanings({ path })
  expect(await meanings.of(['one'], signal)).toBeUndefined()
  expect(await meanings.of(['two'], signal)).toBeUndefined()
  expect(reported).toHaveLength(1)
  expect(children).toHaveLength(1)
})

test('an engine that is killed at work is reported, nothing waits for it, and the next text starts another', async () => {
  const { meanings, children, reported } = theMeanings()
  await meanings.of(['one'], signal)
  children[0]!.kill()
  expect(await meanings.of(['two'], signal)).toBeUndefined()
  expect(reported).toHaveLength(1)
  expect(await meanings.of(['one'], signal)).toHaveLength(1)
  expect(children).toHaveLength(1)
  expect(await meanings.of(['two'], signal)).toHaveLength(1)
  expect(children).toHaveLength(2)
})

test('an engine that is killed while it has nothing to do is missed by nobody', async () => {
  const { meanings, children, reported } = theMeanings()
  await meanings.of(['one'], signal)
  children[0]!.kill()
  await exited(children[0]!)
  expect(await meanings.of(['two'], signal)).toHaveLength(1)
  expect([children.length, reported]).toEqual([2, []])
})

test('an engine that dies three times in a row is not started again', async () => {
  const { meanings, children, reported } = theMeanings({ diesAtOnce: true })
  for (const text of ['one', 'two', 'three', 'four'])
    expect(await meanings.of([text], signal)).toBeUndefined()
  expect([children.length, reported.length]).toEqual([3, 3])
})
