import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MemoryRevision } from '../../src/shared/contract/learned/memory.ts'
import { openStore, type Store } from '../../src/main/db/store.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import type { writeNotes } from '../../src/main/memory/note-files.ts'
import type { readNotes } from '../../src/main/memory/outside/read-notes.ts'
import { openMemory, type Memory } from '../../src/main/memory/open-memory.ts'
import type { ChangedBy, MemoryStep } from '../../src/main/memory/plan-change.ts'
import { giveDatabase } from '../db/give-database.ts'

export const you: ChangedBy = { actor: 'you', sessionId: null, messageId: null, reviewId: null }
export const agent: ChangedBy = { actor: 'agent', sessionId: 's1', messageId: 7, reviewId: null }

export const add = (text: string, target: 'user' | 'memory' = 'user'): MemoryStep => ({
  kind: 'add',
  target,
  project: null,
  text,
})

/** The revisions of a change; throws its refusal. */
export function done(outcome: ReturnType<Memory['change']>): MemoryRevision[] {
  if (isRefusal(outcome)) throw new Error(outcome.refused)
  return outcome.revisions
}

type Parts = {
  store?: Store['memory']
  write?: typeof writeNotes
  read?: typeof readNotes
  now?: () => number
}

/**
 * A home folder with a store, where a memory can be opened repeatedly. Its clock advances by 1 with each
 * read.
 */
export function aNotebook() {
  const home = mkdtempSync(join(tmpdir(), 'talaria-memory-'))
  giveDatabase(home)
  let clock = 1_000
  let told = 0
  const { store } = openStore(home, {
    clock: () => ++clock,
    report: error => {
      throw error
    },
  })
  return {
    home,
    store,
    /** How often a change was reported. */
    told: () => told,
    /** Open the memory with small limits: 120 characters about the user, 200 for notes. */
    open: (parts: Parts = {}) =>
      openMemory({
        home,
        store: store.memory,
        limits: () => ({ user: 120, memory: 200 }),
        now: () => ++clock,
        count: text => text.length,
        onChange: () => void told++,
        ...parts,
      }),
    file: (name = 'USER.md') => readFileSync(join(home, 'memories', name), 'utf8'),
    [Symbol.dispose]() {
      store.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
