import type { MemoryEntry, MemoryRevision } from '../../../src/shared/contract/learned/memory.ts'
import { planChange } from '../../../src/main/memory/plan-change.ts'
import { isIn } from '../../../src/main/memory/note-files.ts'
import { type Place, entriesLength } from '../../../src/main/memory/note-files.ts'
import type { Memory, MemoryForChat } from '../../../src/main/memory/open-memory.ts'
import { isRefusal } from '../../../src/main/lib/expected-errors.ts'
import type { Desk } from './desk.ts'

/** The bounds that the product has unless they are set otherwise, in characters. */
const LIMITS = { user: 1_375, memory: 2_200 }
const PROJECT = 'project'

/** What the tool calls the three parts of the notebook, and where they are. */
export const PLACES = {
  user: { target: 'user', project: null },
  memory: { target: 'memory', project: null },
  project: { target: 'memory', project: PROJECT },
} as const satisfies Record<string, Place>
export type MemoryTarget = keyof typeof PLACES

/** The notebook of a desk, as far as the tool for it asks. Changes go through the product’s own rules. */
export function memoryOf(desk: () => Desk): Memory {
  const known: Pick<Memory, 'view' | 'change' | 'project'> = {
    view: () => ({
      entries: desk().memory,
      capacity: [PLACES.user, PLACES.memory].map(place => ({
        ...place,
        used: usedIn(desk(), place),
        limit: LIMITS[place.target],
        tokens: 0,
        firstToGo: [],
      })),
      projects: [],
      outside: [],
      waiting: [],
      unreadable: [],
      oversized: [],
      archived: 0,
    }),
    project: at => ({ id: PROJECT, folder: typeof at === 'string' ? at : at.folder, name: PROJECT }),
    change(steps, by) {
      const now = ++desk().tick
      const draft = planChange(desk().memory, steps, by, { limits: LIMITS, now, archived: () => undefined })
      if (isRefusal(draft)) return draft
      desk().memory = draft.entries
      return {
        revisions: draft.revisions.map((each): MemoryRevision => ({
          mergeId: null,
          ...each,
          id: 0,
          undoneBy: null,
        })),
        same: draft.same,
      }
    },
  }
  // The tool asks for nothing else.
  return known as Memory
}

/** What a chat begins with that can see this desk. */
export function forChat(desk: Desk): MemoryForChat {
  return {
    user: desk.memory.filter(entry => isIn(entry, PLACES.user)),
    notes: desk.memory.filter(entry => isIn(entry, PLACES.memory)),
    project: desk.memory.filter(entry => isIn(entry, PLACES.project)),
    capacity: {
      user: { used: usedIn(desk, PLACES.user), limit: LIMITS.user },
      memory: { used: usedIn(desk, PLACES.memory), limit: LIMITS.memory },
    },
  }
}

const usedIn = (desk: Desk, place: Place): number =>
  entriesLength(desk.memory.filter(entry => isIn(entry, place)).map(entry => entry.text))

/** Put something into the notebook before a conversation begins. */
export function remember(desk: Desk, target: MemoryTarget, text: string): void {
  const entry: MemoryEntry = {
    id: `entry_${desk.memory.length}`,
    ...PLACES[target],
    text,
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
  }
  desk.memory.push(entry)
}
