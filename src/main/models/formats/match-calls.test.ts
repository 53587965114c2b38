import { describe, expect, test } from 'vitest'
import type { Format } from './format-types.ts'
import { formats, type FormatId } from './format-table.ts'
import { matchFormat, probeCalls } from './match-calls.ts'
import { writeCalls } from './write-calls.ts'

const all = Object.entries(formats) as [FormatId, Format][]
const [first] = probeCalls

const writtenIn = (format: Format, around: (text: string) => string = text => text) => ({
  one: [around(writeCalls(format, [first]).text)],
  two: [around(writeCalls(format, probeCalls).text)],
})

describe.each(all)('%s', (id, format) => {
  test('is recognised by what a template writes in it', () => {
    expect(matchFormat(writtenIn(format))).toBe(id)
    expect(matchFormat(writtenIn(format, text => `${text}<|end_of_turn|>\n`))).toBe(id)
  })

  test('is recognised with other blanks and quotation marks', () => {
    const otherwise = (text: string) =>
      text.replaceAll('\n', '').replaceAll(', ', ',').replaceAll('"a b"', "'a b'")
    expect(matchFormat(writtenIn(format, otherwise))).toBe(id)
  })

  test('is recognised by one call alone, where a template refuses two', () => {
    const found = matchFormat({ ...writtenIn(format), two: [] })
    // One call does not show how two look, so any format that writes one call alike will do.
    expect(writeCalls(formats[found!], [first]).text.replaceAll('\n', '')).toBe(
      writeCalls(format, [first]).text.replaceAll('\n', ''),
    )
  })
})

test('calls in no notation of ours are none', () => {
  expect(matchFormat({ one: [], two: [] })).toBeUndefined()
  expect(matchFormat({ one: ['<|do|>probe0tool<|with|>{"count": 3}<|done|>'], two: [] })).toBeUndefined()
})

test('a call without marks counts only where the reply starts', () => {
  const { text } = writeCalls(formats['bare-list'], [first])
  expect(matchFormat({ one: [text], two: [] })).toBe('bare-list')
  expect(matchFormat({ one: [`<|do|>${text}`], two: [] })).toBeUndefined()
})

test('ids in calls make no difference', () => {
  const given = JSON.stringify(first.arguments)
  const call = `{"name": "probe0tool", "arguments": ${given}, "id": "x1Y2z3W4v"}`
  expect(matchFormat({ one: [`[TOOL_CALLS][${call}]`], two: [] })).toBe('mistral')
  const action = `{"tool_call_id": "0", "tool_name": "probe0tool", "parameters": ${given}}`
  expect(matchFormat({ one: [`<|START_ACTION|>[\n    ${action}\n]<|END_ACTION|>`], two: [] })).toBe(
    'command-r7b',
  )
})
