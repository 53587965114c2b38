import type { ReactNode } from 'react'
import { foldQuery, foldText, matchWords, type Folded } from '../ui/rank.ts'

type EntryGroup = 'Actions' | 'Chats' | 'Pages' | 'Settings' | 'Skills' | 'Models'

/** Something the palette can find, and what choosing it does. */
export type Entry = {
  id: string
  group: EntryGroup
  title: string
  folded: Folded
  /** Further words that find it, folded. */
  words: string
  icon: ReactNode
  end?: ReactNode
  danger?: boolean
  /** What Enter does, as a verb phrase for the footer. */
  does: string
  run: () => void
  /** What Ctrl+Enter does instead. */
  other?: { does: string; run: () => void }
  /** 0 to 1: how new or how often used it is beside others of its group. */
  weight?: number
}

/** The entry with its texts prepared for comparing. */
export const entryOf = ({
  words = '',
  ...entry
}: Omit<Entry, 'folded' | 'words'> & { words?: string }): Entry => ({
  ...entry,
  folded: foldText(entry.title),
  words: foldText(words).text,
})

export type Found = { entry: Entry; marks: [number, number][] }
export type FoundGroup = { title: string; found: Found[] }

/** Entries of a group that are shown at most, for a query and without one. */
const MOST: Record<EntryGroup, { found: number; listed: number }> = {
  Actions: { found: 12, listed: 100 },
  Chats: { found: 10, listed: 8 },
  Pages: { found: 8, listed: 20 },
  Settings: { found: 12, listed: 0 },
  Skills: { found: 12, listed: 5 },
  Models: { found: 12, listed: 5 },
}
const ORDER = Object.keys(MOST) as EntryGroup[]
const RECENT = 5
/** What being chosen lately, and being new, add to a score. An exact title always comes first. */
const RECENT_BONUS = 70
const WEIGHT_BONUS = 30

/**
 * The entries that fit a query, in groups, the group of the best one first. Without a query: what was chosen lately, then the
 * beginning of each group.
 */
export function findEntries(
  query: string,
  entries: readonly Entry[],
  recent: readonly string[],
): FoundGroup[] {
  const words = foldQuery(query)
  if (words.length === 0) return listed(entries, recent)
  const places = new Map(recent.map((id, place) => [id, 1 - place / recent.length]))
  const scored = entries.flatMap(entry => {
    const match = matchWords(words, entry.folded, entry.words)
    if (!match) return []
    const bonus = RECENT_BONUS * (places.get(entry.id) ?? 0) + WEIGHT_BONUS * (entry.weight ?? 0)
    return [{ entry, marks: match.marks, score: match.score + bonus }]
  })
  const groups = Map.groupBy(scored, each => each.entry.group)
  return [...groups]
    .map(([title, all]) => ({
      title,
      found: all.toSorted((a, b) => b.score - a.score).slice(0, MOST[title].found),
    }))
    .toSorted((a, b) => b.found[0]!.score - a.found[0]!.score)
}

function listed(entries: readonly Entry[], recent: readonly string[]): FoundGroup[] {
  const known = new Map(entries.map(entry => [entry.id, entry]))
  const first = recent.flatMap(id => known.get(id) ?? []).slice(0, RECENT)
  const taken = new Set(first)
  const found = (of: readonly Entry[]): Found[] => of.map(entry => ({ entry, marks: [] }))
  return [
    { title: 'Recent', found: found(first) },
    ...ORDER.map(title => ({
      title,
      found: found(
        entries.filter(entry => entry.group === title && !taken.has(entry)).slice(0, MOST[title].listed),
      ),
    })),
  ].filter(group => group.found.length > 0)
}
