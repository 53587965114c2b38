/** What a line of a session file adds to it; one without anything only links others. */
export type TreeEntry<T> = {
  id: string
  parent: string | null | undefined
  holds: T | undefined
  size: number
}

/** Characters and lines that are kept of one file; of a longer one its end. */
const MOST_CHARS = 16_000_000
const MOST_LINES = 200_000

/**
 * The lines of a session that name their parents, so that a session has several ways. A parent that was not read, because its line is
 * too long or cut, counts as the line before: files are only ever added to.
 */
export function createTree<T>() {
  const entries: TreeEntry<T>[] = []
  const places = new Map<string, number>()
  let chars = 0
  let blanked = 0
  let newest = -1

  return {
    add(entry: TreeEntry<T>): void {
      if (entries.length >= MOST_LINES) return
      const place = entries.push(entry) - 1
      if (entry.id !== '') places.set(entry.id, place)
      if (entry.holds === undefined) return
      newest = place
      for (chars += entry.size; chars > MOST_CHARS && blanked < place; blanked++) {
        const old = entries[blanked]!
        if (old.holds !== undefined) chars -= old.size
        entries[blanked] = { ...old, holds: undefined }
      }
    },
    /** The way from the beginning to the newest line that holds something. */
    path(): { id: string; holds: T }[] {
      const found: { id: string; holds: T }[] = []
      for (let at = newest; at >= 0;) {
        const { id, parent, holds } = entries[at]!
        if (holds !== undefined) found.push({ id, holds })
        if (parent == null) break
        const named = places.get(parent)
        // A parent stands before its children, so this ends whatever a file claims.
        at = named !== undefined && named < at ? named : at - 1
      }
      return found.toReversed()
    },
  }
}
