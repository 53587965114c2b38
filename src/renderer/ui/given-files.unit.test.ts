import { describe, expect, test } from 'vitest'
import { describeTaken, quoteTexts, takeTexts, type Given } from './given-files.ts'

const given = (name: string, content: BlobPart = 'x', more: Partial<Given> = {}): Given => ({
  name,
  file: new File([content], name),
  isFolder: false,
  path: '',
  ...more,
})

describe('what was pasted or dropped', () => {
  test('a folder is said to be one, with what can be done', async () => {
    const taken = await takeTexts([given('src', '', { isFolder: true })], 100)
    expect(describeTaken(taken, 'dropped')).toBe(
      'Folders cannot be sent, so “src” was left out. Write its path, so that tools can look into it.',
    )
  })

  test('texts are taken as long as there is room for all of them', async () => {
    const taken = await takeTexts([given('a.txt', 'abc'), given('b.txt', 'defg'), given('c.txt', 'hi')], 5)
    expect(taken).toEqual({
      texts: [
        { name: 'a.txt', text: 'abc' },
        { name: 'c.txt', text: 'hi' },
      ],
      left: [{ name: 'b.txt', kind: 'long' }],
    })
  })

  test('what is no UTF-8 is no garbage, and a file of TypeScript is no video', async () => {
    const film = new File(['export {}'], 'a.ts', { type: 'video/mp2t' })
    const taken = await takeTexts(
      [given('b.txt', new Uint8Array([0x67, 0xfc, 0x6e])), { ...given('a.ts'), file: film }],
      100,
    )
    expect(taken.left).toEqual([{ name: 'b.txt', kind: 'other' }])
    expect(taken.texts).toEqual([{ name: 'a.ts', text: 'export {}' }])
  })

  test('of many things the first are named and the rest counted', async () => {
    const names = ['a.png', 'b.pdf', 'c.zip', 'd.mp3', 'e.docx']
    const taken = await takeTexts(
      names.map(name => given(name, '\0')),
      100,
    )
    expect(describeTaken(taken, 'dropped')).toContain(
      'so 5 were left out: “a.png” (a picture), “b.pdf” (a PDF), “c.zip” and 2 more.',
    )
  })

  test('a text with a fence stays whole in a longer one', () => {
    expect(quoteTexts([{ name: 'a.md', text: '```js\n1\n```\n' }])).toBe('a.md:\n````\n```js\n1\n```\n````\n')
  })
})
