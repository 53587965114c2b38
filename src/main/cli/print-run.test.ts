import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import type { NewRunEvent } from '../../shared/contract/run.ts'
import { textPrinter } from './print-run.ts'

/** What a run prints on a screen that shows both outputs, and on each of them. */
function printed(...events: NewRunEvent[]) {
  const got = { screen: '', out: '', aside: '' }
  const into = (name: 'out' | 'aside') =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        got[name] += text
        got.screen += text
        done()
      },
    })
  const printer = textPrinter(into('out'), into('aside'))
  events.forEach((event, index) => printer.print({ ...event, seq: index + 1, at: 0 }))
  printer.end()
  return got
}
const text = (text: string): NewRunEvent => ({ type: 'text_delta', text })

test('a discarded reply is followed by a note, and the second try starts on its own line', () => {
  expect(printed(text('la la '), text('la la'), { type: 'retry', reason: 'looping' }, text('Noon.'))).toEqual(
    {
      screen: 'la la la la\n— it repeated itself; trying again:\nNoon.\n',
      out: 'la la la la\nNoon.\n',
      aside: '— it repeated itself; trying again:\n',
    },
  )
})

test('after an empty reply only the second answer goes to standard output', () => {
  const { out, aside } = printed({ type: 'retry', reason: 'empty' }, text('Noon.'))
  expect([out, aside]).toEqual(['Noon.\n', '— it said nothing; trying again:\n'])
})

test('a full context prints its own sentence and nothing else', () => {
  const full = {
    type: 'context_full',
    neededTokens: 9_000,
    contextTokens: 4_096,
    leftOut: 'turns',
  } as const
  expect(printed(full, { type: 'warning', text: 'Too long.' }, text('Noon.'))).toEqual({
    screen: 'Too long.\nNoon.\n',
    out: 'Noon.\n',
    aside: 'Too long.\n',
  })
})

test('a warning that a new chat or another model may help says how to get them, on standard error', () => {
  const { out, aside } = printed({ type: 'warning', text: 'It goes in circles.', offersOthers: true })
  expect(out).toBe('')
  expect(aside).toMatch(
    /^It goes in circles\.\n {2}\/new starts a new chat, and \/model ID .*--model ID\.\n$/,
  )
})

test('a compaction prints two lines, with what it saved and how it was made', () => {
  const compaction = {
    id: 1,
    at: 0,
    headId: 2,
    upToId: 40,
    prunedToId: 40,
    questionId: 0,
    summary: '## Goal\n- Ship it',
    focus: '',
    tokensBefore: 12_000,
    tokensAfter: 3_200,
  }
  const told = (by: 'model' | 'local' | 'pruning') =>
    printed(
      { type: 'compacting', tokens: 12_000, contextTokens: 16_000 },
      { type: 'compacted', compaction: { ...compaction, by } },
    )
  expect(told('model')).toMatchObject({
    out: '',
    aside:
      '— summarising earlier messages…\n— earlier messages were summarised for the model: 12,000 → 3,200 tokens\n',
  })
  expect(told('local').aside).toContain('for the model, without a model: 12,000 → 3,200 tokens')
  const refused = printed({
    type: 'compacted',
    compaction: { ...compaction, by: 'local', refused: 'repeats' },
  })
  expect(refused.aside).toContain('(The model’s summary repeated itself, so Talaria made one by rules.)')
  expect(told('pruning').aside).toContain(
    'old calls and their results were shortened for the model: 12,000 → 3,200',
  )
})
