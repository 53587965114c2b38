import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { copyText } from '../../../ui/IconButton.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { readCopied, type Copied } from '../../../ui/select/copied-text.ts'
import { giveCopied, isWrittenIn } from '../../../ui/select/copy-as-shown.ts'
import { keepSelection } from '../../../ui/select/keep-selection.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { useChat, useOpenChat } from '../chats.ts'
import type { Item } from '../items.ts'
import { copyUndrawn, loadDrawer } from './draw-rows.tsx'
import {
  drawnRows,
  rangeWithin,
  readRowEnds,
  rowOfNode,
  rowsToKeep,
  selectedRange,
  type RowEnds,
} from './selected-rows.ts'

type Options = { items: readonly Item[]; scroller: RefObject<HTMLElement | null> }

/**
 * What the reader selects in a chat: it stays while answers are written and rows leave the view, Ctrl+A selects all of the chat, and
 * what looks selected is what is copied, also of rows that are not drawn. Returns the rows that have to stay drawn, by index.
 */
export function useChatSelection({ items, scroller }: Options): readonly number[] {
  const { store } = useOpenChat()
  const more = useChat(chat => chat.more)
  const loadAll = useChat(chat => chat.loadAll)
  const [ends, setEnds] = useState<RowEnds | null>(null)
  /** The last row when all of the chat was asked for: older messages join the selection when they are loaded. */
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

  // Once both ends are drawn. Rows that come later are not part of it.
  useLayoutEffect(() => {
    if (last === null || !scroller.current) return
    const rows = drawnRows(scroller.current)
    const [from, to] = [first, last].map(key => rows.find(row => row.dataset['item'] === key))
    if (from && to) getSelection()?.setBaseAndExtent(from, 0, to, to.childNodes.length)
  }, [last, first, scroller])

  const onSelection = useEffectEvent(() => {
    const found = scroller.current && readRowEnds(scroller.current)
    if (found?.first !== ends?.first || found?.last !== ends?.last) setEnds(found)
    if (found?.first !== first || found?.last !== last) setLast(null)
  })
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const range = selectedRange()
    if (event.defaultPrevented || isWrittenIn(event.target)) return
    if (!scroller.current || !range?.intersectsNode(scroller.current)) return
    if (last !== null && more) {
      event.preventDefault()
      void copyWhole()
      return
    }
    const copied = copySelected(scroller.current, range, items)
    if (copied.text !== '') giveCopied(event, copied)
  })
  useEffect(() => {
    // Before those that know nothing of rows.
    document.addEventListener('copy', onCopy, true)
    document.addEventListener('selectionchange', onSelection)
    return () => {
      document.removeEventListener('copy', onCopy, true)
      document.removeEventListener('selectionchange', onSelection)
    }
  }, [])

  async function copyWhole() {
    await loadAll()
    // What was loaded has to be drawn before it is read.
    await new Promise(resolve => setTimeout(resolve))
    const range = selectedRange()
    if (!scroller.current || !range) return
    const { text } = copySelected(scroller.current, range, newest.current.items)
    const isDone = await copyText(text)
    if (isDone && newest.current.more)
      showToast('Only the newest messages were copied. Export the chat to get all of it.', { about: 'copy' })
  }

  useKeys({
    'mod+a': () => {
      const { activeElement } = document
      // There it selects what is in the field or the dialog.
      if (isWrittenIn(activeElement) || activeElement?.closest('dialog, [popover]')) return false
      if (document.querySelector('dialog[open]') || items.length === 0) return false
      void loadDrawer()
      void loadAll()
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

/** What is copied of a selection: of rows that are drawn what is selected in them, and all that was said in those between. */
function copySelected(list: HTMLElement, range: Range, items: readonly Item[]): Copied {
  const drawn = new Map(
    drawnRows(list).flatMap(row =>
      range.intersectsNode(row) ? [[row.dataset['item'] ?? '', rangeWithin(range, row)] as const] : [],
    ),
  )
  // A selection that began outside of the list goes to its end there.
  const at = [...drawn.keys()]
    .map(key => items.findIndex(item => item.key === key))
    .filter(index => index >= 0)
  if (at.length === 0) return { text: '', html: '' }
  const from = rowOfNode(range.startContainer) || list.contains(range.startContainer) ? Math.min(...at) : 0
  const to =
    rowOfNode(range.endContainer) || list.contains(range.endContainer) ? Math.max(...at) : items.length - 1
  const rows = items.slice(from, to + 1)
  const undrawn = copyUndrawn(rows.filter(({ key }) => !drawn.has(key)))
  const parts = rows.flatMap(({ key }) => {
    const within = drawn.get(key)
    const copied = within ? readCopied(within) : undrawn.get(key)
    return copied && copied.text.trim() !== '' ? [copied] : []
  })
  return { text: parts.map(({ text }) => text).join('\n\n'), html: parts.map(({ html }) => html).join('') }
}
