import { foldAway } from '../../../ui/style.ts'

const rowOf = (id: string) => document.querySelector<HTMLElement>(`[data-skill="${CSS.escape(id)}"]`)

/** Focus the row of a skill; false if it is not rendered or not visible yet. */
export function focusSkill(id: string): boolean {
  const row = rowOf(id)
  row?.focus()
  return row !== null && document.activeElement === row
}

/** Move the focus from rows about to be removed to a neighbour, or to the search if none is left. */
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

/** Collapse the rows of skills. Resolves after the animation to a function that restores them. */
export async function foldSkills(ids: readonly string[]): Promise<() => void> {
  const all = ids.map(id => rowOf(id)?.closest<HTMLElement>('.skill-row') ?? null)
  const unfolds = await Promise.all(all.map(foldAway))
  return () => unfolds.forEach(unfold => unfold())
}

/** Focus the search field; false if it is not rendered. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-skill-search]')
  field?.focus()
  field?.select()
  return field !== null
}
