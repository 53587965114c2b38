import { expect, test } from 'vitest'
import type { Check } from './conversation.ts'
import { judge, roundScores, scoresOf } from './judge.ts'

const said = (text: string) => ({ text, calls: [], broken: 0 })
const called = (name: string, given: Record<string, unknown>) => ({
  text: '',
  calls: [{ name, arguments: given }],
  broken: 0,
})
const asked = (check: Check, text = '') => ({ check, text })
const readNotes: Check = { kind: 'call', name: 'read_file', arguments: { path: 'notes.md' } }

test.for([
  [called('read_file', { path: 'notes.md' }), { tool: true, arguments: true }],
  [called('read_file', { path: 'notes.md ' }), { tool: true, arguments: false }],
  [called('read_file', { path: 'notes.md', limit: 1 }), { tool: true, arguments: false }],
  [called('list_files', { path: 'notes.md' }), { tool: false, arguments: false }],
  [
    { ...called('read_file', { path: 'notes.md' }), broken: 1 },
    { tool: false, arguments: false },
  ],
  [said('notes.md says nothing.'), { tool: false, arguments: false }],
] as const)('a call is right with its tool and every argument: %j', ([heard, verdict]) => {
  expect(judge(heard, asked(readNotes))).toMatchObject(verdict)
})

test.for([
  ['Your name is  ADA.', true],
  ['Your name is Bob.', false],
] as const)('an answer has its fact whatever stands around it: %s', ([text, fact]) => {
  expect(judge(said(text), asked({ kind: 'fact', facts: ['name is Ada'] }))).toMatchObject({
    tool: true,
    fact,
  })
})

test('a fact beside a call is no answer', () => {
  const heard = { ...called('memory', {}), text: 'Ada' }
  const verdict = judge(heard, asked({ kind: 'fact', facts: ['Ada'] }))
  expect(verdict).toMatchObject({ tool: false, fact: false, exact: false })
})

test.for([
  ['That is beyond me. Add a bigger model on the Models page.', true],
  ['Saved.', false],
  ['', false],
  ['Add a model.\nOr do not.', false],
] as const)('what is beyond it gets one line that names what to do: %j', ([text, unknown]) => {
  expect(judge(said(text), asked({ kind: 'unknown' }))).toMatchObject({ tool: true, unknown })
})

test('scores count only what was asked for', () => {
  const verdicts = [
    judge(said('Hello!'), asked({ kind: 'text' }, 'Hello!')),
    judge(called('read_file', { path: 'notes.md' }), asked(readNotes)),
    judge(said('No.'), asked(readNotes)),
  ]
  expect(roundScores(scoresOf(verdicts))).toEqual({
    tool: 0.6667,
    arguments: 0.5,
    fact: null,
    unknown: null,
    exact: 0.6667,
  })
})
