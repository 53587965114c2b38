import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomModel } from '../../../testing/gguf/cached.ts'
import { splitGguf } from '../../../testing/gguf/split.ts'
import { modelNote } from '../../shared/words/model-words.ts'
import { chatFacts, describeFile } from './describe-model.ts'
import { isFailure } from './interface/engine.ts'
import { readGguf } from './engines/local/gguf/read-gguf.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talaria-facts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a split model that loses a part is read again and reports the problem', async () => {
  const [first = '', second = ''] = splitGguf(randomModel(), join(folder, 'big'), { parts: 2 })
  const read: string[] = []
  const factsOf = chatFacts(path => {
    read.push(path)
    return readGguf(path)
  })
  const whole = [await factsOf(first), await factsOf(first)]
  await rm(second)
  const cut = await factsOf(first)
  expect([whole.map(isFailure), read.length, isFailure(cut) && cut.text]).toEqual([
    [false, false],
    2,
    `There is no model file at ${second}.`,
  ])
})

test.for<[what: string, options: Parameters<typeof randomModel>[0], name: string, from: string, id: string]>([
  ['its template', { template: 'tools' }, 'x.gguf', 'template', 'hermes'],
  ['what it calls itself', { template: 'chatml', name: 'gpt-oss-20b' }, 'x.gguf', 'name', 'harmony'],
  [
    'its file, where it does not call itself anything',
    { template: 'none', name: '' },
    'glm-4.6.gguf',
    'name',
    'glm',
  ],
  ['nothing', { template: 'none', name: 'mine' }, 'glm-4.6.gguf', 'default', 'hermes'],
])('how a model calls tools comes from %s', async ([, options, name, from, id]) => {
  const facts = await readGguf(randomModel(options))
  if (isFailure(facts)) throw new Error(facts.text)
  const file = describeFile(join(folder, name), facts, { owned: false, vision: '' })
  expect(file).toMatchObject({ format: { from, id }, base: options?.template === 'none' })
})

test.for<[jinja: string, problem: string | null]>([
  ['{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}<|assistant|>', null],
  ['{% for m in messages %}', 'The chat template of the model cannot be used: "endfor" is missing.'],
  ["{{ raise_exception('Not\\nyet') }}", 'The chat template of the model cannot be used: Not yet.'],
])(
  'a chat template %s is tried out, and why it cannot be used is said of the model',
  async ([jinja, problem]) => {
    const facts = await readGguf(randomModel({ template: { jinja } }))
    if (isFailure(facts)) throw new Error(facts.text)
    const file = describeFile('x.gguf', facts, { owned: false, vision: '' })
    expect(file.templateProblem).toBe(problem)
    const said = problem === null ? undefined : expect.stringMatching(/cannot be used.*general form/)
    expect(modelNote({ file, tools: null })).toEqual(said)
  },
)
