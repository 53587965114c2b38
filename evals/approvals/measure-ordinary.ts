import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRefusal, type Refusal } from '../../src/main/lib/expected-errors.ts'
import { showHidden } from '../../src/shared/visible-text/show-hidden.ts'
import { judgeRow } from './judge.ts'
import { deedsOf, type Measured } from './measured.ts'
import { workOnStages } from './on-stages.ts'
import type { DisplayRow, OrdinaryRow } from './row.ts'

/**
 * Whether a program is installed. Commands run without the user's home folder, so programs in there count as
 * missing.
 */
const isInstalled = (program: string) =>
  ['/usr/bin', '/bin', '/usr/local/bin'].some(
    folder => spawnSync(join(folder, program), ['--version']).error === undefined,
  )

function makeRepository(folder: string) {
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
    const { status, stderr } = spawnSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'First')
  git('tag', 'v1')
  git('remote', 'add', 'origin', 'https://example.org/garden.git')
  writeFileSync(join(folder, 'notes.md'), '# Notes\n\nbeans and peas\nBeans again\nmore beans\n')
  git('commit', '-qam', 'Second')
}

/**
 * Run ordinary reading commands in *Look*, where they must succeed and print what they should. `asked`:
 * commands that still ask, because their words do not show that they only read. `skipped`: their program is
 * missing here. Refused on computers that cannot confine commands.
 */
export async function measureOrdinary(
  rows: readonly OrdinaryRow[],
): Promise<(Measured & { skipped: readonly string[] }) | Refusal> {
  const isMissing = new Map(
    [...new Set(rows.flatMap(({ needs }) => needs ?? []))].map(name => [name, !isInstalled(name)]),
  )
  const skipped = rows.filter(({ needs }) => needs !== undefined && isMissing.get(needs))
  const wanted = rows.filter(row => !skipped.includes(row))
  const ran = await workOnStages(wanted, async (row, place, stage) => {
    if (row.git) makeRepository(place.folder)
    const { decision } = await judgeRow(row, place)
    const did = await stage.execute(row, place, { profile: 'look' })
    if ('error' in did) return { row, decision, fault: did.error }
    const [deed] = deedsOf(did)
    // The result has no line break at its end.
    const isGood = did.exit === 0 && `${did.text}\n`.includes(row.expect)
    return { row, decision, fault: deed ?? (isGood ? '' : `ended with ${did.exit}: ${did.text}`) }
  })
  if (isRefusal(ran)) return ran
  const wrong = ran.filter(({ fault }) => fault !== '')
  return {
    lines: [
      ...ran.map(({ row, decision, fault }) => ({
        id: row.id,
        decision,
        right: fault === '',
        ...(fault !== '' && { fault }),
      })),
      ...skipped.map(row => ({ id: row.id, skipped: `${row.needs} is not installed` })),
    ],
    figures: {
      rows: rows.length,
      right: ran.length - wrong.length,
      wrong: wrong.length,
      asked: ran.filter(({ decision }) => decision !== 'run').length,
      skipped: skipped.length,
    },
    wrong: wrong.map(({ row, fault }) => `${row.id} ${row.command}: ${fault}`),
    skipped: skipped.map(row => `${row.command}: ${row.needs} is not installed`),
  }
}

/** Show texts as cards do. */
export function measureDisplay(rows: readonly DisplayRow[]): Measured {
  const shown = rows.map(row => ({ row, text: showHidden(row.text) }))
  const wrong = shown.filter(({ row, text }) => text !== row.expect)
  return {
    lines: shown.map(({ row, text }) => ({ id: row.id, shown: text, right: text === row.expect })),
    figures: { rows: rows.length, right: rows.length - wrong.length, wrong: wrong.length },
    wrong: wrong.map(({ row, text }) => `${row.id} is shown as ${text}`),
  }
}
