import type { Unit } from '../rule.ts'
import { votesOf } from '../votes.ts'
import type { Line } from './read-units.ts'

const ASSIGNED =
  /(?:^|[;&({ ])([a-z_]\w{0,30}) ?= ?(?:"([^"$]{1,120})"|'([^']{1,120})'|([^\s"'$;|&()]{1,120}))/g
const USED = /\$\{?([a-z_]\w{0,30})\}?/g
const ADDED = /\b([a-z_]\w{0,30})((?: ?\+ ?[a-z_]\w{0,30}){1,8})\b/g

/** Commands of each code block, with variables that the block sets to plain words expanded. */
export function unshell(lines: readonly Line[]): Unit[] {
  const units: Unit[] = []
  let values = new Map<string, string>()
  let group = -1
  for (const line of lines) {
    if (line.kind !== 'code') continue
    if (line.group !== group) {
      values = new Map()
      group = line.group
    }
    const text = line.text.slice(0, 2_000)
    for (const [, name, double, single, bare] of text.matchAll(ASSIGNED))
      if (values.size < 100) values.set(name!, double ?? single ?? bare!)
    if (values.size === 0) continue
    const valueOf = (name: string, otherwise: string) => values.get(name) ?? otherwise
    const filled = text
      .replace(USED, (whole, name: string) => valueOf(name, whole))
      .replace(ADDED, (whole: string) =>
        whole
          .split('+')
          .map(name => values.get(name.trim()))
          .every(value => value !== undefined)
          ? `'${whole
              .split('+')
              .map(name => values.get(name.trim()))
              .join('')}'`
          : whole,
      )
    if (filled !== text)
      units.push({
        kind: 'code',
        text: filled.slice(0, 4_000),
        starts: [0],
        numbers: [line.number],
        hidden: 'in parts that are put together',
        votes: votesOf(filled),
        badExample: false,
        lead: '',
      })
  }
  return units
}
