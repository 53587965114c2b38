import type { MemoryEntry } from '../../src/shared/contract/learned/memory.ts'

/** An entry about the user, with the given fields. */
export const anEntry = (given: Partial<MemoryEntry> & { id: string; text: string }): MemoryEntry => ({
  target: 'user',
  project: null,
  origin: 'you',
  sessionId: null,
  messageId: null,
  createdAt: 0,
  updatedAt: 0,
  locked: false,
  uses: 0,
  lastUsedAt: null,
  archivedAt: null,
  blocked: null,
  ...given,
})
