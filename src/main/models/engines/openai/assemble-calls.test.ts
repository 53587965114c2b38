import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { assembleCalls } from './assemble-calls.ts'

type Assembly = ReturnType<typeof assembleCalls>
type CallFragment = Parameters<Assembly['add']>[0]
type AssembledCall = ReturnType<Assembly['calls']>[number]

const join = (fragments: CallFragment[], cut = false): Omit<AssembledCall, 'extra'>[] => {
  const assembly = assembleCalls()
  for (const fragment of fragments) assembly.add(fragment)
  return assembly.calls(cut).map(({ extra: _extra, ...call }) => call)
}
const ID = expect.stringMatching(/^[0-9a-f]{9}$/)

test.for<[string, CallFragment[], { id: unknown; name: string; argumentsText: string }[]]>([
  [
    'every call has index 0, each in one piece (Ollama)',
    [
      { index: 0, id: 'a', name: 'read', argumentsText: '{"p":1}' },
      { index: 0, id: 'b', name: 'read', argumentsText: '{"p":2}' },
    ],
    [
      { id: 'a', name: 'read', argumentsText: '{"p":1}' },
      { id: 'b', name: 'read', argumentsText: '{"p":2}' },
    ],
  ],
  [
    'there is no index and no id, each in one piece',
    [
      { name: 'read', argumentsText: '{"p":1}' },
      { name: 'read', argumentsText: '{"p":2}' },
    ],
    [
      { id: ID, name: 'read', argumentsText: '{"p":1}' },
      { id: ID, name: 'read', argumentsText: '{"p":2}' },
    ],
  ],
  [
    'each piece has all arguments so far',
    [
      { index: 0, id: 'a', name: 'read', argumentsText: '{"p"' },
      { index: 0, argumentsText: '{"p":{"q":' },
      { index: 0, argumentsText: '{"p":{"q":1}}' },
    ],
    [{ id: 'a', name: 'read', argumentsText: '{"p":{"q":1}}' }],
  ],
  [
    'pieces that begin alike and are JSON together stay together',
    [
      { index: 0, id: 'a', name: 'read', argumentsText: '{"p":' },
      { index: 0, argumentsText: '{"p":1}' },
      { index: 0, argumentsText: '}' },
    ],
    [{ id: 'a', name: 'read', argumentsText: '{"p":{"p":1}}' }],
  ],
  [
    'there is no index, and the arguments come in pieces',
    [
      { id: 'a', name: 'read', argumentsText: '' },
      { argumentsText: '{"p"' },
      { argumentsText: ':1}' },
      { id: 'b', name: 'list' },
      { argumentsText: '{}' },
    ],
    [
      { id: 'a', name: 'read', argumentsText: '{"p":1}' },
      { id: 'b', name: 'list', argumentsText: '{}' },
    ],
  ],
  [
    'id and name are repeated in every fragment',
    [
      { index: 0, id: 'a', name: 'read', argumentsText: '{"p"' },
      { index: 0, id: 'a', name: 'read', argumentsText: ':1}' },
    ],
    [{ id: 'a', name: 'read', argumentsText: '{"p":1}' }],
  ],
  [
    'a new id is made up for every fragment',
    [
      { index: 0, id: 'a', name: 'read', argumentsText: '{"p"' },
      { index: 0, id: 'b', argumentsText: ':1}' },
    ],
    [{ id: 'a', name: 'read', argumentsText: '{"p":1}' }],
  ],
  [
    'the name comes in pieces',
    [
      { index: 0, id: 'a', name: 'read_' },
      { index: 0, name: 'file' },
      { index: 0, argumentsText: '{}' },
    ],
    [{ id: 'a', name: 'read_file', argumentsText: '{}' }],
  ],
  [
    'two calls share an id',
    [
      { index: 0, id: 'a', name: 'read', argumentsText: '{}' },
      { index: 1, id: 'a', name: 'list', argumentsText: '{}' },
    ],
    [
      { id: 'a', name: 'read', argumentsText: '{}' },
      { id: ID, name: 'list', argumentsText: '{}' },
    ],
  ],
  ['a fragment is empty', [{ index: 0 }, {}], []],
])('calls are separated correctly when %s', ([, fragments, calls]) => {
  expect(join(fragments)).toEqual(calls)
})

test('a truncated call keeps its text, and is dropped if its arguments had not begun', () => {
  const fragments = [
    { index: 0, id: 'a', name: 'write', argumentsText: '{"path": "x", "con' },
    { index: 1, id: 'b', name: 'list' },
  ]
  expect(join(fragments, true)).toEqual([{ id: 'a', name: 'write', argumentsText: '{"path": "x", "con' }])
})

const aCall = fc.record({
  id: fc.uuid(),
  name: fc.constantFrom('read_file', 'write_file', 'list_files'),
  argumentsText: fc
    .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
    .map(value => JSON.stringify(value)),
})

/** The calls as a correct server sends them: cut anywhere, with fragments of different calls interleaved. */
const aStream = fc
  .array(fc.tuple(aCall, fc.array(fc.nat(40), { maxLength: 5 })), { maxLength: 4 })
  .chain(calls => {
    const queues = calls.map(([call, cuts], index) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), Infinity]
      const pieces = at.slice(1).map((end, n) => call.argumentsText.slice(at[n], end))
      return pieces.map((argumentsText, n) =>
        n === 0 ? { index, id: call.id, name: call.name, argumentsText } : { index, argumentsText },
      )
    })
    const turns = queues.flatMap((queue, index) => queue.map(() => index))
    return fc.shuffledSubarray(turns, { minLength: turns.length }).map(order => ({
      calls: calls.map(([call]) => call),
      fragments: order.map(index => queues[index]?.shift() ?? {}),
    }))
  })

test('any valid stream, however it is split and ordered, gives the original calls', () => {
  fc.assert(
    fc.property(aStream, ({ calls, fragments }) => {
      expect(join(fragments).toSorted(byId)).toEqual(calls.toSorted(byId))
    }),
  )
})

const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
