import { findTextPlace, nodeAtPlace, readTextPlace, type TextPlace } from './text-places.ts'

/** An end of the selection: its position in the page, and in the text of its row. */
type End = { node: Node; at: number; row: HTMLElement; place: TextPlace }

const ROW = '[data-item]'

/**
 * Keeps the user's selection in an element while its text is re-rendered, as in a streaming answer: the
 * browser moves an end of the selection if its text node changes or is removed. Nothing is observed while
 * nothing is selected.
 *
 * `beforeDrawn` registers a callback that runs before new text is rendered: the browser reports a new
 * selection a moment late, and a word may arrive first. Returns a function that stops it.
 */
export function keepSelection(root: HTMLElement, beforeDrawn: (read: () => void) => () => void): () => void {
  let kept: { anchor: End; focus: End } | null = null
  const changes = new MutationObserver(records => mend(records))

  const endAt = (node: Node | null, at: number): End | undefined => {
    if (!node || !root.contains(node)) return undefined
    const element = node instanceof Element ? node : node.parentElement
    const row = element?.closest<HTMLElement>(ROW) ?? root
    return { node, at, row, place: readTextPlace(row, node, at) }
  }

  const isAt = ({ node, at }: End, now: Node | null, nowAt: number) => node === now && at === nowAt
  const isSame = ({ anchorNode, anchorOffset, focusNode, focusOffset }: Selection) =>
    kept !== null && isAt(kept.anchor, anchorNode, anchorOffset) && isAt(kept.focus, focusNode, focusOffset)

  function read() {
    // The latest render has moved the selection before the observer was notified.
    const records = changes.takeRecords()
    if (records.length > 0) mend(records)
    const selection = getSelection()
    if (!selection || !isSame(selection)) measure(selection)
  }

  function measure(selection: Selection | null) {
    const wasKept = kept !== null
    kept = null
    if (selection && !selection.isCollapsed) {
      const anchor = endAt(selection.anchorNode, selection.anchorOffset)
      const focus = endAt(selection.focusNode, selection.focusOffset)
      if (anchor && focus) kept = { anchor, focus }
    }
    if (kept && !wasKept) changes.observe(root, { subtree: true, childList: true, characterData: true })
    else if (!kept && wasKept) changes.disconnect()
  }

  /** Runs before the browser paints the change, so the selection does not flicker. */
  function mend(records: readonly MutationRecord[]) {
    const selection = getSelection()
    if (!kept || !selection) return
    const { anchor, focus } = kept
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection
    const moved = [
      ...(isAt(anchor, anchorNode, anchorOffset) ? [] : [{ end: anchor, now: anchorNode }]),
      ...(isAt(focus, focusNode, focusOffset) ? [] : [{ end: focus, now: focusNode }]),
    ]
    // An end that moved from or to an unchanged place was moved by the user or by Ctrl+A.
    if (moved.length > 0 && moved.every(({ end, now }) => isTouched(end, records) && isTarget(now, records)))
      restore(selection, anchor, focus)
    measure(selection)
  }

  function restore(selection: Selection, anchor: End, focus: End) {
    const isForward = isBefore(anchor, focus)
    const start = find(anchor, isForward)
    const end = find(focus, !isForward)
    if (start && end) selection.setBaseAndExtent(...start, ...end)
  }

  function find(end: End, isStart: boolean): [Node, number] | undefined {
    const isOwn = end.row.isConnected
    const rows = isOwn ? [end.row] : [...root.querySelectorAll<HTMLElement>(ROW)]
    for (const row of rows.toReversed()) {
      const offset = findTextPlace(row.textContent, end.place, { isStart, isOwn })
      if (offset !== undefined) return nodeAtPlace(row, offset, isStart)
    }
    return undefined
  }

  document.addEventListener('selectionchange', read)
  const leave = beforeDrawn(read)
  read()
  return () => {
    leave()
    document.removeEventListener('selectionchange', read)
    changes.disconnect()
  }
}

/** Whether the node of an end was changed or removed. */
function isTouched({ node }: End, records: readonly MutationRecord[]): boolean {
  return records.some(
    ({ target, removedNodes }) =>
      target === node || [...removedNodes].some(removed => removed === node || removed.contains(node)),
  )
}

/** Whether the browser may have moved an end of the selection here. */
function isTarget(node: Node | null, records: readonly MutationRecord[]): boolean {
  return records.some(({ target }) => target === node)
}

/** Whether `first` comes before `second`. Removed nodes no longer have an order in the page. */
function isBefore(first: End, second: End): boolean {
  if (first.row === second.row) return first.place.offset <= second.place.offset
  return (first.row.compareDocumentPosition(second.row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}
