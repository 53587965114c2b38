import { expect, test } from 'vitest'
import { keepThoughts } from './kept-thoughts.ts'

const look = (path: string) => ({ name: 'look', arguments: { path } })
const said = (path: string, text = '') => ({
  role: 'assistant' as const,
  text,
  calls: [{ id: 'another', ...look(path) }],
})
const asked = { role: 'user' as const, text: 'Go.' }

test('a reply gets its thoughts back, even if the ids of its calls have changed', () => {
  const thoughts = keepThoughts()
  thoughts.keep('s', { text: ' Looking. ', calls: [look('a')] }, 'A')
  thoughts.keep('s', { text: 'Done.', calls: [] }, 'B')
  const messages = [asked, said('a', 'Looking.'), { role: 'assistant' as const, text: 'Done.' }]
  expect(thoughts.of({ sessionId: 's', messages })).toEqual([undefined, 'A', 'B'])
})

test('a reply whose calls are sent shortened gets its thoughts back all the same', () => {
  const thoughts = keepThoughts()
  thoughts.keep('s', { text: '', calls: [look('a long text')] }, 'A')
  const brief = { id: 'c', name: 'look', arguments: { path: 'a …' }, ran: { path: 'a long text' } }
  const messages = [asked, { role: 'assistant' as const, text: '', calls: [brief] }]
  expect(thoughts.of({ sessionId: 's', messages })).toEqual([undefined, 'A'])
})

test('two equal calls have their own thoughts, in their own places', () => {
  const thoughts = keepThoughts()
  for (const each of ['first', 'second']) thoughts.keep('s', { text: '', calls: [look('a')] }, each)
  const messages = [asked, said('a'), said('a')]
  expect(thoughts.of({ sessionId: 's', messages })).toEqual([undefined, 'first', 'second'])
  expect(thoughts.of({ sessionId: 's', messages: messages.slice(0, 2) })).toEqual([undefined, 'second'])
})

test('another chat, other arguments and user text get none', () => {
  const thoughts = keepThoughts()
  thoughts.keep('s', { text: '', calls: [look('a')] }, 'A')
  thoughts.keep('s', { text: 'Go.', calls: [] }, 'B')
  expect(thoughts.of({ sessionId: 't', messages: [said('a')] })).toEqual([undefined])
  expect(thoughts.of({ sessionId: 's', messages: [said('b'), asked] })).toEqual([undefined, undefined])
})

test('only the newest thoughts are kept', () => {
  const thoughts = keepThoughts()
  for (let n = 0; n <= 400; n++) thoughts.keep('s', { text: '', calls: [look(`${n}`)] }, n)
  const of = (path: string) => thoughts.of({ sessionId: 's', messages: [said(path)] })[0]
  expect([of('0'), of('1'), of('400')]).toEqual([undefined, 1, 400])
})
