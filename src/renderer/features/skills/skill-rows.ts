import { foldAway } from '../../ui/fold-away.ts'

const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-skill="${CSS.escape(id)}"]`)

/** Put the focus on the row of a skill; false when it is not drawn, or not to be seen yet. */
export function focusSkill(id: string): boolean {
  const row = rowOf(id)
  row?.focus()
  return row !== null && document.activeElement === row
}

/** Put the focus on a neighbour of rows that are about to go, or into the search when none is left. */
export function leaveSkills(ids: readonly string[]): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-skill]')]
  const going = new Set(ids)
  const first = all.findIndex(row => going.has(row.dataset['skill'] ?? ''))
  if (first < 0) return
  const stays = (row: HTMLElement) => !going.has(row.dataset['skill'] ?? '')
  const next = all.slice(first).find(stays) ?? all.slice(0, first).findLast(stays)
  if (next) next.focus()
  else focusSearch()
}

/** Let the rows of skills shrink to nothing; resolves when they have, to what brings them back. */
export async function foldSkills(ids: readonly string[]): Promise<() => void> {
  const all = ids.map(id => rowOf(id)?.closest<HTMLElement>('.skill-row') ?? null)
  const unfolds = await Promise.all(all.map(foldAway))
  return () => unfolds.forEach(unfold => unfold())
}

/** Put the focus into the search of the page; false when it is not drawn. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-skill-search]')
  field?.focus()
  field?.select()
  return field !== null
}
