import type { KeyboardEvent } from 'react'

const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[data-entry]')].filter(row => row.checkVisibility())

/** The entry whose row an element is part of. */
export const entryAt = (element: Element): string | undefined =>
  element.closest('li')?.querySelector<HTMLElement>('[data-entry]')?.dataset['entry']

/** Put the focus on the row of an entry; false when it is not shown. */
export function focusEntry(id: string): boolean {
  const row = rows().find(each => each.dataset['entry'] === id)
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
  return row !== undefined
}

/** Put the focus on a neighbour of rows that are about to go, or into the field for a new entry when none is left. */
export function leaveEntries(ids: readonly string[]): void {
  const all = rows()
  const going = new Set(ids)
  const first = all.findIndex(row => going.has(row.dataset['entry'] ?? ''))
  const stays = (row: HTMLElement) => !going.has(row.dataset['entry'] ?? '')
  const next = all.slice(first).find(stays) ?? all.slice(0, first).findLast(stays)
  if (next) next.focus()
  else document.querySelector<HTMLElement>('[data-add-entry]')?.focus()
}

/** Arrows, Home and End move between rows, from whichever part of a row has the focus. */
export function moveByKey(event: KeyboardEvent): void {
  const focused = event.target as HTMLElement
  if (focused.matches('textarea, input:not([type="checkbox"]), select, [role^="menuitem"]')) return
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const all = rows()
  const own = focused.closest('li')?.querySelector<HTMLElement>('[data-entry]')
  const at = own ? all.indexOf(own) : -1
  const row = {
    ArrowDown: all[at + 1],
    ArrowUp: all[at - 1],
    Home: all[0],
    End: all.at(-1),
  }[event.key]
  if (!row) return
  event.preventDefault()
  row.focus()
}
