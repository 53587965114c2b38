import type { ReactNode } from 'react'
import { foldQuery, foldText, matchWords, type Folded } from '../ui/text/rank-matches.ts'

export type EntryGroup =
  | 'Start'
  | 'Chats'
  | 'Pages'
  | 'Commands'
  | 'Skills'
  | 'Templates'
  | 'Models'
  | 'Settings'
  | 'Help'
  | 'Permissions'

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
  /** True if the entry is only found by a query, and never listed without one. */
  isOnlyFound?: true
  /** How new or often used the entry is within its group, from 0 to 1. */
  weight?: number
}

/** Create an entry, with its texts prepared for comparison. */
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

/** Maximum number of entries shown of a group, with and without a query. */
const MOST: Record<EntryGroup, { found: number; listed: number }> = {
  Start: { found: 8, listed: 10 },
  Chats: { found: 10, listed: 5 },
  Pages: { found: 8, listed: 20 },
  Commands: { found: 12, listed: 100 },
  Skills: { found: 12, listed: 5 },
  Templates: { found: 12, listed: 5 },
  Models: { found: 12, listed: 5 },
  Settings: { found: 12, listed: 10 },
  Help: { found: 8, listed: 0 },
  Permissions: { found: 5, listed: 5 },
}
/** Most common purposes first, dangerous actions last. */
const ORDER = Object.keys(MOST) as EntryGroup[]
const MOST_USED = 5
/** How much recent choices and newness add to a score. An exact title always comes first. */
const RECENT_BONUS = 70
const WEIGHT_BONUS = 30

/**
 * The entries that match a query, in groups, with the group of the best match first and Help after actions.
 * Without a query: the most chosen entries, then the first of each group. `chosen`: ids of chosen entries,
 * newest first, one for each choice.
 */
export function findEntries(
  query: string,
  entries: readonly Entry[],
  chosen: readonly string[],
): FoundGroup[] {
  const words = foldQuery(query)
  if (words.length === 0) return listed(entries, chosen)
  const recent = [...new Set(chosen)]
  const places = new Map(recent.map((id, place) => [id, 1 - place / recent.length]))
  const scored = entries.flatMap(entry => {
    const match = matchWords(words, entry.folded, entry.words)
    if (!match) return []
    const bonus = RECENT_BONUS * (places.get(entry.id) ?? 0) + WEIGHT_BONUS * (entry.weight ?? 0)
    return [{ entry, marks: match.marks, score: match.score + bonus }]
  })
  const groups = Map.groupBy(scored, each => each.entry.group)
  const best = [...groups]
    .map(([title, all]) => ({
      title,
      found: all.toSorted((a, b) => b.score - a.score).slice(0, MOST[title].found),
    }))
    .toSorted((a, b) => b.found[0]!.score - a.found[0]!.score)
  return [...best.filter(({ title }) => title !== 'Help'), ...best.filter(({ title }) => title === 'Help')]
}

function listed(entries: readonly Entry[], chosen: readonly string[]): FoundGroup[] {
  const known = new Map(entries.map(entry => [entry.id, entry]))
  const times = Map.groupBy(chosen, id => id)
  const timesOf = (id: string) => times.get(id)?.length ?? 0
  // Among entries chosen equally often, the latest comes first.
  const mostUsed = [...times.keys()].toSorted((a, b) => timesOf(b) - timesOf(a))
  const first = mostUsed.flatMap(id => known.get(id) ?? []).slice(0, MOST_USED)
  const taken = new Set(first)
  const found = (of: readonly Entry[]): Found[] => of.map(entry => ({ entry, marks: [] }))
  return [
    { title: 'Most used', found: found(first) },
    ...ORDER.map(title => ({
      title,
      found: found(
        entries
          .filter(entry => entry.group === title && !taken.has(entry) && entry.isOnlyFound !== true)
          .toSorted((a, b) => timesOf(b.id) - timesOf(a.id))
          .slice(0, MOST[title].listed),
      ),
    })),
  ].filter(group => group.found.length > 0)
}
