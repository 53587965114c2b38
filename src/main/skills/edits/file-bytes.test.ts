import { encode } from 'iconv-lite'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agent, aSkillEditor, done, you } from '../../../../testing/skills/a-skill-editor.ts'
import { encodeLike } from './file-bytes.ts'

let home: ReturnType<typeof aSkillEditor>
let opened: ReturnType<typeof home.start>
beforeEach(() => {
  home = aSkillEditor()
  opened = home.start()
})
afterEach(() => {
  opened.library.close()
  home[Symbol.dispose]()
})

const TEXT =
  '---\nname: water\ndescription: 按冰箱上的计划浇花，每周两次，冬天每周一次。\n---\n\n先看土壤是否干燥，再慢慢浇水。\n'

/** The user's skill as saved by another program. */
function put(bytes: Buffer, path = 'SKILL.md') {
  const file = home.at('home/skills/water', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  opened.library.changed('now')
  return file
}

test.for([
  ['GBK', (text: string) => encode(text, 'GBK')],
  ['UTF-16 with its mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16BE with its mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ['UTF-8 with its mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['UTF-8', (text: string) => Buffer.from(text)],
] as const)('a SKILL.md in %s is written back in it, by the person and by the agent', ([, bytesOf]) => {
  const file = put(bytesOf(TEXT))
  for (const [by, word] of [
    [you, '大盆两升'],
    [agent, '小盆半升'],
  ] as const) {
    const text = `${TEXT}${word}。\n`
    const saved = done(opened.editor.save({ id: 'own/water', path: 'SKILL.md', text }, by))
    expect(saved.note).toBeUndefined()
    expect(readFileSync(file)).toEqual(bytesOf(text))
    expect(opened.library.read('own/water')?.replace(/^\ufeff/, '')).toBe(text)
  }
})

test('a character that the encoding lacks makes it UTF-8, and that is said', () => {
  const file = put(encode(TEXT, 'GBK'))
  const text = `${TEXT}🌱\n`
  const { note } = done(opened.editor.save({ id: 'own/water', path: 'SKILL.md', text }, agent))
  expect(note).toBe('SKILL.md is in UTF-8 from now on: it was in GBK, which has no “🌱” (line 7).')
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('what could no longer be told apart, or never could, becomes UTF-8, and that is said', () => {
  const cyrillic = encode('Поливай цветы по плану на холодильнике.\n', 'windows-1251')
  expect(encodeLike('a.md', 'Ok, ё.\n', cyrillic)).toMatchObject({
    bytes: Buffer.from('Ok, ё.\n'),
    note: expect.stringContaining('could no longer be told apart'),
  })
  expect(encodeLike('a.md', 'A5\n', Buffer.from([0x41, 0xb5, 0x0a]))).toMatchObject({
    bytes: Buffer.from('A5\n'),
    note: expect.stringContaining('which is not certain'),
  })
})

test('a text in ASCII alone needs no other encoding, and binary or new files are plain', () => {
  const cyrillic = encode('Поливай цветы по плану на холодильнике.\n', 'windows-1251')
  expect(encodeLike('a.md', 'Water them.\n', cyrillic)).toMatchObject({ bytes: Buffer.from('Water them.\n') })
  expect(encodeLike('a.md', 'ä', undefined)).toEqual({ bytes: Buffer.from('ä') })
  expect(encodeLike('a.bin', 'ä', Buffer.from([0, 1, 2, 255]))).toEqual({ bytes: Buffer.from('ä') })
})
