import type { MemoryRevision } from '../../shared/contract/learned/memory.ts'
import type {
  AssistantMessage,
  Message,
  ToolMessage,
  UserMessage,
} from '../../shared/contract/chats/messages.ts'
import type { SkillRevision } from '../../shared/contract/learned/skills.ts'

const stored = { sessionId: 'chat', at: 1_700_000_000_000 }

export const aUserMessage = (given: Partial<UserMessage> = {}): UserMessage => ({
  id: 1,
  ...stored,
  role: 'user',
  text: 'Hello',
  ...given,
})
export const aReply = (given: Partial<AssistantMessage> = {}): AssistantMessage => ({
  id: 2,
  ...stored,
  role: 'assistant',
  text: 'Hello, Ada.',
  reasoning: '',
  calls: [],
  interrupted: false,
  model: 'demo',
  ...given,
})
export const aResult = (given: Partial<ToolMessage> = {}): ToolMessage => ({
  id: 3,
  ...stored,
  role: 'tool',
  callId: 'call-1',
  name: 'terminal',
  ok: true,
  text: 'notes.md',
  durationMs: 800,
  record: { decision: 'ran', by: 'user', how: 'once' },
  ...given,
})

/** A chat of `turns` questions and answers. Ids start at `firstId` and must be unique per host. */
export const aHistory = (turns: number, firstId = 1): Message[] =>
  Array.from({ length: turns }, (_, index) => [
    aUserMessage({ id: firstId + index * 2, text: `Question ${index + 1}` }),
    aReply({ id: firstId + index * 2 + 1, text: `Answer ${index + 1}` }),
  ]).flat()

/** A memory revision by the agent in the turn of message 1. */
export const aRevision = (given: Partial<MemoryRevision> = {}): MemoryRevision => ({
  id: 1,
  entryId: 'note_1',
  target: 'user',
  project: null,
  op: 'add',
  before: null,
  after: 'Uses pnpm.',
  actor: 'agent',
  sessionId: 'chat',
  messageId: 1,
  reviewId: null,
  at: 1_700_000_000_000,
  undoes: null,
  undoneBy: null,
  mergeId: null,
  ...given,
})

/** A skill revision by the agent in the turn of message 1. */
export const aSkillRevision = (given: Partial<SkillRevision> = {}): SkillRevision => ({
  id: 1,
  key: 'tidy-csv',
  name: 'tidy-csv',
  op: 'edit',
  actor: 'agent',
  note: '',
  sessionId: 'chat',
  messageId: 1,
  reviewId: null,
  at: 1_700_000_000_000,
  files: [{ path: 'SKILL.md', before: 'Sort.\nStop.', after: 'Sort it.\nCount.\nStop.', binary: false }],
  undoes: null,
  undoneBy: null,
  ...given,
})
