import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openConfinement } from '../src/main/confinement/open-confinement.ts'
import type { Confinement } from '../src/main/confinement/profile.ts'
import { isRefusal } from '../src/main/lib/expected-errors.ts'
import { shellFor } from '../src/main/commands/process-group.ts'
import { runCommand } from '../src/main/commands/run-command.ts'
import { median, round, timed } from './measure.ts'
import type { Measured } from './run-parts.ts'
import { aFolderToConfine } from '../testing/confinement/folder-to-confine.ts'

const ROUNDS = 60
const COMMAND = 'true'

/**
 * How much longer a confined command takes, in milliseconds, with everything that is done for it before and
 * after. The figures are medians of one run in which the three kinds take turns. The folder is a repository
 * with 200 folders.
 */
export async function benchConfinement(): Promise<Measured> {
  const base = aFolderToConfine()
  try {
    return await measureIn(base)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function measureIn(base: string): Promise<Measured> {
  const folder = join(base, 'folder')
  for (let count = 0; count < 200; count++) {
    mkdirSync(join(folder, `part-${count % 20}`, `deep-${count}`), { recursive: true })
    writeFileSync(join(folder, `part-${count % 20}`, `deep-${count}`, 'file.txt'), 'text\n')
  }
  spawnSync('git', ['init', '-q', folder])
  const confiner = openConfinement({ home: join(base, 'home'), readable: () => [] })
  const state = await confiner.state()
  if (!state.confined) return { confinement: `not measured: ${state.reason}` }

  const run = async (confinement?: Confinement) => {
    const where = { folder, cwd: folder, sessionId: 'bench' }
    const confined = confinement && (await confiner.prepare(shellFor(COMMAND), confinement, where))
    if (confined && isRefusal(confined)) throw new Error(confined.refused)
    const guard =
      confinement && confiner.guards.guardFolder([folder], { sessionId: 'bench', access: confinement })
    const end = await runCommand({
      command: COMMAND,
      folder,
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      output: () => undefined,
      ...(confined && { confined }),
    })
    if (end.how !== 'exited' || end.code !== 0) throw new Error(`The command ended: ${end.how}`)
    guard?.end()
    confined?.cleanUp()
  }
  const kinds = {
    bare: undefined,
    look: { profile: 'look' },
    work: { profile: 'work', network: false, obeyed: 'nothing' },
  } as const satisfies Record<string, Confinement | undefined>
  const times: Record<keyof typeof kinds, number[]> = { bare: [], look: [], work: [] }
  for (let round = -2; round < ROUNDS; round++)
    for (const kind of ['bare', 'look', 'work'] as const) {
      const took = await timed(() => run(kinds[kind]))
      if (round >= 0) times[kind].push(took)
    }
  const bare = median(times.bare)
  return {
    command_bare_ms: round(bare),
    command_look_added_ms: round(median(times.look) - bare),
    command_work_added_ms: round(median(times.work) - bare),
  }
}
