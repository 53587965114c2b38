import type { CallRecord } from '../../src/shared/contract/runs/call-record.ts'
import { expect, test } from 'vitest'
import type { Message, ToolCall } from '../../src/shared/contract/chats/messages.ts'
import type { NewRunEvent, RunEvent } from '../../src/shared/contract/runs/run.ts'
import { sayFallback } from '../../src/main/builtin/answers/fixed-sentences.ts'
import { listFiles } from '../../src/main/tools/files/list-files.ts'
import { tellResult } from '../../src/main/tools/tell/tell-result.ts'
import type { Heard } from './ask-host.ts'
import { countJudged, judgeRow } from './judge.ts'
import { isKnownSpeech } from './known-speech.ts'
import { compareCall, RequestRow, wantsTool } from './row.ts'

const stored = { sessionId: 's', at: 0 }
const says = (text: string, calls: ToolCall[] = [], more: object = {}): Message => ({
  ...stored,
  id: 1,
  role: 'assistant',
  text,
  reasoning: '',
  calls,
  interrupted: false,
  model: 'm',
  ...more,
})
const READ: CallRecord = { decision: 'ran', by: 'policy', how: 'reads_folder' }
const result = (call: ToolCall, text: string, record: CallRecord = READ): Message => ({
  ...stored,
  id: 2,
  role: 'tool',
  callId: call.id,
  name: call.name,
  ok: !text.startsWith('Error'),
  text,
  durationMs: 1,
  record,
})
const list: ToolCall = { id: 'c1', name: 'list_files', arguments: { path: '.' } }
const ask: ToolCall = { id: 'c0', name: 'ask_user', arguments: { question: 'What?' } }

const heard = (messages: Message[], more: Partial<Heard> = {}, ...events: NewRunEvent[]): Heard => ({
  messages,
  events: [...events, { type: 'turn_end', reason: 'done' } as const].map((event, at): RunEvent => ({
    ...event,
    seq: at + 1,
    at: 0,
  })),
  entries: [],
  folder: '/gone/work',
  choices: undefined,
  denied: new Set(),
  unanswered: 0,
  ...more,
})
const row = (expected: object | null, text = 'What is here?') =>
  RequestRow.parse({ id: 'a', text, expect: expected })
const wantsList = row({ tool: 'list_files' })

test.for([
  [{ tool: 'read_file', arguments: { path: 'notes.md' } }, { path: './notes.md' }, true],
  [{ tool: 'read_file', arguments: { path: 'notes.md' } }, { path: 'old/notes.md' }, false],
  [{ tool: 'read_file', arguments: { path: 'letters' } }, { path: 'letters/' }, true],
  [{ tool: ['list_files', 'read_file'], arguments: { path: '.' } }, {}, true],
  [{ tool: 'read_file', arguments: { query: 'Disk  full' } }, { query: 'the disk full error' }, true],
  [{ tool: 'read_file', arguments: { query: ['full', 'empty'] } }, { query: 'is it empty' }, true],
  [{ tool: 'read_file', arguments: { query: 'full' } }, {}, false],
  [{ tool: 'read_file', arguments: { limit: 3 } }, { limit: 3, other: 1 }, true],
  [{ tool: 'read_file', arguments: { limit: 3 } }, { limit: '3' }, false],
] as const)('%j of a call with %j: %s', ([expected, given, whole]) => {
  expect(compareCall(row(expected), { name: 'read_file', arguments: given })).toEqual({ tool: true, whole })
})

test('another tool and no call are wrong, and none may be as right as a tool', () => {
  expect(compareCall(wantsList, { name: 'read_file', arguments: {} })).toEqual({ tool: false, whole: false })
  expect(compareCall(wantsList, undefined)).toEqual({ tool: false, whole: false })
  expect([row(null), wantsList, row({ tool: ['memory', 'none'] })].map(wantsTool)).toEqual([
    'none',
    'tool',
    'either',
  ])
})

test.for([
  ['done', heard([says('Fine.')])],
  ['asked', heard([says('', [list]), says('You said no.')], { denied: new Set(['c1']) })],
  ['asked', heard([says('Well.')], { unanswered: 1 })],
  ['cut', heard([says('So long', [], { cut: true })])],
  [
    'cut',
    {
      ...heard([says('So far.')]),
      events: [{ type: 'turn_end', reason: 'budget_exhausted', seq: 1, at: 0 }],
    },
  ],
  [
    'loop',
    heard(
      [says('A, a', [], { void: true })],
      {},
      { type: 'warning', text: 'The model goes in circles, so …' },
    ),
  ],
  [
    'loop',
    heard(
      [says('Fine.')],
      {},
      { type: 'warning', text: 'The model asked for the same 4 times in a row, so …' },
    ),
  ],
  ['loop', heard([], {}, { type: 'retry', reason: 'looping' })],
  ['void', heard([], {}, { type: 'warning', text: 'The model answered with nothing. Try …' })],
  ['void', heard([says('Old.', [], { void: true })], {}, { type: 'retry', reason: 'same' })],
  ['void', heard([says(' ')])],
  ['failed', { ...heard([]), events: [] }],
] satisfies [string, Heard][])('ended %s', ([ended, given]) => {
  expect(judgeRow(wantsList, given, { file: 'x.gguf' }).ended).toBe(ended)
})

test('what went wrong is said in place of an answer that never came', () => {
  const failed = heard([], {}, { type: 'error', text: 'It broke.', fix: 'Try again.' })
  expect(judgeRow(wantsList, failed, { file: 'x.gguf' }).answer).toBe('It broke. Try again.')
})

test('only words of the built-in model itself are nonsense', () => {
  const text = 'The workspace, 2 entries\nnotes.md (39 bytes)\ntodo.txt (4 bytes)'
  const told = tellResult(listFiles, {}, { ok: true, text })
  const chat = [says('', [list]), result(list, text)]
  const fixed = sayFallback('', {
    now: new Date(),
    zone: 'UTC',
    folder: '/',
    entries: [],
    said: [],
    tools: [],
  })
  const known = (text: string) => isKnownSpeech(text, { messages: chat, entries: ['You live in Graz.'] })
  for (const answer of [told, fixed, 'You live in Graz.', `${fixed}\n\n${told}`, ''])
    expect([answer, known(answer)]).toEqual([answer, true])
  for (const answer of [
    'I  this folder:',
    'notes.md',
    `Well. ${told}`,
    `${fixed} And so on.`,
    `${fixed}\nSo.`,
  ])
    expect([answer, known(answer)]).toEqual([answer, false])
  const junk = heard([...chat, says('This is no remember I remember')])
  expect(judgeRow(wantsList, junk, 'builtin').ended).toBe('nonsense')
  expect(judgeRow(wantsList, junk, { file: 'x.gguf' }).ended).toBe('done')
})

test('the first call counts, questions aside, and whether it ran', () => {
  const denied = result(list, 'Error: no', { decision: 'denied', by: 'user' })
  const found = heard([
    says('', [list]),
    result(list, 'The workspace is empty'),
    says('This folder is empty.'),
  ])
  const once = judgeRow(wantsList, found, 'builtin')
  expect(once).toEqual({
    id: 'a',
    asked: false,
    tool: 'list_files',
    arguments: { path: '.' },
    ran: true,
    ended: 'done',
    right: 'at once',
    chars: 21,
    answer: 'This folder is empty.',
  })
  const after = heard(
    [says('', [ask]), result(ask, 'The user answers: x'), says('', [list]), denied, says('In /gone/work.')],
    {
      choices: ['x'],
    },
  )
  expect(judgeRow(wantsList, after, { file: 'x.gguf' })).toMatchObject({
    asked: true,
    ran: false,
    right: 'after a question',
    answer: 'In FOLDER.',
  })
})

test('a summary counts what wants a tool apart from what wants none', () => {
  const either = row({ tool: ['memory', 'none'] })
  const requests = [wantsList, wantsList, wantsList, row(null), row(null), either]
  const called = (name: string) => heard([says('', [{ ...list, name }]), says('Yes, it is.')])
  const chats = [
    called('list_files'),
    { ...called('list_files'), choices: ['x'] },
    called('read_file'),
    called('read_file'),
    heard([says('Hello!')], { choices: ['x'] }),
    called('read_file'),
  ]
  const judged = requests.map((request, at) => judgeRow(request, chats[at]!, { file: 'x.gguf' }))
  expect(countJudged(requests, judged)).toEqual({
    requests: 6,
    wantTool: 3,
    called: 3,
    toolAtOnce: 1,
    toolAfterQuestion: 1,
    rightAtOnce: 1,
    rightAfterQuestion: 1,
    rightShare: 66.7,
    wantNone: 2,
    calledUnwanted: 1,
    askedUnwanted: 1,
    either: 1,
    eitherWrong: 1,
    done: 6,
    asked: 0,
    cut: 0,
    loop: 0,
    void: 0,
    nonsense: 0,
    failed: 0,
    charsMedian: 11,
    charsMost: 11,
  })
})
