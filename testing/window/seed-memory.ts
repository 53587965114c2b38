import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MemoryEntry } from '../../src/shared/contract/learned/memory.ts'
import { newId } from '../../src/main/lib/ids.ts'
import { isIn } from '../../src/main/memory/note-files.ts'
import { pathOf, projectOf, writeNotes, formatNotes } from '../../src/main/memory/note-files.ts'
import { openMemory } from '../../src/main/memory/open-memory.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import type { Place } from './place.ts'
import type { SeededChange, SeededEntry } from './protocol.ts'

/** Create a folder below the working folder that has its own notes. */
export function seedProject({ store, workspace }: Place, name: string): void {
  const folder = join(workspace, name)
  mkdirSync(folder, { recursive: true })
  store.memory.putProject(projectOf(folder))
}

/** Append an entry to its file, with its row and first revision; returns the id of the revision. */
export function seedEntry({ home, store }: Place, { reviewId = null, ...given }: SeededEntry): number {
  const at = given.createdAt ?? Date.now()
  const { id: project = null } =
    store.memory.projects().find(({ id, name }) => [id, name].includes(given.project ?? '')) ?? {}
  const entry: MemoryEntry = {
    id: newId('note'),
    target: 'user',
    origin: 'you',
    sessionId: null,
    messageId: null,
    createdAt: at,
    updatedAt: at,
    locked: false,
    uses: 0,
    lastUsedAt: null,
    archivedAt: null,
    blocked: null,
    ...given,
    project,
  }
  const path = pathOf(home, entry)
  const others = store.memory.entries().filter(each => isIn(each, entry))
  const content = formatNotes([...others, entry].map(({ text }) => text))
  writeNotes(path, content)
  const { id: entryId, target, text: after, origin: actor, sessionId, messageId } = entry
  const by = { actor, sessionId, messageId, reviewId }
  const revision = {
    entryId,
    target,
    project,
    op: 'add',
    before: null,
    after,
    ...by,
    at,
    undoes: null,
  } as const
  return store.memory.commit({ entries: [entry], revisions: [revision], files: [{ path, content }] })[0]!.id
}

/** Change the text of an entry through the product's code, with an actor other than the window's user. */
export function seedEdit({ home, store }: Place, { id, text, actor }: SeededChange): void {
  const limits = { user: Infinity, memory: Infinity }
  const memory = openMemory({
    home,
    store: store.memory,
    limits: () => limits,
    count: () => 0,
    now: Date.now,
    onChange: () => {},
  })
  const done = memory.change([{ kind: 'edit', id, text }], {
    actor,
    sessionId: null,
    messageId: null,
    reviewId: null,
  })
  if (isRefusal(done)) throw new Error(done.refused)
}
