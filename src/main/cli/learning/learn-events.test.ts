import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import { batchesOf, readEvents } from './learn-command.ts'

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
const read = (text: string, size = 1_000) => Array.fromAsync(readEvents(inPieces(text, size)))
const said = (session: string, text = 'Hello.'): LearningEvent => ({
  type: 'user_message',
  session,
  at: 0,
  text,
})
const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`

test('events are read line by line, and an invalid one is reported with its line number', async () => {
  const text = [
    '\uFEFF{"type":"user_message","session":"a","text":"Hi."}\r',
    '',
    '{"type":"user_message","session":"a"',
    '{"type":"dance","session":"a"}',
    '{"type":"reply","session":"a"}',
    '{"type":"tool_result","session":"","name":"ls","ok":true}',
    '[1,2]',
    '{"type":"session_end","session":"a","at":7}',
  ].join('\n')
  expect(await read(text)).toEqual([
    { number: 1, event: { type: 'user_message', session: 'a', at: 0, text: 'Hi.' } },
    { number: 3, refused: 'it is not JSON' },
    { number: 4, refused: expect.stringMatching(/^“type”: /) },
    { number: 5, event: { type: 'reply', session: 'a', at: 0, text: '', calls: 0 } },
    { number: 6, refused: expect.stringMatching(/^“session”: /) },
    { number: 7, refused: expect.stringMatching(/\w/) },
    { number: 8, event: { type: 'session_end', session: 'a', at: 7 } },
  ])
})

test('a line that is too long is reported, and the next one is read', async () => {
  const lines = await read(`${'x'.repeat(4_000_001)}\n${lineOf(said('a'))}`, 65_536)
  expect(lines).toEqual([
    { number: 1, refused: 'it is longer than 4,000,000 characters' },
    { number: 2, event: said('a') },
  ])
})

test('it does not matter how the file is split into chunks', async () => {
  const line = fc.oneof(
    fc.string().map(text => lineOf(said('s', text))),
    fc.string().map(text => `${text.replaceAll('\n', '')}\n`),
    fc.constant('\n'),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 20 }),
      fc.integer({ min: 1, max: 30 }),
      async (lines, size) => {
        const text = lines.join('')
        expect(await read(text, size)).toEqual(await read(text, Math.max(1, text.length)))
      },
    ),
    { numRuns: 100 },
  )
})

test('sessions are sent whole and in order, in as few batches as the host accepts', () => {
  const mixed = ['a', 'b', 'a', 'c', 'b', 'a'].map((session, at) => said(session, `${at}`))
  const batches = batchesOf(mixed)
  expect(batches).toMatchObject([{ sessions: 3 }])
  expect(batches[0]!.events.map(event => event.session).join('')).toBe('aaabbc')
  expect(batches[0]!.events.flatMap(event => ('text' in event ? [event.text] : [])).join('')).toBe('025143')
  expect(batchesOf([])).toEqual([])

  const large = (session: string, characters: number) => said(session, 'ü'.repeat(characters))
  const several = batchesOf([large('a', 200_000), large('b', 200_000), large('c', 200_000), large('a', 10)])
  expect(several.map(({ events, sessions }) => [sessions, events.length])).toEqual([
    [2, 3],
    [1, 1],
  ])
  const alone = batchesOf([said('a'), large('b', 300_000), large('b', 300_000), said('c')])
  expect(alone.map(({ events }) => events.map(event => event.session).join(''))).toEqual(['a', 'bb', 'c'])
  const many = Array.from({ length: 250_000 }, (_, at) => said(`s${at % 5}`, ''))
  expect(batchesOf(many).every(({ events }) => events.length <= 100_000)).toBe(true)
  expect(batchesOf(many).reduce((sum, { events }) => sum + events.length, 0)).toBe(250_000)
})
