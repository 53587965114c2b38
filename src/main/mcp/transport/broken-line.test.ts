import { expect, test } from 'vitest'
import { describeBroken, findBrokenAnswer } from './broken-line.ts'

test.each([
  ['its id, wherever it stands', '{"jsonrpc":"2.0","id":7,"result":{"mean":NaN}}', ['6', '7'], '7'],
  ['its id at the end', '{"jsonrpc": "2.0", "result": {"mean": NaN}, "id": 7}', ['6', '7'], '7'],
  ['the only one that waits', '{"jsonrpc":"2.0","id":7', ['6'], '6'],
  [
    'none, where several may be meant',
    '{"jsonrpc":"2.0","id":6,"result":{"id":7,"x":NaN}}',
    ['6', '7'],
    undefined,
  ],
  ['none, since a program prints what it likes', 'Listening on {"port": NaN}', ['6'], undefined],
  ['none, since it is no answer', '{"jsonrpc":"2.0","method":"x","params":{"a":NaN}}', ['6'], undefined],
])('a broken line answers %s', (_, line, waiting, id) => {
  expect(findBrokenAnswer(line, waiting)).toBe(id)
})

test('what is broken is quoted with what nobody would see', () => {
  expect(describeBroken('{"jsonrpc":"2.0","id":7,"result":{"a\u202E":NaN}}')).toBe(
    'The server sent something that is not JSON: “{"jsonrpc":"2.0","id":7,"result":{"a⟨U+202E⟩":NaN}}”.',
  )
  const long = describeBroken(
    `{"jsonrpc":"2.0","text":"${'x'.repeat(5_000)}","mean":NaN,"more":"${'y'.repeat(500)}"}`,
  )
  expect(long).toMatch(/“…x+","mean":NaN,"more":"y+…”\.$/)
})
