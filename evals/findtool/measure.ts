import { findToolsByMeaning, type Encode } from '../../src/main/mcp/finding/find-tool.ts'
import { openSmallModels, type SmallModels } from '../../src/main/models/engines/local/small-models.ts'
import { forkEngine } from '../../src/main/models/engines/local/process/start-engine.ts'
import { shareOf, type Figures } from '../records.ts'
import type { Row } from './rows.ts'

/** A request with the place of the right tool among the found ones, from 1; 0 if it is not among them. */
export type Judged = Pick<Row, 'id' | 'part' | 'request' | 'want'> & { rank: number; found: string[] }

/**
 * The sets of the repository by their figures. The tables of words were written, and the meanings of words
 * fitted, with the tuned set. The held-out set was written later, and nothing was changed for it. Of the
 * daily sets, the one that was looked at decided how long the fit ran, the fresh one was only counted, and
 * the rare one is about rarer kinds of servers. All these are requests of people; the requests of `model` are
 * worded as models word them.
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

/**
 * How often `find_tool` puts the right tool first, by words alone or with the product's encoder, in per cent
 * of each set's rows.
 */
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

/** Search by words alone, as the product does until its encoder has read the tools. */
export const encodeNothing: Encode = () => Promise.resolve(undefined)

/**
 * The encoder of the product. It may take as long as it needs, because the shares are for a chat whose tools
 * it has read, on any computer. `report` must end the measurement, because without the encoder the figures
 * would be those of words alone.
 */
export const openEncoder = (report: (error: unknown) => void): SmallModels =>
  openSmallModels({
    spawn: forkEngine,
    report,
    waitMs: 3_600_000,
  })
