import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { copyText } from '../../../ui/IconButton.tsx'
import { useKeys } from '../../../ui/keyboard/keys.ts'
import { readCopied, type Copied } from '../../../ui/select/copied-text.ts'
import { giveCopied, isWrittenIn } from '../../../ui/select/copy-as-shown.ts'
import { keepSelection } from '../../../ui/select/keep-selection.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { useChat, useOpenChat } from '../store/open-chats.ts'
import type { TranscriptRow } from '../transcript/transcript-rows.ts'
import { copyUndrawn, loadDrawer } from './draw-rows.tsx'
import {
  drawnRows,
  rangeWithin,
  readRowEnds,
  rowsToKeep,
  selectedRange,
  type RowEnds,
} from './selected-rows.ts'

/** About how long a change takes to be rendered, in ms. */
const FRAME_MS = 20

type Options = { items: readonly TranscriptRow[]; scroller: RefObject<HTMLElement | null> }

/**
 * Keeps a selection in a chat while answers stream and rows leave the view. Ctrl+A selects the whole chat,
 * and a copy includes all selected rows, even unmounted ones. Returns the indexes of the rows that must stay
 * mounted.
 */
export function useChatSelection({ items, scroller }: Options): readonly number[] {
  const { store } = useOpenChat()
  const more = useChat(chat => chat.more)
  const loadAll = useChat(chat => chat.loadAll)
  const [ends, setEnds] = useState<RowEnds | null>(null)
  /** The last row after Ctrl+A: older messages join the selection once they are loaded. */
  const [last, setLast] = useState<string | null>(null)
  const newest = useRef({ items, more })
  useLayoutEffect(() => {
    newest.current = { items, more }
  }, [items, more])

  const first = items[0]?.key
  const wanted = first !== undefined && last !== null ? { first, last } : ends

  useEffect(
    () => (scroller.current ? keepSelection(scroller.current, store.subscribe) : undefined),
    [scroller, store],
  )

  /** The first row that the selection has reached so far. */
  const reached = useRef<string>(undefined)
  // Select once both ends are mounted, a moment after older messages arrive. Later rows are not included.
  useEffect(() => {
    if (last === null) return undefined
    let timer: ReturnType<typeof setTimeout>
    const select = () => {
      const rows = scroller.current ? drawnRows(scroller.current) : []
      const [from, to] = [first, last].map(key => rows.find(row => row.dataset['item'] === key))
      if (!from || !to) {
        timer = setTimeout(select, FRAME_MS)
        return
      }
      reached.current = first
      getSelection()?.setBaseAndExtent(from, 0, to, to.childNodes.length)
    }
    select()
    return () => clearTimeout(timer)
  }, [last, first, scroller])

  const onSelection = useEffectEvent(() => {
    const found = scroller.current && readRowEnds(scroller.current)
    if (found?.first !== ends?.first || found?.last !== ends?.last) setEnds(found)
    const isOther = found?.first !== first || found?.last !== last
    if (reached.current === first && isOther) setLast(null)
  })
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const range = selectedRange()
    if (event.defaultPrevented || isWrittenIn(event.target)) return
    if (!scroller.current || !range?.intersectsNode(scroller.current)) return
    if (last !== null && more) {
      event.preventDefault()
      void copyLoaded(last)
      return
    }
    const copied =
      last === null ? copySelected(scroller.current, range, items) : copyUpTo(scroller.current, last, items)
    if (copied.text !== '') giveCopied(event, copied)
  })
  useEffect(() => {
    // Runs before the copy handlers that do not know rows.
    document.addEventListener('copy', onCopy, true)
    document.addEventListener('selectionchange', onSelection)
    return () => {
      document.removeEventListener('copy', onCopy, true)
      document.removeEventListener('selectionchange', onSelection)
    }
  }, [])

  /** Copies everything up to a row, once all of it is loaded. */
  async function copyLoaded(end: string) {
    await Promise.all([loadAll(), loadDrawer()])
    // Loaded messages become rows with the next render.
    await new Promise(resolve => setTimeout(resolve, FRAME_MS))
    if (!scroller.current) return
    const isDone = await copyText(copyUpTo(scroller.current, end, newest.current.items).text)
    if (isDone && newest.current.more)
      showToast('Only the newest messages were copied. Export the chat to get all of it.', { about: 'copy' })
  }

  useKeys({
    'mod+a': () => {
      const { activeElement } = document
      // In a field or dialog, Ctrl+A selects its content instead.
      if (isWrittenIn(activeElement) || activeElement?.closest('dialog, [popover]')) return false
      if (document.querySelector('dialog[open]') || items.length === 0) return false
      void loadDrawer()
      void loadAll()
      reached.current = undefined
      setLast(items.findLast(({ kind }) => kind !== 'working')?.key ?? null)
      return undefined
    },
  })

  const kept = rowsToKeep(items, wanted)
  const isLong = kept.length === 2
  useEffect(() => {
    if (isLong) void loadDrawer()
  }, [isLong])
  return kept
}

/** The copied content of a chat up to a row. */
function copyUpTo(list: HTMLElement, end: string, items: readonly TranscriptRow[]): Copied {
  const whole = document.createRange()
  whole.selectNodeContents(list)
  return copyRows(list, whole, items.slice(0, items.findIndex(({ key }) => key === end) + 1))
}

/** The copied content of a selection. A boundary outside the list is moved to the end of the list. */
function copySelected(list: HTMLElement, range: Range, items: readonly TranscriptRow[]): Copied {
  const at = drawnRows(list).flatMap(row => {
    const index = items.findIndex(({ key }) => key === row.dataset['item'])
    return index >= 0 && range.intersectsNode(row) ? [index] : []
  })
  if (at.length === 0) return { text: '', html: '' }
  const from = list.contains(range.startContainer) ? Math.min(...at) : 0
  const to = list.contains(range.endContainer) ? Math.max(...at) : items.length - 1
  return copyRows(list, range, items.slice(from, to + 1))
}

/** The selected part of mounted rows, and the whole messages of the others. */
function copyRows(list: HTMLElement, range: Range, items: readonly TranscriptRow[]): Copied {
  const drawn = new Map(drawnRows(list).map(row => [row.dataset['item'], row]))
  const undrawn = copyUndrawn(items.filter(({ key }) => !drawn.has(key)))
  const parts = items.flatMap(({ key }) => {
    const row = drawn.get(key)
    const copied = row ? readCopied(rangeWithin(range, row)) : undrawn.get(key)
    return copied && copied.text.trim() !== '' ? [copied] : []
  })
  return { text: parts.map(({ text }) => text).join('\n\n'), html: parts.map(({ html }) => html).join('') }
}
