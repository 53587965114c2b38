import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { isRefusal, type Refusal } from '../../src/main/lib/expected-errors.ts'
import type { ConfinedStart, Confiner } from '../../src/main/confinement/open-confinement.ts'
import type { ObeyedReport } from '../../src/main/confinement/obeyed/guard/create-guards.ts'
import type { Confinement } from '../../src/main/confinement/profile.ts'
import { followStart } from '../../src/main/commands/run-command.ts'

export const LOOK: Confinement = { profile: 'look' }
export const WORK: Confinement = { profile: 'work', network: false, obeyed: 'nothing' }

/** How a confined program ended. `exceeded`: the limit for which it was stopped, if any. */
export type ConfinedEnd = { code: number | null; output: string; exceeded: string; report?: ObeyedReport }

/** Maximum characters of output to keep: some test programs print endlessly. */
const MAX_OUTPUT = 1_000_000
/** How often to start a program that fails to start, as in the terminal tool. */
const TRIES = 2

/**
 * Run a confined program until it ends or exceeds a limit. Like the terminal tool, prepares and starts again
 * a program that could not start: a socket that was to be hidden may have vanished in between. `watch` gets
 * each process.
 */
export async function runPrepared(
  prepare: () => Promise<(ConfinedStart & { cwd?: string | undefined }) | Refusal>,
  watch?: (child: ChildProcess) => void,
): Promise<ConfinedEnd | Refusal> {
  for (let tries = 1; ; tries++) {
    const start = await prepare()
    if (isRefusal(start)) return start
    const child = spawn(start.program, start.args, {
      cwd: start.cwd,
      env: start.env,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    let exceeded = ''
    const endWatch = start.watch(child.pid!, why => {
      exceeded = why
      child.kill('SIGKILL')
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < MAX_OUTPUT) output += text
      })
    const hasStarted = followStart(child, start)
    watch?.(child)
    const [code] = (await once(child, 'close')) as [number | null]
    endWatch()
    start.cleanUp()
    if (code === null || hasStarted() || tries === TRIES) return { code, output, exceeded }
    start.couldNotStart()
  }
}

/** Run a shell command confined to its end. */
export async function runConfined(
  confiner: Confiner,
  command: string,
  confinement: Confinement,
  where: { folder: string; cwd?: string },
): Promise<ConfinedEnd> {
  const around = { cwd: where.folder, sessionId: 's1', ...where }
  const guard = confiner.guards.guardFolder([where.folder], { sessionId: 's1', access: confinement })
  const ended = await runPrepared(() => confiner.prepare(['/bin/bash', '-c', command], confinement, around))
  if (isRefusal(ended)) throw new Error(ended.refused)
  return { ...ended, report: guard.end() }
}
