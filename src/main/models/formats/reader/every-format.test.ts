import { describe, expect, test } from 'vitest'
import { eventsOf, tools } from '../../../../../testing/formats/read-message.ts'
import type { Call, Format } from '../format-types.ts'
import { formats } from '../format-table.ts'
import { writeCalls } from '../write-calls.ts'

const calls: Call[] = [
  {
    name: 'plan',
    arguments: { title: 'a "b" <c>\n{d}', steps: ['one, two', '3'], share: 2.5, urgent: true },
  },
  { name: 'clock', arguments: {} },
]

const inPieces = (size: number) => (text: string) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))

const callsIn = (text: string, manner?: Parameters<typeof eventsOf>[1]) =>
  eventsOf(text, manner).flatMap(event =>
    event.type === 'call' ? [{ name: event.name, arguments: event.arguments }] : [],
  )

describe.each(Object.values(formats).map((format): [string, Format] => [format.id, format]))(
  'the reader of %s',
  (_, format) => {
    const { text } = writeCalls(format, calls)

    test.for([1, 2, 3, 7, 50])('reads what is written, in pieces of %i', size => {
      expect(callsIn(text, { chunks: inPieces(size) })).toEqual(calls)
    })

    test('finds no other call where the text ends early', () => {
      for (let length = 1; length < text.length; length++) {
        const found = callsIn(text.slice(0, length), { truncated: true })
        expect([length, found]).toEqual([length, calls.slice(0, found.length)])
      }
    })

    test('leaves text that only mentions the marks', () => {
      const mark = format.mark.replaceAll('`', '')
      const words = `A call starts with \`${mark}\` and needs a name.`
      expect(eventsOf(words)).toEqual([{ type: 'text', text: words }])
      const quoted = `Write it like this:\n~~~text\n${text}\n~~~\nThat is all.`
      expect(callsIn(quoted)).toEqual([])
    })
  },
)

test('these calls are of tools that exist', () => {
  expect(calls.every(({ name }) => tools.some(tool => tool.name === name))).toBe(true)
})
