import { findToolsByMeaning, type Encode } from '../../src/main/mcp/finding/find-tool.ts'
import { openSmallModels, type SmallModels } from '../../src/main/models/engines/local/small-models.ts'
import { forkEngine } from '../../src/main/models/engines/local/process/start-engine.ts'
import { shareOf, type Figures } from '../records.ts'
import type { Row } from './rows.ts'

/** The place of the right tool among those that were found, from 1; 0 where it is not among them. */
export type Judged = Pick<Row, 'id' | 'part' | 'request' | 'want'> & { rank: number; found: string[] }

/**
 * The sets of the repository by their figures. The tables of words were written, and the meanings of words fitted, with the
 * tuned ones; held-out ones were written afterwards, and nothing was changed for them. Of the daily ones those that were looked
 * at chose how long the fit ran, the fresh ones were only counted, and rare ones are for kinds of servers that are rarer.
 * All these are requests of people; those of `model` are as models word what they look for.
 */
const SETS: Record<string, string> = {
  tuned: 'tuned',
  'held-out': 'heldOut',
  'daily, unseen': 'fresh',
  'daily, after the fit': 'fresh',
  'daily, looked at': 'lookedAt',
  'daily, rare kinds': 'rare',
  model: 'model',
}

/** Which tools `find_tool` puts first, by words alone or with the encoder of the product, in per cent of the rows of each set. */
export async function measureFindTool(
  rows: readonly Row[],
  encode: Encode,
): Promise<{ rows: Judged[]; figures: Figures }> {
  const { signal } = new AbortController()
  const judged: Judged[] = []
  for (const { id, part, tools, request, want } of rows) {
    const found = await findToolsByMeaning(tools, request, { encode, signal })
    const rank = found.findIndex(({ server, name }) => server === want.server && name === want.name) + 1
    judged.push({
      id,
      part,
      rank,
      found: found.map(({ server, name }) => `${server}/${name}`),
      want,
      request,
    })
  }
  const bySet = Map.groupBy(judged, ({ part }) => SETS[part] ?? part)
  const shares = [...bySet].flatMap(([set, those]) => [
    [`${set}First`, shareWithin(1, those)] as const,
    [`${set}FirstThree`, shareWithin(3, those)] as const,
  ])
  return { rows: judged, figures: { rows: judged.length, ...Object.fromEntries(shares) } }
}

const shareWithin = (most: number, rows: readonly Judged[]) =>
  shareOf(rows.filter(({ rank }) => rank > 0 && rank <= most).length, rows.length)

/** As the product searches until its encoder has read the tools: by words alone. */
export const encodeNothing: Encode = () => Promise.resolve(undefined)

/**
 * The encoder of the product. It may take as long as it needs: the shares are those of a chat whose tools it has read, on any
 * computer. `report` must end the measuring, since without the encoder the figures would be those of words.
 */
export const openEncoder = (report: (error: unknown) => void): SmallModels =>
  openSmallModels({
    spawn: forkEngine,
    report,
    waitMs: 3_600_000,
  })
