import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { scriptedModel } from '../../../../../testing/gguf/cached.ts'
import { splitGguf } from '../../../../../testing/gguf/split.ts'
import { openEngines, user } from '../../../../../testing/models/local.ts'

const folder = mkdtempSync(join(tmpdir(), 'talaria-split-'))
const { engines, ask } = openEngines('inline')
afterAll(async () => {
  await engines.close()
  rmSync(folder, { recursive: true })
})

const scripted = scriptedModel({ reply: 'I was in three pieces, and I am one.' })
const cutInto = (parts: number, bareFirst: boolean) =>
  splitGguf(scripted, join(folder, `${parts}`, 'my model'), { parts, bareFirst })

test.for([
  [3, false],
  [4, true],
] as const)('a model in %d files answers; its first file without weights: %s', async ([parts, bareFirst]) => {
  const [first = ''] = cutInto(parts, bareFirst)
  const answer = await ask(first, [user('Are you whole?')])
  expect([answer.failure, answer.text]).toEqual([undefined, 'I was in three pieces, and I am one.'])
})

test('a model that lacks one of its files is not loaded, and the file is named', async () => {
  const [first = '', second = ''] = cutInto(2, false)
  rmSync(second)
  expect((await ask(first, [user('Are you whole?')])).failure).toMatchObject({
    code: 'model_missing',
    text: `There is no model file at ${second}.`,
  })
})
