import { readOldReason } from '../db/read-old-reason.ts'
import { expect, test } from 'vitest'
import { aChat, assistant, aStore, user } from '../../../testing/db/a-store.ts'
import type { LeftMessage } from '../db/chats/branch-tables.ts'
import type { NewRevision } from '../db/learning/memory-tables.ts'
import type { NewSkillRevision } from '../db/learning/skill-tables.ts'
import { commandsIn, memoryOf, skillsOf } from './left-behind.ts'

const by = { at: 1, undoes: null } as const
const note = (given: Partial<NewRevision>): NewRevision => ({
  ...by,
  entryId: 'm1',
  target: 'user',
  project: null,
  op: 'add',
  before: null,
  after: 'Likes herons.',
  actor: 'review',
  sessionId: null,
  messageId: null,
  reviewId: null,
  ...given,
})
const skill = (name: string, given: Partial<NewSkillRevision>): NewSkillRevision => ({
  ...by,
  key: name,
  name,
  op: 'edit',
  actor: 'review',
  note: '',
  sessionId: null,
  messageId: null,
  reviewId: null,
  files: [],
  skillId: name,
  archive: null,
  ...given,
})

test('what reviews changed belongs to the message that it was learned from, else to the newest that they read', () => {
  using store = aStore()
  const { id: sessionId } = aChat(store)
  const ids = ['one', 'two'].flatMap(text => [
    store.messages.append(user(sessionId, text)).id,
    store.messages.append(assistant(sessionId, 'Yes.')).id,
  ])
  const [first = 0, , , last = 0] = ids
  const review = { sessionId, trigger: 'skill_nudge', state: 'done', fromId: 0 } as const
  const when = { queuedAt: 1, startedAt: 1, endedAt: 2, attempts: 1, outcome: '', cost: null, kinds: [] }
  store.learning.putReview({ ...review, ...when, id: 'r1', upToId: first + 1 })
  store.learning.putReview({ ...review, ...when, id: 'r2', upToId: last })
  store.skills.commit({
    revisions: [
      skill('early', { sessionId, reviewId: 'r1' }),
      skill('late', { sessionId, reviewId: 'r2' }),
      skill('late-about-early', { sessionId, reviewId: 'r2', messageId: first }),
      skill('switched', { sessionId, reviewId: 'r2', op: 'disable' }),
      skill('by-you', { sessionId, actor: 'you', messageId: last }),
      skill('elsewhere', { reviewId: 'r2' }),
    ],
  })
  store.memory.commit({
    entries: [],
    files: [],
    revisions: [
      note({ sessionId, reviewId: 'r2', after: 'late' }),
      note({ sessionId, reviewId: 'r1', after: 'early' }),
    ],
  })
  const left = store.branches.wouldMove(sessionId, first + 1).left
  expect(left.map(({ id }: LeftMessage) => id)).toEqual(ids.slice(2))
  expect(skillsOf(store, sessionId, left).map(({ name }) => name)).toEqual(['late'])
  expect(memoryOf(store, sessionId, left).map(({ after }) => after)).toEqual(['late'])
  const all = store.branches.wouldMove(sessionId, null).left
  expect(skillsOf(store, sessionId, all).map(({ name }) => name)).toEqual([
    'late-about-early',
    'late',
    'early',
  ])
})

test('what could only read is no command that may have changed something, under the words of older chats too', () => {
  const counted = (reason: string) => {
    const record = readOldReason(reason, 'terminal', '', null)
    return commandsIn([{ id: 1, at: 0, role: 'tool', name: 'terminal', record, steered: false }])
  }
  expect(
    ['a command that only reads', 'it runs confined, where it can only read', 'stopped', 'denied: no'].map(
      counted,
    ),
  ).toEqual([0, 0, 0, 0])
  expect(['full access is on in this chat', 'allowed by you, then stopped'].map(counted)).toEqual([1, 1])
})
