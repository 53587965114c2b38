/**
 * The anchors of the headings of a document, in order, by GitHub's rule: lowercase letters, no punctuation,
 * hyphens for spaces, and a number after a repeated anchor. The headings are plain text.
 */
export function nameAnchors(headings: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return headings.map(heading => {
    const plain = heading.trim().toLowerCase().replaceAll(NOT_IN_ANCHORS, '').replaceAll(' ', '-')
    let anchor = plain
    while (counts.has(anchor)) {
      const count = counts.get(plain)! + 1
      counts.set(plain, count)
      anchor = `${plain}-${count}`
    }
    counts.set(anchor, 0)
    return anchor
  })
}

const NOT_IN_ANCHORS = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu
