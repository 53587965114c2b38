import { useEffect, useRef, type RefObject } from 'react'
import { useChat } from '../store/open-chats.ts'
import { spotOf, type Spot } from './chat-find.ts'

/** Selects the texts of messages, without buttons and names around them. */
const TEXTS = '.user-bubble, .prose'
const RESULTS = '.tool-card'
/** Free space to keep above and below the match, in pixels. */
const ROOM = 90

/**
 * Highlights matches in mounted rows without changing the rows, and keeps the shown match in view. Highlights
 * are updated as rows mount and unmount.
 */
export function useFindMarks(scroller: RefObject<HTMLElement | null>, pattern: RegExp | undefined): void {
  const tools = useChat(chat => chat.finding?.tools === true)
  const place = useChat(chat => {
    const spot = chat.finding && spotOf(chat.finding)
    return spot ? `${spot.messageId} ${spot.nth}` : ''
  })
  /** The match that was already scrolled into view. This happens once, so that the user can scroll away. */
  const reached = useRef('')

  useEffect(() => {
    const element = scroller.current
    if (!element || !pattern || !('highlights' in CSS)) return undefined
    const spot = readSpot(place)
    reached.current = ''
    let frame = 0
    const draw = () => {
      frame = 0
      const texts = element.querySelectorAll<HTMLElement>(tools ? `${TEXTS}, ${RESULTS}` : TEXTS)
      const all = [...texts].flatMap(text => rangesIn(text, pattern))
      const here = spot && rangeOf(all, spot)
      CSS.highlights.set('find', new Highlight(...all))
      CSS.highlights.set('find-at', new Highlight(...(here ? [here] : [])))
      if (here && reached.current !== place && bringIntoView(element, here)) reached.current = place
    }
    const soon = () => void (frame ||= requestAnimationFrame(draw))
    const changes = new MutationObserver(soon)
    changes.observe(element, { subtree: true, childList: true, characterData: true })
    element.addEventListener('scroll', soon, { passive: true })
    soon()
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      element.removeEventListener('scroll', soon)
      CSS.highlights.delete('find')
      CSS.highlights.delete('find-at')
    }
  }, [scroller, pattern, tools, place])
}

function readSpot(place: string): Spot | null {
  const [messageId, nth] = place.split(' ').map(Number)
  return messageId === undefined || nth === undefined ? null : { messageId, nth }
}

/** The ranges of a text that match. A match may span several elements. */
function rangesIn(root: HTMLElement, pattern: RegExp): Range[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: { node: Node; from: number }[] = []
  let text = ''
  while (walker.nextNode()) {
    const node = walker.currentNode
    // A word does not span two blocks.
    if (nodes.length > 0 && blockOf(node) !== blockOf(nodes.at(-1)!.node)) text += '\n'
    nodes.push({ node, from: text.length })
    text += node.nodeValue ?? ''
  }
  const placeAt = (at: number) => {
    const found = nodes.findLast(({ from }) => from <= at)!
    return [found.node, Math.min(at - found.from, found.node.nodeValue?.length ?? 0)] as const
  }
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => {
    const range = document.createRange()
    range.setStart(...placeAt(index))
    const [node, end] = placeAt(index + length - 1)
    range.setEnd(node, Math.min(end + 1, node.nodeValue?.length ?? 0))
    return range
  })
}

const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, pre, td, th, blockquote, div'
const blockOf = (node: Node) => node.parentElement?.closest(BLOCKS)

/** The range of a match among those of its row; the last one if the row shows fewer matches. */
function rangeOf(all: readonly Range[], { messageId, nth }: Spot): Range | undefined {
  const own = all.filter(range => {
    const row = range.startContainer.parentElement?.closest('[data-messages]')
    return row?.getAttribute('data-messages')?.split(' ').includes(String(messageId))
  })
  return own[Math.min(nth, own.length - 1)]
}

/** Scroll as little as needed; returns whether the range was already in view. */
function bringIntoView(scroller: HTMLElement, range: Range): boolean {
  const box = range.getBoundingClientRect()
  const view = scroller.getBoundingClientRect()
  const above = box.top - (view.top + ROOM)
  const below = box.bottom - (view.bottom - ROOM)
  if (above >= 0 && below <= 0) return true
  const before = scroller.scrollTop
  scroller.scrollTop += above < 0 ? above : below
  // At an end of the chat there is nothing more to scroll.
  return Math.abs(scroller.scrollTop - before) < 1
}
