import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Message, ToolCall } from '../../shared/contract/chats/messages.ts'
import { frameSummary } from '../agent/compaction/summary.ts'
import { createTextStrategy } from '../agent/strategies/text.ts'
import type { CompletionEvent, ToolSpec } from '../models/interface/engine.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { ADDED_ARGUMENTS } from './trained-calls.ts'
import { createTrainedStrategy } from './trained-strategy.ts'
import { readTrainedTexts } from './trained-texts.ts'

const read = readTrainedTexts()
if (isRefusal(read)) throw new Error(read.refused)
const texts = read
const golden = fileURLToPath(new URL('../../../testing/golden/full-tools.json', import.meta.url))
const today = JSON.parse(readFileSync(golden, 'utf8')) as ToolSpec[]
const strategy = createTrainedStrategy(texts, 'talaria-mini')

let ids = 0
const stored = () => ({ id: ++ids, sessionId: 's', at: 0 })
const asks = (text: string, more: object = {}): Message => ({ ...stored(), role: 'user', text, ...more })
const replies = (text: string, calls: ToolCall[] = [], more: object = {}): Message => ({
  ...stored(),
  role: 'assistant',
  text,
  calls,
  reasoning: '',
  interrupted: false,
  model: 'other',
  ...more,
})
const calls = (name: string, given: ToolCall['arguments'] = {}): ToolCall => ({
  id: `call_${++ids}`,
  name,
  arguments: given,
})
const results = ({ id: callId, name }: ToolCall, text: string, ok = true): Message => ({
  ...stored(),
  role: 'tool',
  callId,
  name,
  ok,
  text,
  durationMs: 1,
  record: { decision: 'ran' },
})
const sent = (...history: Message[]) =>
  strategy
    .render('', history)
    .slice(1)
    .map(({ role, text }) => `${role}: ${text}`)

test('it tells of the tools that it knows in the words of its training, with marks as tokens', () => {
  const section = strategy.present(today)
  const names = texts.tools.specs.map(({ name }) => name)
  expect(section.match(/^- \w+/gm)).toEqual(names.map(name => `- ${name}`))
  expect(strategy.present(today.filter(({ name }) => name === 'todo'))).toBe('')
  // The same as the presentation in the training.
  const known = texts.tools.specs.map(({ line: _line, ...spec }) => spec)
  const before = createTextStrategy({ format: 'hermes', toolRole: false, edition: 'compact' })
  expect(before.present(known)).toBe(section)
  expect(strategy.render(`Hello.\n\n${section}\n\nBye.`, [])[0]).toEqual(
    before.render(`Hello.\n\n${section}\n\nBye.`, [])[0],
  )
  expect(strategy.render(`Hello.\n\n${texts.tools.opening}Nothing.`, [])[0]!.markup).toEqual([])
  expect(strategy.attach(today)).toEqual([])
  expect(strategy.constrain(today)).toEqual(before.constrain(known))
})

test('what today’s tools take beside what it was trained on is known, so that no history shows it', () => {
  const names = (parameters: ToolSpec['parameters']) => Object.keys(parameters['properties'] ?? {})
  for (const { name, parameters } of texts.tools.specs) {
    const now = today.find(each => each.name === name)
    expect(now, name).toBeDefined()
    const known = names(parameters)
    const added = names(now!.parameters).filter(each => !known.includes(each))
    expect({ name, added }).toEqual({ name, added: ADDED_ARGUMENTS[name] ?? [] })
    // A call that it learned must not lack an argument, or name one that is gone.
    expect(known.filter(each => !names(now!.parameters).includes(each))).toEqual([])
  }
})

test('calls of others are told as its own, without what it does not know, and so are their results', () => {
  const reads = calls('read_file', { path: 'a.txt', column: 9 })
  const lists = calls('skills_list', { query: 'csv' })
  expect(
    sent(
      asks('Look.'),
      replies('I look.', [reads, calls('todo', { items: [] }), lists]),
      results(reads, 'a.txt, lines 1-1 of 1\nHi.'),
      results(lists, '- clean-csv: Cleans. [tags: csv; files: a.md]'),
      replies('Done.'),
    ),
  ).toEqual([
    'user: Look.',
    'assistant: I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>\n<tool_call>\n{"name": "skills_list", "arguments": {}}\n</tool_call>',
    'user: [Tool Result: read_file] a.txt, lines 1-1 of 1\nHi.\n\n[Tool Result: skills_list] - clean-csv: Cleans.',
    'assistant: Done.',
  ])
})

test('calls that it does not know are left out with their results, and a process that runs on is one', () => {
  const plan = calls('todo', { items: [] })
  const starts = calls('terminal', { action: 'start', command: 'serve' })
  const runs = calls('terminal', { action: 'run', command: 'ls' })
  expect(
    sent(
      asks('Work.'),
      replies('I plan.', [plan]),
      results(plan, 'A plan.'),
      replies('', [starts]),
      results(starts, 'p1 is running'),
      replies('', [runs]),
      results(runs, 'Error: exit code 2\nNo.', false),
    ),
  ).toEqual([
    'user: Work.',
    'assistant: <tool_call>\n{"name": "terminal", "arguments": {"command": "ls"}}\n</tool_call>',
    'user: [Tool Result: terminal] Error: exit code 2\nNo.',
  ])
})

test('a question to the person is what was said, and one without an answer is nothing', () => {
  const [answered, denied] = [1, 2].map(() =>
    calls('ask_user', { question: 'Which file?', choices: ['a', 'b'] }),
  )
  expect(
    sent(
      asks('Read it.'),
      replies('', [answered!]),
      results(answered!, 'The user answers: a'),
      replies('Read.'),
    ),
  ).toEqual(['user: Read it.', 'assistant: Which file?', 'user: a', 'assistant: Read.'])
  expect(
    sent(asks('Read it.'), replies('', [denied!]), results(denied!, 'Error: No.', false), replies('Well.')),
  ).toEqual(['user: Read it.', 'assistant: Well.'])
})

test('what it wrote itself is sent as it stands, with the results of what it called', () => {
  const raw = '<tool_call>\n{"name":"make_coffee","arguments":{}}\n</tool_call>'
  const coffee = calls('make_coffee')
  const own = replies('', [coffee], { raw, model: 'talaria-mini' })
  const history = [asks('Coffee!'), own, results(coffee, 'Error: No.', false)]
  expect(sent(...history)).toEqual([
    'user: Coffee!',
    `assistant: ${raw}`,
    'user: [Tool Result: make_coffee] Error: No.',
  ])
  expect(strategy.render('', history)[2]).toMatchObject({
    generated: true,
    markup: [
      [0, 11],
      [50, 62],
    ],
  })
})

test('summaries, skills and what was written meanwhile stand in the frames of its training', () => {
  const skill = { id: 'x', name: 'haiku', text: ' Count. \n' }
  const looks = calls('list_files')
  expect(
    sent(
      asks(frameSummary('## Goal\n- Order')),
      replies('Well.'),
      asks('Go.', { skill }),
      replies('', [looks]),
      results(looks, 'The workspace is empty'),
      asks('Faster!', { steered: true }),
    ),
  ).toEqual([
    'user: [Summary of the earlier part of this conversation. The messages themselves are not shown any more; session_search finds them. Where two lines disagree, the later one holds.]\n\n## Goal\n- Order\n\n[End of the summary. The conversation goes on from here.]',
    'assistant: Well.',
    'user: [Skill: haiku]\nCount.\n[End of the skill]\n\nGo.',
    'assistant: <tool_call>\n{"name": "list_files", "arguments": {}}\n</tool_call>',
    'user: [Tool Result: list_files] The workspace is empty',
    'assistant: The user has written to me in the meantime.',
    'user: Faster!',
  ])
})

test('its calls become calls of today’s tools, and a tool that it does not know is a bad call', async () => {
  async function* written(text: string): AsyncGenerator<CompletionEvent> {
    yield { type: 'text', text }
  }
  const heard = async (name: string, given: object) => {
    const text = `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`
    const events = await Array.fromAsync(strategy.read(written(text), today))
    return events.map(event =>
      'call' in event ? [event.type, event.call.name, event.call.arguments] : event,
    )
  }
  expect(await heard('session_search', { query: 'milk' })).toEqual([
    ['call', 'session_search', { query: 'milk', window: 5 }],
  ])
  expect(await heard('session_search', { session_id: 'c', around_message_id: 3 })).toEqual([
    ['call', 'session_search', { session_id: 'c', around_message_id: 3, window: 12 }],
  ])
  expect(await heard('skill_manage', { action: 'create', name: 'Tidy Up', content: 'Sort all.' })).toEqual([
    [
      'call',
      'skill_manage',
      {
        action: 'create',
        name: 'tidy-up',
        content: '---\nname: tidy-up\ndescription: Sort all.\n---\n\nSort all.\n',
      },
    ],
  ])
  expect(await heard('read_file', { path: 'a' })).toEqual([['call', 'read_file', { path: 'a' }]])
  expect(await heard('todo', { items: [] })).toMatchObject([['bad_call', 'todo', {}]])
})
