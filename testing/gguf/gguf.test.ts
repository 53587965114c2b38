import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readGguf } from '../../src/main/llm/local/gguf-file.ts'
import { makeRandomGguf } from './random.ts'
import { makeScriptedGguf } from './scripted.ts'

const folder = mkdtempSync(join(tmpdir(), 'writers-'))
afterAll(() => rmSync(folder, { recursive: true }))
const path = (name: string) => join(folder, `${name}.gguf`)

test.for(['F32', 'F16', 'Q8_0', 'Q4_0', 'Q4_K'] as const)(
  'a random model of %s weights is whole',
  async type => {
    makeRandomGguf(path(type), { type })
    expect(await readGguf(path(type))).toMatchObject({
      architecture: 'llama',
      name: 'random-tiny',
      parameters: 1_049_728,
      sizeBytes: statSync(path(type)).size,
    })
  },
)

test('the same options write the same bytes, another seed writes others', () => {
  for (const [name, seed] of [
    ['a', 1],
    ['b', 1],
    ['c', 2],
  ] as const)
    makeRandomGguf(path(name), { seed })
  const [a, b, c] = ['a', 'b', 'c'].map(name => readFileSync(path(name)))
  expect(a?.equals(b ?? Buffer.of())).toBe(true)
  expect(a?.equals(c ?? Buffer.of())).toBe(false)
})

test('a scripted model asks for temperature 0 and takes four rules', async () => {
  makeScriptedGguf(path('scripted'), { reply: 'Hello.' })
  expect(await readGguf(path('scripted'))).toMatchObject({ name: 'scripted', sampling: { temperature: 0 } })
  const rules = ['a', 'b', 'c', 'd', 'e'].map(when => ({ when: `say ${when}`, reply: when }))
  expect(() => makeScriptedGguf(path('too-many'), { rules })).toThrow(
    'A scripted model takes at most four rules.',
  )
})
