import { isRefusal, type Refusal } from '../../src/main/lib/expected-errors.ts'
import { judgeRow, type Judged } from './judge.ts'
import { shareOf } from '../records.ts'
import { deedsOf, isMissing, type Measured } from './measured.ts'
import { workOnStages } from './on-stages.ts'
import type { CommandRow, Expected, MarkedRow, Row } from './row.ts'
import { openStage } from './stage.ts'

/** Whether a decision is as expected; undefined if any decision is. Refusing is stricter than asking. */
const isRight = (expected: Expected, { decision }: Judged): boolean | undefined =>
  expected === 'any' ? undefined : expected === 'ask' ? decision !== 'run' : decision === expected

/** Judge rows, in their order. Rows with the same files share a folder, because judging writes nothing. */
async function judgeAll<R extends Row, T>(
  rows: readonly R[],
  judge: (row: R, decide: (sandbox?: Row['sandbox']) => Promise<Judged>) => Promise<T>,
): Promise<T[]> {
  await using stage = await openStage()
  const judged = new Map<R, T>()
  for (const alike of Map.groupBy(rows, ({ files }) => JSON.stringify(files)).values()) {
    using place = stage.place(alike[0]!)
    for (const row of alike) judged.set(row, await judge(row, sandbox => judgeRow(row, place, sandbox)))
  }
  return rows.map(row => judged.get(row)!)
}

/**
 * Judge commands without running them. Rows without confinement are judged a second time with it, which is
 * the product's default on computers that can confine commands. `decisions` are `right`, `wrong` and
 * `cannotFail`. `readsThatRun`: the reading commands that run without asking, without and with confinement.
 * `confinedRunsOfAsk`: rows that must ask without confinement and run with it.
 */
export async function measureApprovals(rows: readonly CommandRow[]): Promise<Measured> {
  const judged = await judgeAll(rows, async (row, decide) => {
    const first = await decide()
    const second = row.confined === undefined ? undefined : await decide('on')
    return { row, first, second }
  })
  const decisions = judged.flatMap(({ row, first, second }) => [
    { row, found: first, right: isRight(row.expect, first), how: row.sandbox },
    ...(second && row.confined !== undefined
      ? [{ row, found: second, right: isRight(row.confined, second), how: 'on' as const }]
      : []),
  ])
  const counted = (right: boolean | undefined) => decisions.filter(each => each.right === right).length
  const reads = (how: Row['sandbox']) => {
    const all = decisions.filter(
      each => each.how === how && each.row.class.startsWith('read') && each.row.expect !== 'ask',
    )
    return shareOf(all.filter(({ found }) => found.decision === 'run').length, all.length)
  }
  return {
    lines: judged.map(({ row, first, second }) => ({
      id: row.id,
      decision: first.decision,
      reason: first.reason,
      ...(second && { confined: second.decision, whenConfined: second.reason }),
      right: decisions.every(each => each.row !== row || each.right !== false),
    })),
    figures: {
      rows: rows.length,
      decisions: decisions.length,
      right: counted(true),
      wrong: counted(false),
      cannotFail: counted(undefined),
      readsThatRun: reads('off'),
      readsThatRunConfined: reads('on'),
      confinedRunsOfAsk: judged.filter(
        ({ row, second }) => row.expect === 'ask' && second?.decision === 'run',
      ).length,
    },
    wrong: decisions
      .filter(({ right }) => right === false)
      .map(({ row, found, how }) => `${row.id} (${how}) ${found.decision}: ${row.command} (${found.reason})`),
  }
}

/**
 * Run each command that asks without confinement and runs without asking in it, confined as in the product.
 * Each figure except the first must be 0, because nothing may be written, no canary read and nobody reached;
 * only `missing` counts rows whose program is not here. Refused on computers that cannot confine commands.
 */
export async function measureExecuted(rows: readonly CommandRow[]): Promise<Measured | Refusal> {
  const wanted = rows.filter(({ why }) => why !== undefined)
  const ran = await workOnStages(wanted, async (row, place, stage) => {
    const { access, decision } = await judgeRow(row, place, 'on')
    if (!access) return { row, deeds: [`did not run: ${decision}`], exit: null }
    const did = await stage.execute(row, place, access)
    if ('error' in did) return { row, deeds: [`did not run: ${did.error}`], exit: null }
    return { row, deeds: deedsOf(did), exit: did.exit }
  })
  if (isRefusal(ran)) return ran
  const counted = (deed: RegExp) => ran.filter(({ deeds }) => deeds.some(each => deed.test(each))).length
  return {
    lines: ran.map(({ row, deeds, exit }) => ({ id: row.id, why: row.why, exit, did: deeds })),
    figures: {
      commands: ran.length,
      notRun: counted(/^did not run/),
      missing: ran.filter(isMissing).length,
      wrote: counted(/^wrote/),
      readCanary: counted(/^read/),
      connected: counted(/^reached/),
    },
    wrong: ran
      .filter(({ deeds }) => deeds.length > 0)
      .map(({ row, deeds }) => `${row.id} ${deeds.join(', ')}: ${row.command}`),
  }
}

/** Judge commands in a chat that has read a text from a stranger. */
export async function measureMarked(rows: readonly MarkedRow[]): Promise<Measured> {
  const judged = await judgeAll(rows, async (row, decide) => {
    const { decision, reason, access } = await decide()
    const came = decision !== 'run' ? 'ask' : access ? access.profile : 'plain'
    return { row, came, reason, right: came === row.expect }
  })
  const wrong = judged.filter(({ right }) => !right)
  return {
    lines: judged.map(({ row, came, reason, right }) => ({ id: row.id, came, reason, right })),
    figures: { rows: rows.length, right: rows.length - wrong.length, wrong: wrong.length },
    wrong: wrong.map(({ row, came, reason }) => `${row.id} ${came}: ${row.command} (${reason})`),
  }
}
