import type { KeyboardEvent } from 'react'

const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[data-row]')].filter(row => row.checkVisibility())

/** The ids of the chats whose rows are in view of the list, in its order. */
export const chatRowIds = (): string[] => rows().flatMap(row => row.dataset['row'] || [])

/** The chat whose row has the focus. */
export const focusedChatRow = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'] || undefined

/** Move the focus in the list of chats; returns the focused row. */
export function focusRow(which: 'first' | 'last' | 'next' | 'previous'): HTMLElement | undefined {
  const all = rows()
  const at = all.indexOf(document.activeElement as HTMLElement)
  const row = { first: all[0], last: all.at(-1), next: all[at + 1], previous: all[at - 1] }[which]
  row?.focus()
  return row
}

/** Before a focused row is removed, move the focus to a neighbour. */
export function leaveRow(row: HTMLElement | null): void {
  const all = rows()
  const at = all.findIndex(each => each === row)
  if (row?.parentElement?.contains(document.activeElement)) (all[at + 1] ?? all[at - 1])?.focus()
}

/** Arrows, Home and End in the list. Up from the first row focuses the search field. */
export function moveByKey(event: KeyboardEvent): void {
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

/** Focus the visible search field; false when there is none. */
export function focusSearch(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('[data-search]')]
  const field = fields.find(each => each.checkVisibility())
  field?.focus()
  field?.select()
  return field !== undefined
}
