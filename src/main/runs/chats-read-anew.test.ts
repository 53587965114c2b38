import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomModel } from '../../../testing/gguf/cached.ts'
import { aHome, aHost, type TestHost } from '../../../testing/host/a-host.ts'

const turns = (rest: string) =>
  `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>${rest}`

/** Put a model with this chat template into a home folder. */
function addModel(home: string, jinja: string): void {
  mkdirSync(join(home, 'models'), { recursive: true })
  copyFileSync(randomModel({ template: { jinja } }), join(home, 'models', 'mine.gguf'))
}

async function modelIn({ client }: TestHost) {
  const { models } = await client['model.list']({})
  return models.find(({ kind }) => kind === 'file')!
}

test('a chat that is read anew says why, and so does its model', async () => {
  using home = aHome()
  addModel(home.path, `<n {{ messages | length }}>${turns('')}`)
  await using host = await aHost(home.path)
  const { client } = host
  const model = await modelIn(host)
  const { id } = await client['session.create']({ modelId: model.id })
  const rereads = { part: 'chat', behind: 'start', was: '<n 2><|system|>', becomes: '<n 4><|system|>' }
  expect((await client['session.context']({ id })).rereads).toEqual(rereads)
  expect(model.file).toMatchObject({ rereads, refuses: null, thinking: [] })
})

test('a chat that only grows has nothing to say, and what thinking can be set to is kept with the model', async () => {
  const off = "{{ '<think></think>' if enable_thinking is defined and not enable_thinking }}"
  using home = aHome()
  addModel(home.path, turns(off))
  await using host = await aHost(home.path)
  const { client } = host
  const model = await modelIn(host)
  const { id } = await client['session.create']({ modelId: model.id })
  expect((await client['session.context']({ id })).rereads).toBeNull()
  expect(model.file).toMatchObject({ rereads: null, refuses: null, thinking: ['off'] })
  await client['model.setOptions']({ id: model.id, options: { thinking: 'off' } })
  expect((await modelIn(host)).options).toEqual({ thinking: 'off' })
})
