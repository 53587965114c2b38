import { join } from 'node:path'
import { z } from 'zod'
import { LONGEST_TEXT, openKeptList } from './kept-list.ts'

const KEPT = 100

/**
 * The servers to which the person lets pictures go that another model cannot see. They are asked again where the list is lost.
 */
export function openAgreedServers(home: string, report: (error: unknown) => void) {
  const path = join(home, 'cache', 'servers-for-pictures.json')
  const item = z.object({ place: z.string().max(LONGEST_TEXT) })
  const list = openKeptList({ path, name: 'servers', item, most: KEPT, report })
  return {
    has: (place: string): boolean => list.current().some(each => each.place === place),
    add(place: string): void {
      list.replace([{ place }, ...list.current().filter(each => each.place !== place)])
    },
  }
}
