import { expect, test } from 'vitest'
import type { CompletionEvent } from '../../interface/engine.ts'
import { boundLines, inSlices, readBoundJson } from './bound-answer.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Run these pieces through the limit. Returns the output, and whether it was cut. */
async function bounded(pieces: readonly Uint8Array<ArrayBuffer>[], most: number) {
  let isCut = false
  const lines = boundLines(() => void (isCut = true), most)
  const out = await new Response(ReadableStream.from(pieces).pipeThrough(lines)).text()
  return { out, isCut }
}

test.each([1, 3, 7, 1_000])('lines pass unchanged, in packets of %i bytes', async packet => {
  const all = bytes('data: {"a":"ä€😀"}\n\n: comment\r\n\ndata: [DONE]\n\nno line end')
  const pieces = Array.from({ length: Math.ceil(all.length / packet) }, (_, n) =>
    all.slice(n * packet, (n + 1) * packet),
  )
  expect(await bounded(pieces, 100)).toEqual({ out: new TextDecoder().decode(all), isCut: false })
})

test('a line that is too long is closed, and ends the stream', async () => {
  const { out, isCut } = await bounded(
    [bytes('data: 1\n\n'), bytes(`data: {"choices":[{"text":"${'x'.repeat(50)}`), bytes('and more"}]}\n\n')],
    60,
  )
  expect([out.split('\n\n')[0], isCut]).toEqual(['data: 1', true])
  expect(JSON.parse(out.split('\n\n')[1]!.slice('data: '.length))).toEqual({
    choices: [{ text: expect.stringMatching(/^x{50}/) as string }],
  })
})

test.each([
  ['as they are', (json: string) => json],
  ['as escapes', (json: string) => json.replace(/[^\x20-\x7e]/g, escaped)],
])(
  'JSON that is cut anywhere within a string can be read once it is closed, with characters %s',
  async (_how, spell) => {
    const text = 'so \\ "quoted" {[ \n ä 😀 \u{1F469} end'
    const begin = '{"a":["\\"",{"text":'
    const json = begin + spell(JSON.stringify(text))
    const body = bytes(json)
    for (let end = begin.length + 1; end < body.length; end += 1) {
      const closed = (await readCut(body.slice(0, end))) as { a: [string, { text: string }] }
      expect([closed.a[0], text.startsWith(closed.a[1].text), closed.a[1].text.isWellFormed()]).toEqual([
        '"',
        true,
        true,
      ])
    }
    expect(await readCut(bytes(`${json}}`))).toBe(null)
  },
)

/** Read a body whose last byte exceeds the limit. */
const readCut = (body: Uint8Array<ArrayBuffer>) =>
  readBoundJson(new Response(body), () => {}, body.length - 1)

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

test('a JSON body within the limit is read whole, a longer one up to the limit', async () => {
  const answer = { choices: [{ message: { content: 'x'.repeat(200) } }] }
  let cuts = 0
  const read = (most: number) => readBoundJson(Response.json(answer), () => void cuts++, most)
  expect([await read(1_000), cuts]).toEqual([answer, 0])
  const pieces = ReadableStream.from(
    JSON.stringify(answer)
      .match(/.{1,7}/g)!
      .map(bytes),
  )
  expect(await readBoundJson(new Response(pieces), () => void cuts++, 100)).toEqual({
    choices: [{ message: { content: expect.stringMatching(/^x+$/) as string } }],
  })
  expect(cuts).toBe(1)
})

test('a long text comes in slices, between which other work is done, and loses nothing', async () => {
  const text = '😀'.repeat(50_000)
  const events: CompletionEvent[] = [
    { type: 'reasoning', text: 'Short.' },
    { type: 'text', text },
  ]
  let others = 0
  const timer = setInterval(() => void others++, 0)
  const immediate = () => {
    others += 1
    handle = setImmediate(immediate)
  }
  let handle = setImmediate(immediate)
  const slices = await Array.fromAsync(inSlices(events))
  clearInterval(timer)
  clearImmediate(handle)
  expect(slices.slice(1).map(each => 'text' in each && each.text.isWellFormed())).toEqual(
    Array.from({ length: 7 }, () => true),
  )
  expect(
    slices
      .slice(1)
      .map(each => ('text' in each ? each.text : ''))
      .join(''),
  ).toBe(text)
  expect(others).toBeGreaterThanOrEqual(7)
})
