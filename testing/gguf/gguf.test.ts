import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readGguf } from '../../src/main/models/engines/local/gguf/read-gguf.ts'
import { makeRandomGguf } from './random.ts'
import { makeScriptedGguf } from './scripted.ts'
import { splitGguf } from './split.ts'

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

test('a file is cut as gguf-split of llama.cpp does it: what is known of the model is in the first file alone', () => {
  makeRandomGguf(path('whole'))
  const whole = readFileSync(path('whole'))
  const files = splitGguf(path('whole'), join(folder, 'cut'), { parts: 3, bareFirst: true })
  expect(files.map(each => basename(each))).toEqual([1, 2, 3].map(part => `cut-0000${part}-of-00003.gguf`))
  const [first, second, third] = files.map(each => readFileSync(each).toString('latin1'))
  const counts = (file = '') => [8, 16].map(at => Buffer.from(file, 'latin1').readBigUInt64LE(at))
  expect([first, second, third].map(counts)).toEqual([
    [0n, whole.readBigUInt64LE(16) + 3n],
    [20n, 3n],
    [19n, 3n],
  ])
  // Numbers of two, four and two bytes, in the order used by the real tool.
  const name = (text: string) => `${String.fromCharCode(text.length)}${'\0'.repeat(7)}${text}`
  const entries = (number: string) =>
    `${name('split.no')}\x02\0\0\0${number}\0${name('split.tensors.count')}\x05\0\0\0\x27\0\0\0${name('split.count')}\x02\0\0\0\x03\0`
  expect(second?.slice(24, 24 + entries('').length + 1)).toBe(entries('\x01'))
  expect(third?.slice(24, 24 + entries('').length + 1)).toBe(entries('\x02'))
  expect(first).toContain(entries('\0'))
  // The weights are the same, one after the other.
  const weightsOf = (file = '') => file.slice(file.length - 100_000)
  expect(whole.toString('latin1').endsWith(weightsOf(third))).toBe(true)
  expect(whole.toString('latin1')).toContain(weightsOf(second))
})

test('a file is not cut into more files than it has weights', () => {
  makeScriptedGguf(path('few'), { reply: 'Hello.' })
  expect(() => splitGguf(path('few'), join(folder, 'few'), { parts: 13 })).toThrow(
    '12 weights cannot be cut into 13 files.',
  )
})
