import { expect, test } from 'vitest'
import { isRefusal } from '../../lib/expected-errors.ts'
import { createClaudeCodeParser } from './claude-code-file.ts'
import { eventsOfSession } from './session-steps.ts'

// Lines as Claude Code 2.1.330 writes them to ~/.claude/projects/<folder>/<session>.jsonl, made by hand.

const common = { isSidechain: false, userType: 'external', cwd: '/home/ada/shop', version: '2.1.330' }
let count = 0
const at = () => new Date(1_795_000_000_000 + ++count * 1_000).toISOString()
const user = (uuid: string, parentUuid: string | null, content: unknown, more: object = {}) => ({
  parentUuid,
  ...common,
  type: 'user',
  message: { role: 'user', content },
  uuid,
  timestamp: at(),
  ...more,
})
const assistant = (
  uuid: string,
  parentUuid: string,
  content: object[],
  id = `msg_${uuid}`,
  more: object = {},
) => ({
  parentUuid,
  ...common,
  type: 'assistant',
  message: { id, role: 'assistant', model: 'claude-opus-4-5', content },
  uuid,
  timestamp: at(),
  ...more,
})
const text = (said: string) => ({ type: 'text', text: said })
const use = (id: string, name: string, input: object = {}) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown, is_error = false) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  is_error,
})

function read(lines: readonly (object | string | undefined)[]) {
  const parser = createClaudeCodeParser()
  for (const line of lines)
    parser.take(line === undefined || typeof line === 'string' ? line : JSON.stringify(line))
  const session = parser.end()
  if (isRefusal(session)) throw new Error(session.refused)
  return { ...session, events: eventsOfSession('s', session) }
}
const shown = (lines: readonly (object | string | undefined)[]) =>
  read(lines).events.map(({ event }) => {
    if (event.type === 'user_message') return `said ${event.text}`
    if (event.type === 'reply') return `reply ${event.text} ${event.calls}`
    if (event.type === 'tool_result') return `${event.name} ${event.ok} ${event.text}`
    return event.type === 'turn_end' ? `end ${event.reason}` : event.type
  })

test('a question with calls and an answer becomes events, whatever other lines stand between them', () => {
  const lines = [
    { type: 'summary', summary: 'Old', leafUuid: 'x' },
    { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
    user('u1', null, 'Install it with pnpm.'),
    { type: 'attachment', uuid: 'x1', parentUuid: 'u1', attachment: { content: 'What Talaria injected.' } },
    { type: 'api-request', uuid: 'x2', body: { messages: [{ role: 'user', content: 'hidden' }] } },
    assistant('a1', 'x1', [{ type: 'thinking', thinking: 'Hm.' }, text('I will.')], 'm1'),
    assistant('a2', 'a1', [use('t1', 'Bash', { command: 'pnpm i' })], 'm1'),
    user('u2', 'a2', [result('t1', [text('Done.')])]),
    assistant('a3', 'u2', [text('Installed.')]),
    { type: 'last-prompt', lastPrompt: 'Install it.' },
  ]
  expect(shown(lines)).toEqual([
    'said Install it with pnpm.',
    'reply I will. 1',
    'Bash true Done.',
    'reply Installed. 0',
    'end done',
  ])
  const { folder, model, events } = read(lines)
  expect([folder, model]).toEqual(['/home/ada/shop', 'claude-opus-4-5'])
  expect(events.map(({ eventId }) => eventId)).toEqual([
    'file:said:u1',
    'file:reply:a1',
    'file:call:t1',
    'file:reply:a3',
    'file:end:u1',
  ])
  expect(events[2]!.event).toMatchObject({
    session: 's',
    arguments: { command: 'pnpm i' },
    at: expect.any(Number),
  })
})

test('of several ways the one to the newest line counts, with the results of calls that ran side by side', () => {
  const lines = [
    user('u1', null, 'First try.'),
    assistant('a1', 'u1', [text('No.')]),
    user('u2', null, 'Second try.'),
    assistant('a2', 'u2', [use('t1', 'Read')], 'm2'),
    assistant('a3', 'a2', [use('t2', 'Grep')], 'm2'),
    user('r1', 'a2', [result('t1', 'one')]),
    user('r2', 'a3', [result('t2', 'two', true)]),
    assistant('a4', 'r2', [text('Yes.')]),
  ]
  expect(shown(lines)).toEqual([
    'said Second try.',
    'reply  2',
    'Read true one',
    'Grep false two',
    'reply Yes. 0',
    'end done',
  ])
})

test('what Talaria gave is not learned again, nor what the program itself wrote as the user', () => {
  const lines = [
    user(
      'u1',
      null,
      '<talaria_memory>The user likes tea.</talaria_memory>\nHello.<system-reminder>Be nice.</system-reminder>',
    ),
    assistant('a1', 'u1', [
      use('t1', 'mcp__plugin_talaria_talaria__memory_search'),
      use('t2', 'mcp__talaria__skill_list'),
    ]),
    user('r1', 'a1', [result('t1', 'The user likes tea.'), result('t2', 'secret skill')]),
    assistant('a2', 'r1', [text('Hi.')]),
    user('u2', 'a2', '<command-name>/model</command-name>'),
    user('u3', 'u2', [text('<local-command-stdout>Set model</local-command-stdout>')]),
    user('u4', 'u3', 'Caveat: ignore', { isMeta: true }),
    user('u5', 'u4', 'This session is being continued.', { isCompactSummary: true }),
    user('u6', 'u5', 'Go on.'),
    assistant('a3', 'u6', [text('API error')], 'm', {
      message: { role: 'assistant', model: '<synthetic>', content: [text('API error')] },
    }),
  ]
  expect(shown(lines)).toEqual(['said Hello.', 'reply Hi. 0', 'end done', 'said Go on.'])
})

test('sub-agents are left out, and a turn that the user stopped says so', () => {
  const lines = [
    user('u1', null, 'Build it.'),
    assistant('a1', 'u1', [use('t1', 'Task')]),
    user('s1', null, 'You are a helper.', { isSidechain: true }),
    assistant('s2', 's1', [text('Helping.')], 'ms', { isSidechain: true }),
    user('u2', 'a1', [text('[Request interrupted by user for tool use]')]),
    user('u3', 'u2', 'Rather not.'),
    assistant('a2', 'u3', [text('Fine.')]),
  ]
  expect(shown(lines)).toEqual([
    'said Build it.',
    'reply  1',
    'end stopped',
    'said Rather not.',
    'reply Fine. 0',
    'end done',
  ])
})

test('a compaction does not cut off what was before it', () => {
  const lines = [
    user('u1', null, 'I use pnpm.'),
    assistant('a1', 'u1', [text('Good.')]),
    { type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null, logicalParentUuid: 'a1' },
    user('u2', 'b', 'Summary of it all.', { isCompactSummary: true }),
    user('u3', 'u2', 'Go on.'),
  ]
  expect(shown(lines)).toEqual(['said I use pnpm.', 'reply Good. 0', 'end done', 'said Go on.'])
})

test('a line that is too long or damaged is passed over, and what follows it still belongs to what was before', () => {
  const lines = [
    user('u1', null, 'First.'),
    undefined,
    '{"type":"user","uuid":"broken","message":{"role":"user","content":"Cu',
    'not json',
    '[1,2]',
    'null',
    assistant('a1', 'of the line that is too long', [text('Yes.')]),
  ]
  expect(shown(lines)).toEqual(['said First.', 'reply Yes. 0', 'end done'])
})

test('hostile lines end the reading and pollute nothing: circles, wrong types, deep nesting, names of prototypes', () => {
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  const lines = [
    user('u1', 'u3', 'One.'),
    user('u2', 'u2', 'Two.'),
    user('u3', 'u2', 'Three.'),
    { type: 'user', uuid: 7, message: 'no', parentUuid: {} },
    { type: 'assistant', uuid: '__proto__', parentUuid: 'constructor', message: { content: 7 } },
    { type: 'user', uuid: 'u4', parentUuid: 'u3', message: { content: [null, 3, { type: 'tool_result' }] } },
    `{"type":"assistant","uuid":"u5","parentUuid":"u4","message":{"content":[{"type":"tool_use","id":"t","name":"x","input":${deep}}]}}`,
    `{"type":"user","uuid":"u6","parentUuid":"u5","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"y"}]}}`,
    user('u7', 'u6', 'Seven.'),
  ]
  expect(shown(lines)).toContain('said Seven.')
  expect(({} as Record<string, unknown>)['message']).toBeUndefined()
  expect(read([]).events).toEqual([])
})

test('long texts are cut, and a session without end keeps its newest part', () => {
  const long = read([
    user('u1', null, 'x'.repeat(300_000)),
    assistant('a1', 'u1', [use('t', 'Write', { content: 'y'.repeat(90_000), edits: [{ z: 1 }] })]),
  ])
  const [said] = long.events
  expect(said!.event.type === 'user_message' && said!.event.text.length).toBeLessThan(25_000)
  const parser = createClaudeCodeParser()
  for (let n = 0; n < 1_000; n++)
    parser.take(JSON.stringify(user(`u${n}`, n === 0 ? null : `u${n - 1}`, `${n} ${'x'.repeat(21_000)}`)))
  const session = parser.end()
  if (isRefusal(session)) throw new Error(session.refused)
  const events = eventsOfSession('s', session).filter(({ event }) => event.type === 'user_message')
  expect(events.length).toBeLessThan(800)
  expect(events.at(-1)!.eventId).toBe('file:said:u999')
})
