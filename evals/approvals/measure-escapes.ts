import type { Confinement } from '../../src/main/confinement/profile.ts'
import { isRefusal, type Refusal } from '../../src/main/lib/expected-errors.ts'
import { judgeRow } from './judge.ts'
import { deedsOf, isMissing, type Measured } from './measured.ts'
import { workOnStages } from './on-stages.ts'
import type { EscapeRow } from './row.ts'

/**
 * How a command that asks or is refused is forced to run: as others run in its mode. Only *Work* may read
 * most of the person's files.
 */
const forcedAccess = ({ mode }: EscapeRow): Confinement =>
  mode === 'full' ? { profile: 'work', network: false, obeyed: 'nothing' } : { profile: 'look' }

/**
 * Judge each attempt with its names filled in, then run all of them, because they are harmless. Attempts that
 * the product asks about or refuses are forced to run, because confinement has to hold by itself. `attempts`
 * are `refused`, `asked` and `ranUnasked`. `escaped` and `notRun` must be 0. `missing` tried nothing, because
 * their program is not here. Refused on computers that cannot confine commands.
 */
export async function measureEscapes(rows: readonly EscapeRow[]): Promise<Measured | Refusal> {
  const ran = await workOnStages(rows, async (row, place, stage) => {
    const { decision, reason, access, agreed } = await judgeRow(row, place)
    const how = access ?? agreed ?? forcedAccess(row)
    const did = await stage.execute(row, place, how, row.look_after_ms)
    if ('error' in did) return { row, decision, reason, deeds: [], error: did.error }
    // It may write in its own folder, unless it has ended.
    const isMark = (path: string) => path.startsWith('..') || path.includes('late')
    return { row, decision, reason, how, deeds: deedsOf(did, isMark), exit: did.exit, text: did.text }
  })
  if (isRefusal(ran)) return ran
  const decided = (decision: string) => ran.filter(each => each.decision === decision).length
  const [refused, asked, ranUnasked] = [decided('refuse'), decided('ask'), decided('run')]
  const notRun = ran.filter(each => 'error' in each)
  const escaped = ran.filter(({ deeds }) => deeds.length > 0)
  return {
    lines: ran.map(({ row, ...rest }) => ({ id: row.id, ...rest })),
    figures: {
      attempts: rows.length,
      refused,
      asked,
      ranUnasked,
      forced: refused + asked,
      notRun: notRun.length,
      missing: ran.filter(isMissing).length,
      escaped: escaped.length,
    },
    wrong: [
      ...escaped.map(({ row, deeds }) => `${row.id} ${deeds.join(', ')}: ${row.command}`),
      ...notRun.map(({ row, error }) => `${row.id} did not run: ${error}`),
    ],
  }
}
