import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allAddresses,
  allPartNames,
  fileAddress,
  freeNames,
  nameOfAddress,
  safeName,
} from './target-names.ts'

test.each([
  ['Qwen3-8B-Q4_K_M.gguf', 'Qwen3-8B-Q4_K_M.gguf'],
  ['MODEL.GGUF', 'MODEL.gguf'],
  ['no ending', 'no ending.gguf'],
  ['../../../etc/passwd', 'passwd.gguf'],
  ['..\\..\\boot.ini', 'boot.ini.gguf'],
  ['C:\\models\\a.gguf', 'a.gguf'],
  ['.hidden.gguf', 'hidden.gguf'],
  ['..', 'model.gguf'],
  ['', 'model.gguf'],
  ['.gguf', 'model.gguf'],
  ['con.gguf', '_con.gguf'],
  ['AUX', '_AUX.gguf'],
  ['a\u0000b\u202Egpj.gguf', 'abgpj.gguf'],
  ['a<b>c:d"e|f?g*h.gguf', 'abcdefgh.gguf'],
  ['trailing. . .gguf', 'trailing.gguf'],
  ['x.gguf.part', 'x.gguf'],
  ['m-00002-of-00003.gguf', 'm-00002-of-00003.gguf'],
  ['模型.gguf', '模型.gguf'],
  ['e\u0301.gguf', 'é.gguf'],
])('%j becomes %j', (wish, name) => {
  expect(safeName(wish)).toBe(name)
})

test('for any given name the result is valid on every system', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 600 })), wish => {
      const name = safeName(wish)
      expect(name).toMatch(/^[^./\\<>:"|?*\p{Cc}\p{Cs}][^/\\<>:"|?*\p{Cc}\p{Cs}]*\.gguf$/u)
      expect(Buffer.byteLength(`${name}.part`)).toBeLessThan(255)
      expect(safeName(name)).toBe(name)
    }),
  )
})

test('a name that is too long keeps the number of its part', () => {
  const name = safeName(`${'é'.repeat(300)}-00001-of-00002.gguf`)
  expect(name).toMatch(/^é+-00001-of-00002\.gguf$/)
  expect(Buffer.byteLength(name)).toBeLessThan(240)
})

test('the names of all files of a split model follow from any of them', () => {
  const names = ['a-00001-of-00003.gguf', 'a-00002-of-00003.gguf', 'a-00003-of-00003.gguf']
  for (const name of names) expect(allPartNames(name)).toEqual(names)
  for (const odd of ['a.gguf', 'a-00004-of-00003.gguf', 'a-00001-of-09999.gguf', 'a-00001-of-00000.gguf'])
    expect(allPartNames(odd)).toEqual([odd])
  expect(allAddresses('https://h.example/r/a-00002-of-00002.gguf?x=1')).toEqual([
    'https://h.example/r/a-00001-of-00002.gguf?x=1',
    'https://h.example/r/a-00002-of-00002.gguf?x=1',
  ])
})

test.each([
  ['https://h.example/a/b%20c.gguf?download=true', null, 'b c.gguf'],
  ['https://h.example/get?id=4', null, 'get.gguf'],
  ['https://h.example/', null, 'model.gguf'],
  ['https://h.example/%E0%A4%A.gguf', null, '%E0%A4%A.gguf'],
  ['https://h.example/..%2f..%2fetc', null, 'etc.gguf'],
  ['https://h.example/get', 'attachment; filename="a \\"b\\".gguf"', 'a b.gguf'],
  ['https://h.example/get', 'attachment; filename=plain.gguf; size=3', 'plain.gguf'],
  ['https://h.example/get', "attachment; filename=x.gguf; filename*=UTF-8''%E6%A8%A1.gguf", '模.gguf'],
  ['https://h.example/get', 'inline', 'get.gguf'],
])('the file at %s (%s) is named %s', (address, disposition, name) => {
  expect(nameOfAddress(address, disposition)).toBe(name)
})

test('on a hub, the page of a file stands for the file itself', () => {
  expect(fileAddress('https://huggingface.co/o/r/blob/main/a.gguf#x')).toBe(
    'https://huggingface.co/o/r/resolve/main/a.gguf',
  )
  expect(fileAddress('https://h.example/o/r/blob/main/a.gguf')).toBe('https://h.example/o/r/blob/main/a.gguf')
})

test('a number is inserted before the part number of a split model', () => {
  const taken = new Set(['a.gguf', 's-00002-of-00002.gguf', 's-2-00001-of-00002.gguf'])
  const isTaken = (name: string) => taken.has(name)
  expect(freeNames(['a.gguf'], isTaken)).toEqual(['a-2.gguf'])
  expect(freeNames(['s-00001-of-00002.gguf', 's-00002-of-00002.gguf'], isTaken)).toEqual([
    's-3-00001-of-00002.gguf',
    's-3-00002-of-00002.gguf',
  ])
  expect(freeNames(['b.gguf'], isTaken)).toEqual(['b.gguf'])
})
