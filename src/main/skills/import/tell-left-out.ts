import type { LeftOut } from './source.ts'
import { visibleName } from './visible-name.ts'

/** Why a link is left out; behind one may lie a skill. */
export const LINK = 'links are not followed'

/** Names that are told for one reason. */
const TOLD = 5

/** Say in words what was left out, one sentence for each reason. */
export function tellLeftOut(leftOut: readonly LeftOut[]): string[] {
  const names = Map.groupBy(leftOut, ({ why }) => why)
  return [...names].map(([why, all]) => {
    const shown = all.slice(0, TOLD).map(({ name }) => `“${visibleName(name)}”`)
    const more = all.length - shown.length
    return `${shown.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}: ${why}.`
  })
}
