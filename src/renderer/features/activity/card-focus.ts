import { useEffect } from 'react'

const heads = () =>
  [...document.querySelectorAll<HTMLElement>('[data-card]')].filter(head => head.checkVisibility())

/** The card that contains an element. */
const cardAt = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[data-card-box]') ?? null

/** Focus the headline of a card; false if it is not shown. */
export function focusCard(id: string): boolean {
  const head = heads().find(each => each.dataset['card'] === id)
  head?.focus({ preventScroll: true })
  cardAt(head ?? null)?.scrollIntoView({ block: 'nearest' })
  return head !== undefined
}

const focusTitle = () => document.querySelector<HTMLElement>('[data-activity-title]')?.focus()

/** If the focused element was removed, focus the headline of a card, or the page heading. */
export function keepCardFocus(id?: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    if (id === undefined || !focusCard(id)) focusTitle()
  })
}

/** Before cards are removed, focus a neighbouring card, or the page heading if none is left. */
export function leaveCards(ids: readonly string[]): void {
  const all = heads()
  const going = new Set(ids)
  const first = all.findIndex(head => going.has(head.dataset['card'] ?? ''))
  const stays = (head: HTMLElement) => !going.has(head.dataset['card'] ?? '')
  // Prefer a waiting card on either side, so the user can continue deciding.
  const near = [...all.slice(first), ...all.slice(0, first).toReversed()].filter(stays)
  const next = near.find(head => head.dataset['waits'] === 'true') ?? near[0]
  if (next) focusCard(next.dataset['card'] ?? '')
  else focusTitle()
}

/** Focus another card, from any focus position; false if there is none. */
function moveByKey(to: 'next' | 'previous' | 'first' | 'last'): boolean {
  const all = heads()
  const at = all.findIndex(head => cardAt(head)?.contains(document.activeElement))
  const head = {
    next: all[at + 1],
    previous: at < 0 ? all.at(-1) : all[at - 1],
    first: all[0],
    last: all.at(-1),
  }[to]
  return head !== undefined && focusCard(head.dataset['card'] ?? '')
}

/** Press the button with this key on the focused card; false if there is none. */
function pressByKey(key: string): boolean {
  const button = cardAt(document.activeElement)?.querySelector<HTMLButtonElement>(
    `[data-key="${CSS.escape(key)}"]:enabled`,
  )
  button?.click()
  return button !== null && button !== undefined
}

/** Elements that handle keys themselves. */
const OWN_KEYS =
  'input:not([type="checkbox"]), textarea, select, dialog, [popover], [contenteditable]:not([contenteditable="false"]), [role="tab"]'

const moves = { ArrowDown: 'next', ArrowUp: 'previous', Home: 'first', End: 'last' } as const

/** Arrows, Home and End move between cards; a letter presses the card button labelled with it. */
export function useCardKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || shiftKey) return
      const element = target as Element
      const isHere = element === document.body || element.closest('[data-activity]') !== null
      if (!isHere || element.closest(OWN_KEYS)) return
      const move = moves[key as keyof typeof moves]
      if (move ? moveByKey(move) : /^\p{L}$/u.test(key) && pressByKey(key.toLowerCase()))
        event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
