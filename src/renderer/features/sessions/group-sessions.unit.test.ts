import { expect, test } from 'vitest'
import { unsetOptions } from '../../../shared/contract/chats/chat-options.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { arrangeChats, groupSessions } from './group-sessions.ts'

const now = new Date(2026, 6, 27, 9, 30)
const at = (day: number, hour: number) => new Date(2026, 6, day, hour).getTime()

const aSession = (id: string, given: Partial<Session>): Session => ({
  id,
  title: id,
  preview: '',
  modelId: 'builtin',
  workspace: '/home/ada',
  pinned: false,
  archived: false,
  draft: '',
  ...unsetOptions(),
  projectId: null,
  turnCount: 0,
  pathMoves: 0,
  origin: 'window',
  originId: '',
  parentId: null,
  onlyTools: [],
  messageCount: 2,
  createdAt: 0,
  updatedAt: 0,
  activeRunId: null,
  lastRunId: null,
  waiting: false,
  ...given,
})
const grouped = (...sessions: Session[]) =>
  Object.fromEntries(
    groupSessions(sessions, now).map(group => [
      group.id,
      group.entries.map(each =>
        'chats' in each ? [each.scheduleId, ...each.chats.map(({ id }) => id)] : each.id,
      ),
    ]),
  )

test('chats are grouped by the calendar day of their last message', () => {
  expect(
    grouped(
      aSession('old', { updatedAt: at(1, 12) }),
      aSession('early today', { updatedAt: at(27, 0) }),
      aSession('late yesterday', { updatedAt: at(26, 23) }),
      aSession('a week ago', { updatedAt: at(20, 0) }),
      aSession('now', { updatedAt: at(27, 9) }),
    ),
  ).toEqual({
    today: ['now', 'early today'],
    yesterday: ['late yesterday'],
    week: ['a week ago'],
    older: ['old'],
  })
})

test('pinned chats come first, whatever their date', () => {
  const groups = groupSessions(
    [aSession('a', { updatedAt: at(27, 9) }), aSession('b', { pinned: true })],
    now,
  )
  expect(groups.map(group => group.id)).toEqual(['pinned', 'today'])
})

test('a chat is listed once it has a message, a draft or a running answer', () => {
  expect(
    grouped(
      aSession('empty', { messageCount: 0 }),
      aSession('begun', { messageCount: 0, draft: 'Dear' }),
      aSession('running', { messageCount: 0, activeRunId: 'run' }),
    ),
  ).toEqual({ older: ['begun', 'running'] })
})

test('the chats of a schedule are one row on the day of the newest, except for pinned ones', () => {
  const ofSchedule = (id: string, originId: string, given: Partial<Session>) =>
    aSession(id, { origin: 'schedule', originId, ...given })
  expect(
    grouped(
      ofSchedule('monday', 'notes', { updatedAt: at(20, 8) }),
      aSession('now', { updatedAt: at(27, 9) }),
      ofSchedule('today', 'notes', { updatedAt: at(27, 8) }),
      ofSchedule('kept', 'notes', { updatedAt: at(26, 8), pinned: true }),
      ofSchedule('archived', 'notes', { updatedAt: at(25, 8), archived: true }),
      ofSchedule('other', 'build', { updatedAt: at(26, 12) }),
    ),
  ).toEqual({
    pinned: ['kept'],
    today: ['now', ['notes', 'today', 'monday']],
    yesterday: [['build', 'other']],
  })
})

const anAgent = (id: string, parentId: string, given: Partial<Session> = {}) =>
  aSession(id, { origin: 'sub_agent', parentId, ...given })
const arranged = (openId: string | null, ...sessions: Session[]) => {
  const { groups, byProject, below } = arrangeChats(sessions, { projects: new Set(['p']), now, openId })
  const idsOf = (entries: readonly object[]) => entries.map(each => ('id' in each ? each.id : 'fold'))
  return {
    ...Object.fromEntries(groups.map(({ id, entries }) => [id, idsOf(entries)])),
    ...Object.fromEntries([...byProject].map(([id, chats]) => [id, idsOf(chats)])),
    below: [...below].toSorted(),
  }
}

test('sub-agents that work or ask stand below their chat, oldest first, and leave the list when they have ended', () => {
  const chat = aSession('chat', { updatedAt: at(26, 9) })
  const other = aSession('other', { updatedAt: at(26, 8) })
  expect(
    arranged(
      null,
      anAgent('second', 'chat', { activeRunId: 'r', createdAt: 2, updatedAt: at(27, 9) }),
      chat,
      anAgent('first', 'chat', { waiting: true, createdAt: 1, updatedAt: at(27, 9) }),
      anAgent('ended', 'chat', { updatedAt: at(27, 9) }),
      other,
    ),
  ).toEqual({ yesterday: ['chat', 'first', 'second', 'other'], below: ['first', 'second'] })
})

test('a sub-agent that has ended is listed while its chat is open, has a draft or is pinned', () => {
  const chat = aSession('chat', { updatedAt: at(27, 9) })
  const ended = [
    anAgent('open', 'chat', { createdAt: 1 }),
    anAgent('written to', 'chat', { createdAt: 2, draft: 'And?' }),
    anAgent('kept', 'chat', { createdAt: 3, pinned: true }),
    anAgent('over', 'chat', { createdAt: 4 }),
  ]
  expect(arranged('open', chat, ...ended)).toEqual({
    today: ['chat', 'open', 'written to', 'kept'],
    below: ['kept', 'open', 'written to'],
  })
  expect(arranged('chat', chat, ended[0]!)).toEqual({ today: ['chat'], below: [] })
})

test('a sub-agent follows its chat into a project, and stands alone where its chat is not in the list', () => {
  const running = { activeRunId: 'r', updatedAt: at(27, 8) }
  expect(
    arranged(
      null,
      aSession('in project', { projectId: 'p', updatedAt: at(27, 9) }),
      anAgent('helper', 'in project', running),
      aSession('put away', { archived: true }),
      anAgent('alone', 'put away', running),
    ),
  ).toEqual({ p: ['in project', 'helper'], today: ['alone'], below: ['helper'] })
})
