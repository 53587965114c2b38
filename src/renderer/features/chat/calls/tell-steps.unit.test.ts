import { expect, test } from 'vitest'
import type { ToolCall } from '../../../../shared/contract/chats/messages.ts'
import { aResult } from '../../../test/messages.ts'
import { tellSteps } from './tell-steps.ts'
import { cardOf } from './tool-calls.ts'

type Result = NonNullable<Parameters<typeof aResult>[0]>

const done = (name: string, given: Record<string, unknown> = {}, result: Result = {}) => {
  const call: ToolCall = { id: 'c', name, arguments: given }
  return cardOf(1, call, undefined, aResult({ name, ...result }))
}
const failed: Result = { ok: false }
const denied: Result = { ok: false, record: { decision: 'denied', by: 'user' } }

test.for([
  [[done('read_file', { path: 'a' }), done('read_file', { path: 'b' })], 'Read 2 files', ''],
  [[done('read_file', { path: 'a' }), done('read_file', { path: 'a' })], 'Read a file', ''],
  [
    [
      done('terminal', { command: 'ls' }),
      done('read_file', { path: 'a' }),
      done('terminal', { command: 'ls' }),
    ],
    'Ran 2 commands · Read a file',
    '',
  ],
  [
    [done('terminal', { action: 'start' }), done('terminal', { action: 'list' })],
    'Started a process · Looked at the processes',
    '',
  ],
  [
    [done('mcp__notes__add'), done('use_tool'), done('weather')],
    'Used tools from servers 2 times · Used a tool',
    '',
  ],
  [
    [done('terminal'), done('terminal', {}, failed), done('terminal', {}, failed)],
    'Ran a command',
    '2 failed',
  ],
  [[done('terminal', {}, failed), done('write_file', {}, denied)], '2 steps', '1 failed · 1 denied'],
] as const)(
  'calls are told by kind and number, and what went wrong is named: %#',
  ([cards, done, trouble]) => {
    expect(tellSteps(cards)).toEqual({ done, trouble })
  },
)
