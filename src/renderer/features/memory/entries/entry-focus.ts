import type { KeyboardEvent } from 'react'

const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[data-entry]')].filter(row => row.checkVisibility())

/** The id of the entry whose row contains an element. */
export const entryAt = (element: Element): string | undefined =>
  element.closest('li')?.querySelector<HTMLElement>('[data-entry]')?.dataset['entry']

/** Focus the row of an entry; false if it is not shown. */
export function focusEntry(id: string): boolean {
  const row = rows().find(each => each.dataset['entry'] === id)
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
  return row !== undefined
}

/** Before rows are removed, focus a neighbouring row, or the add field if none is left. */
export function leaveEntries(ids: readonly string[]): void {
  const all = rows()
  const going = new Set(ids)
  const first = all.findIndex(row => going.has(row.dataset['entry'] ?? ''))
  const stays = (row: HTMLElement) => !going.has(row.dataset['entry'] ?? '')
  const next = all.slice(first).find(stays) ?? all.slice(0, first).findLast(stays)
  if (next) next.focus()
  else document.querySelector<HTMLElement>('[data-add-entry]')?.focus()
}

/** Arrows, Home and End move between rows, from any element inside a row. */
export function moveEntryByKey(event: KeyboardEvent): void {
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
