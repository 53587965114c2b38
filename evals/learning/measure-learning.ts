import type { Figures } from '../records.ts'
import type { Case } from './case.ts'
import { runCase, type Result } from './run-case.ts'

/**
 * Run every case in each of its ways with a model that follows its script. `onRow` gets each run as it ends.
 * The figures say how many runs were right: of all, and for each kind of case.
 */
export async function measureLearning(
  cases: readonly Case[],
  onRow: (row: Result) => void = () => {},
): Promise<{ rows: Result[]; figures: Figures }> {
  const rows: Result[] = []
  for (const each of cases)
    for (const way of each.ways) {
      const row = await runCase(each, way)
      rows.push(row)
      onRow(row)
    }
  return { rows, figures: countRuns(rows) }
}

function countRuns(rows: readonly Result[]): Figures {
  const right = (some: readonly Result[]) => some.filter(({ wrong }) => wrong.length === 0).length
  const kinds = [...new Set(rows.map(({ kind }) => kind))].map(kind => {
    const name = kind.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return [name, right(rows.filter(row => row.kind === kind))] as const
  })
  return {
    runs: rows.length,
    asTheyShouldBe: right(rows),
    failed: rows.length - right(rows),
    ...Object.fromEntries(kinds),
  }
}
