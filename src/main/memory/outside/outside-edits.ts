import type { MemoryEntry, MemoryRevision, OutsideEdit } from '../../../shared/contract/learned/memory.ts'
import type { Store } from '../../db/store.ts'
import { parseNotes, placeName } from '../note-files.ts'
import { wordSimilarity } from '../../../shared/text/word-similarity.ts'

/**
 * The revisions of an edit by another program that are still in effect, found by the texts it added and
 * removed. Entries changed since then are left out.
 */
export function revisionsOfEdit(
  edit: OutsideEdit,
  store: Pick<Store['memory'], 'byFile' | 'entry'>,
): MemoryRevision[] {
  const before = parseNotes(edit.before)
  const after = parseNotes(edit.after)
  const found = new Map<number, MemoryRevision>()
  const find = (text: string, side: 'before' | 'after', stands: (revision: MemoryRevision) => boolean) => {
    const revision = store
      .byFile(edit, side, text)
      .find(each => each.undoneBy === null && !found.has(each.id) && stands(each))
    if (revision) found.set(revision.id, revision)
  }
  for (const text of without(after, before)) {
    find(text, 'after', ({ entryId }) => {
      const entry = store.entry(entryId)
      return entry?.archivedAt === null && entry.text === text
    })
  }
  for (const text of without(before, after)) {
    find(text, 'before', ({ op, entryId }) => op === 'remove' && store.entry(entryId)?.archivedAt !== null)
  }
  return [...found.values()]
}

/** The texts of a list that are missing in the other one. Duplicates count separately. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return texts.filter(text => {
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** The differences after an edit elsewhere. Numbers are indexes into the old and the new list. */
export type Difference = {
  kept: readonly (readonly [before: number, after: number])[]
  edited: readonly (readonly [before: number, after: number])[]
  removed: readonly number[]
  added: readonly number[]
}

/** Minimum share of common words for two texts to be versions of one entry. */
const SAME = 0.5

/** Maximum number of pairs to compare. Beyond that, only texts at similar positions are compared. */
const MOST_PAIRS = 40_000
const NEAR = 10

/** Compare two lists of entries. Equal texts are the same entry; similar ones count as edited. */
export function compareNotes(before: readonly string[], after: readonly string[]): Difference {
  const kept: [number, number][] = []
  const edited: [number, number][] = []
  const free = new Set(after.keys())
  const open = new Set<number>()
  const places = Map.groupBy(after.keys(), at => after[at]!)
  before.forEach((text, at) => {
    const same = places.get(text)?.shift()
    if (same === undefined) open.add(at)
    else {
      kept.push([at, same])
      free.delete(same)
    }
  })
  const isFew = open.size * free.size <= MOST_PAIRS
  const pairs = [...open]
    .flatMap(at =>
      [...free]
        .filter(other => isFew || Math.abs(at - other) <= NEAR)
        .map(other => ({ at, other, alike: wordSimilarity(before[at]!, after[other]!) })),
    )
    .filter(({ alike }) => alike >= SAME)
    .toSorted((a, b) => b.alike - a.alike || a.at - b.at || a.other - b.other)
  for (const { at, other } of pairs) {
    if (!open.has(at) || !free.has(other)) continue
    edited.push([at, other])
    open.delete(at)
    free.delete(other)
  }
  return { kept, edited, removed: [...open], added: [...free] }
}

/** For a program that writes repeatedly, show one edit: from before the first change to after the last. */
export function joinEdits(edit: OutsideEdit, [first]: readonly OutsideEdit[]): OutsideEdit {
  return first ? { ...edit, id: first.id, before: first.before } : edit
}

/** The places that contain a text twice. */
export const twinPlaces = (entries: readonly MemoryEntry[]): string[] => {
  const seen = new Set<string>()
  return entries.flatMap(entry => {
    const key = `${placeName(entry)}\n${entry.text}`
    if (seen.has(key)) return [placeName(entry)]
    seen.add(key)
    return []
  })
}

type Known = {
  sessions: Pick<Store['sessions'], 'get' | 'frozenPrompts'>
  history: Store['memory']['history']
}

/** Maximum number of revisions of an entry to search for the one that set its text. */
const MOST_REVISIONS = 20

/**
 * Whether a chat's model knows the text of an entry: the text is older than the chat, the chat wrote it, or
 * it is in the chat's prompt. The user, another program or another chat may have changed it since.
 */
export function wasSeen({ id, text }: MemoryEntry, sessionId: string, { sessions, history }: Known): boolean {
  const session = sessions.get(sessionId)
  if (!session) return true
  const { revisions } = history({ entryId: id, limit: MOST_REVISIONS })
  const written = revisions.find(each => each.after === text && each.before !== text)
  if (!written || written.at <= session.createdAt) return true
  if (written.sessionId === sessionId && written.actor === 'agent') return true
  // Prompts indent the further lines of an entry.
  const shown = text.replace(/\n/g, '\n  ')
  return sessions
    .frozenPrompts(sessionId)
    .some(({ sections }) => sections.some(each => each.text.includes(shown)))
}
