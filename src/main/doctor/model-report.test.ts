import { expect, test } from 'vitest'
import { gatherReport, judgeCalls, type CallReport, type Finding } from './model-report.ts'

const called = (how: CallReport['how']): CallReport => ({
  tool: 'terminal',
  question: 'Run it.',
  how,
  call: how === 'not' ? null : { name: 'terminal', arguments: { command: 'date' } },
  alone: how === 'by itself' ? null : 'it talked instead',
  problem: how === 'not' ? 'its call did not end' : null,
})

test('a model works if every call was unaided, and works with help if some were started for it', () => {
  const own = called('by itself')
  expect(judgeCalls([own, own, own])).toMatchObject({ ok: true, text: expect.stringMatching(/^Works: /) })
  expect(judgeCalls([own, called('begun for it'), own])).toMatchObject({
    ok: true,
    text: expect.stringMatching(/^Works with help: 1 of 3 /),
  })
  const begun = called('begun for it')
  expect(judgeCalls([begun, begun, begun])).toMatchObject({
    ok: true,
    text: expect.stringContaining('it called nothing by itself'),
    fix: expect.stringContaining('choose another model'),
  })
})

test('a single invalid call makes it fail', () => {
  expect(judgeCalls([called('by itself'), called('not'), called('begun for it')])).toMatchObject({
    ok: false,
    text: expect.stringMatching(
      /^Cannot be used as an agent: it made no valid call in 1 of 3 tries, even when Talaria started the call for it\./,
    ),
    fix: expect.stringContaining('For experts > How tools are called'),
  })
})

test('findings are collected into one report, with the calls in order', () => {
  const calls = [called('by itself'), called('not')]
  const verdict = judgeCalls(calls)
  const findings: Finding[] = [
    { kind: 'loading', loading: { seconds: 2, contextTokens: 512 } },
    ...calls.map((call): Finding => ({ kind: 'call', call })),
    { kind: 'verdict', verdict },
  ]
  expect(gatherReport(findings)).toEqual({ loading: { seconds: 2, contextTokens: 512 }, calls, verdict })
})
