/** A session line's content; an entry without content only links others. */
export type TreeEntry<T> = {
  id: string
  parent: string | null | undefined
  holds: T | undefined
  size: number
}

/** Maximum number of characters and lines to keep of one file, from its end. */
const MOST_CHARS = 16_000_000
const MOST_LINES = 200_000

/**
 * Create the tree of a session's lines, which name their parents. A parent that was not read, because its
 * line is too long or cut, counts as the previous line: files are only appended to.
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
    /** Return the path from the beginning to the newest line with content. */
    path(): { id: string; holds: T }[] {
      const found: { id: string; holds: T }[] = []
      for (let at = newest; at >= 0;) {
        const { id, parent, holds } = entries[at]!
        if (holds !== undefined) found.push({ id, holds })
        if (parent == null) break
        const named = places.get(parent)
        // A parent always precedes its children, so this ends whatever a file claims.
        at = named !== undefined && named < at ? named : at - 1
      }
      return found.toReversed()
    },
  }
}
