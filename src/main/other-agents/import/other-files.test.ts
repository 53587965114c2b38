import { expect, test } from 'vitest'
import { isRefusal } from '../../lib/expected-errors.ts'
import { createCodexParser } from './codex-file.ts'
import { createPiParser } from './pi-file.ts'
import { eventsOfSession, type SessionParser } from './session-steps.ts'

// Lines as Pi (session format version 3) and Codex (rollouts) document them, made by hand.

function read(parser: SessionParser, lines: readonly (object | string)[]) {
  for (const line of lines) parser.take(typeof line === 'string' ? line : JSON.stringify(line))
  const session = parser.end()
  if (isRefusal(session)) return session.refused
  const events = eventsOfSession('s', session).map(({ event }) => {
    if (event.type === 'user_message') return `said ${event.text}`
    if (event.type === 'reply') return `reply ${event.text} ${event.calls}`
    if (event.type === 'tool_result')
      return `${event.name} ${event.ok} ${event.text} ${JSON.stringify(event.arguments)}`
    return event.type === 'turn_end' ? `end ${event.reason}` : event.type
  })
  return { folder: session.folder, model: session.model, events }
}

const header = {
  type: 'session',
  version: 3,
  id: 'p1',
  timestamp: '2026-11-01T10:00:00.000Z',
  cwd: '/home/ada/shop',
}
let last: string | null = null
const message = (id: string, of: object, parentId = last, more: object = {}) => {
  last = id
  return {
    type: 'message',
    id,
    parentId,
    timestamp: '2026-11-01T10:00:01.000Z',
    message: { timestamp: 1_793_527_201_000, ...of },
    ...more,
  }
}
const pi = (id: string, content: unknown, more: object = {}) =>
  message(id, {
    role: 'assistant',
    content,
    api: 'x',
    provider: 'y',
    model: 'qwen3',
    stopReason: 'stop',
    ...more,
  })

test('Pi: messages on the way to the newest, without prompt, extensions and snapshots', () => {
  last = null
  const lines = [
    header,
    message('m0', { role: 'system', content: '', sections: { talaria_memory: 'The user likes tea.' } }),
    message('m1', { role: 'user', content: 'Install it.' }),
    { type: 'model_change', id: 'c1', parentId: 'm1', timestamp: 'x', provider: 'y', modelId: 'z' },
    message('m2', { role: 'assistant', content: [{ type: 'text', text: 'half' }], model: 'qwen3' }, 'c1', {
      checkpoint: true,
    }),
    pi('m3', [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'I will.' },
      { type: 'toolCall', id: 't1', name: 'bash', arguments: { command: 'make' } },
      { type: 'toolCall', id: 't2', name: 'memory_search', namespace: 'mcp__talaria', arguments: {} },
    ]),
    message('m4', {
      role: 'toolResult',
      toolCallId: 't1',
      toolName: 'bash',
      content: [{ type: 'text', text: 'Error' }],
      isError: true,
    }),
    message('m5', {
      role: 'toolResult',
      toolCallId: 't2',
      toolName: 'memory_search',
      content: [{ type: 'text', text: 'tea' }],
      isError: false,
    }),
    message('m6', { role: 'custom', customType: 'note', content: 'Injected.', display: false }),
    message('m7', { role: 'bashExecution', command: 'env', output: 'SECRET=1' }),
    pi('m8', [{ type: 'text', text: 'It failed.' }]),
    message('n1', { role: 'user', content: [{ type: 'text', text: 'Another way.' }] }, 'm8'),
    message('n2', { role: 'user', content: 'Try pnpm.' }, 'm8'),
    pi('n3', [{ type: 'text', text: 'Hal' }], { stopReason: 'aborted' }),
  ]
  expect(read(createPiParser(), lines)).toEqual({
    folder: '/home/ada/shop',
    model: 'qwen3',
    events: [
      'said Install it.',
      'reply I will. 1',
      'bash false Error {"command":"make"}',
      'reply It failed. 0',
      'end done',
      'said Try pnpm.',
      'reply Hal 0',
      'end stopped',
    ],
  })
})

test('Pi: another version, no header, or rubbish is no session', () => {
  expect(read(createPiParser(), [{ ...header, version: 9 }])).toBe('it has a version that is not known here')
  expect(read(createPiParser(), ['{', '7', '"x"'])).toBe('it has no header')
  expect(
    read(createPiParser(), [
      header,
      '{"type":"message","id":"a","message":[]}',
      { type: 'message', id: 'b', parentId: 'b' },
    ]),
  ).toMatchObject({ events: [] })
})

const line = (type: string, payload: object) => ({ timestamp: '2026-11-01T10:00:00.000Z', type, payload })
const item = (payload: object) => line('response_item', payload)
const happened = (type: string, more: object = {}) => line('event_msg', { type, ...more })
const spoke = (role: string, text: string) =>
  item({ type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] })

test('Codex: what the person typed, answers, calls by their call_id, and what was rolled back is gone', () => {
  const lines = [
    line('session_meta', { id: 'c', cwd: '/home/ada/shop', originator: 'codex_cli', source: 'cli' }),
    line('turn_context', { cwd: '/home/ada/shop', model: 'gpt-5' }),
    spoke('developer', 'Rules.'),
    spoke('user', '# AGENTS.md instructions for /home/ada'),
    spoke('user', 'Install it.'),
    happened('user_message', { message: 'Install it.' }),
    item({ type: 'reasoning', summary: [], encrypted_content: 'x' }),
    spoke('assistant', 'I will.'),
    happened('agent_message', { message: 'I will.' }),
    item({ type: 'function_call', name: 'shell', arguments: '{"command":["make"]}', call_id: 'k1' }),
    item({
      type: 'function_call_output',
      call_id: 'k1',
      output: '{"output":"no rule","metadata":{"exit_code":2}}',
    }),
    item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin', call_id: 'k2' }),
    item({ type: 'custom_tool_call_output', call_id: 'k2', output: 'Exit code: 0\nDone.' }),
    item({
      type: 'function_call',
      name: 'memory_search',
      namespace: 'mcp__talaria__',
      arguments: 'rubbish',
      call_id: 'k3',
    }),
    item({ type: 'function_call_output', call_id: 'k3', output: 'tea' }),
    spoke('assistant', 'Done.'),
    happened('user_message', { message: 'A mistake.' }),
    spoke('assistant', 'What?'),
    happened('thread_rolled_back', { num_turns: 1 }),
    happened('user_message', {
      message: '# Context from my IDE setup:\nfiles\n## My request for Codex:\nThank you.',
    }),
    happened('turn_aborted', { reason: 'interrupted' }),
  ]
  expect(read(createCodexParser(), lines)).toEqual({
    folder: '/home/ada/shop',
    model: 'gpt-5',
    events: [
      'said Install it.',
      'reply I will. 1',
      'shell false no rule {"command":"[\\"make\\"]"}',
      'reply  1',
      'apply_patch true Exit code: 0\nDone. {"input":"*** Begin"}',
      'reply Done. 0',
      'end done',
      'said Thank you.',
      'end stopped',
    ],
  })
})

test('Codex: an older file tells the user only among the items of the model, and a sub-agent’s is left out', () => {
  const older = [
    spoke('user', '<environment_context>x</environment_context>'),
    spoke('user', 'Hello.'),
    spoke('assistant', 'Hi.'),
  ]
  expect(read(createCodexParser(), older)).toMatchObject({
    events: ['said Hello.', 'reply Hi. 0', 'end done'],
  })
  const sub = line('session_meta', { id: 'c', source: { subagent: { thread_spawn: { depth: 1 } } } })
  expect(read(createCodexParser(), [sub, happened('user_message', { message: 'Help.' })])).toBe(
    'it is the work of a sub-agent',
  )
  expect(
    read(createCodexParser(), [
      '{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":-3}}',
      '{"payload":7}',
      'x',
    ]),
  ).toMatchObject({ events: [] })
})
