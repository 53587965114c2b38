import type { KeyboardEvent } from 'react'

/** The event that requests the rows of an element with `data-rows`, which stands for unmounted rows. */
export const MOUNT_ROWS = 'mountrows'

/** The rows of the list and the placeholders for unmounted rows, in order. */
const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[data-row], [data-rows]')].filter(row => row.checkVisibility())

/** The ids of the chats in the list, in order. */
export const chatRowIds = (): string[] =>
  rows().flatMap(row => row.dataset['rows']?.split(' ').filter(Boolean) ?? (row.dataset['row'] || []))

/** Focus a row. For a placeholder, mount its rows first, then focus the last (`last`) or the first. */
function focusOne(row: HTMLElement | undefined, last: boolean): HTMLElement | undefined {
  if (row?.dataset['rows'] === undefined) {
    row?.focus()
    return row
  }
  row.dispatchEvent(new CustomEvent(MOUNT_ROWS, { bubbles: true }))
  // Its rows follow it, up to the next part of the same list. A row may contain a list with own parts.
  const siblings = [...(row.parentElement?.children ?? [])]
  const after = siblings.slice(siblings.indexOf(row) + 1)
  const end = after.findIndex(each => each instanceof HTMLElement && each.dataset['part'] !== undefined)
  const part = end < 0 ? after : after.slice(0, end)
  const found = rows().filter(each => part.some(item => item.contains(each)))
  return focusOne(last ? found.at(-1) : found[0], last)
}

/** The chat whose row has the focus. */
export const focusedChatRow = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'] || undefined

/** Move the focus in the list of chats; returns the focused row. */
export function focusRow(which: 'first' | 'last' | 'next' | 'previous'): HTMLElement | undefined {
  const all = rows()
  const at = all.indexOf(document.activeElement as HTMLElement)
  const row = { first: all[0], last: all.at(-1), next: all[at + 1], previous: all[at - 1] }[which]
  return focusOne(row, which === 'last' || which === 'previous')
}

/** Before a focused row is removed, move the focus to a neighbour. */
export function leaveRow(row: HTMLElement | null): void {
  const all = rows()
  const at = all.findIndex(each => each === row)
  if (row?.parentElement?.contains(document.activeElement))
    focusOne(all[at + 1] ?? all[at - 1], all[at + 1] === undefined)
}

/** Arrows, Home and End in the list. Up from the first row focuses the search field. */
export function moveRowByKey(event: KeyboardEvent): void {
  const row = {
    ArrowDown: () => focusRow('next'),
    ArrowUp: () => focusRow('previous') ?? focusSearch(),
    Home: () => focusRow('first'),
    End: () => focusRow('last'),
  }[event.key]
  if (!row || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  row()
}

/** Focus the visible search field; false if there is none. */
export function focusSearch(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('[data-search]')]
  const field = fields.find(each => each.checkVisibility())
  field?.focus()
  field?.select()
  return field !== undefined
}
