import type { Figures } from '../records.ts'
import type { Case } from './case.ts'
import { runCase } from './run-case.ts'

/** The number of cases that run at once. They mostly wait for files and commands. */
const TOGETHER = 8

/** Whether the facts of one case were named rightly. */
export type Judged = { id: string; right: boolean; wrong?: string[] }

/** Run all cases. `right` counts those with every fact as labelled. */
export async function measureDelegate(cases: readonly Case[]): Promise<{ rows: Judged[]; figures: Figures }> {
  const rows: Judged[] = []
  for (let at = 0; at < cases.length; at += TOGETHER) {
    const judged = cases.slice(at, at + TOGETHER).map(async (each): Promise<Judged> => {
      const wrong = await runCase(each)
      return { id: each.id, right: wrong.length === 0, ...(wrong.length > 0 && { wrong }) }
    })
    rows.push(...(await Promise.all(judged)))
  }
  const wanted = cases.flatMap(({ facts }) => facts.map(each => Object.keys(each).length))
  return {
    rows,
    figures: {
      cases: rows.length,
      right: rows.filter(({ right }) => right).length,
      facts: wanted.reduce((sum, each) => sum + each, 0),
      wrong: rows.reduce((sum, { wrong = [] }) => sum + wrong.length, 0),
    },
  }
}
