import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import type { NewRunEvent } from '../../../shared/contract/runs/run.ts'
import { textPrinter } from './print-run.ts'

/** What a run prints on a screen that shows both outputs, and on each of them. */
function printed(...events: (NewRunEvent & { at?: number })[]) {
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
  events.forEach((event, index) => printer.print({ at: 0, ...event, seq: index + 1 }))
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

test('a server that loads its model is told of on standard error, at once and then from time to time', () => {
  const seconds = (at: number, total = 0) =>
    ({ type: 'progress', phase: 'loading', done: 0, total, at: at * 1000 }) as const
  const { out, aside } = printed(...[0, 2, 4, 29, 31, 33, 62].map(at => seconds(at)), text('Noon.'))
  expect(out).toBe('Noon.\n')
  expect(aside).toBe(
    [
      '— the server is loading its model; waiting for it (Ctrl-C stops)…',
      '— the server is still loading its model, 31 s…',
      '— the server is still loading its model, 62 s…',
      '',
    ].join('\n'),
  )
  expect(printed(seconds(0, 1), text('Noon.')).aside).toBe('')
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
  expect(refused.aside).toContain(
    '(The model’s summary repeated itself, so Talaria built one by fixed rules.)',
  )
  expect(told('pruning').aside).toContain(
    'old calls and their results were shortened for the model: 12,000 → 3,200',
  )
})
