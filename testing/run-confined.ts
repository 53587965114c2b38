import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isRefusal } from '../src/main/lib/expected-errors.ts'
import type { Confiner } from '../src/main/confinement/open-confinement.ts'
import type { Confinement } from '../src/main/confinement/profile.ts'
import { followStart } from '../src/main/tools/run-command.ts'

export const LOOK: Confinement = { profile: 'look' }
export const WORK: Confinement = { profile: 'work', network: false, gitConfig: false }

/** Run a command confined to its end. `exceeded`: the limit that it went beyond, if it was ended for that. */
export async function runConfined(
  confiner: Confiner,
  command: string,
  confinement: Confinement,
  where: { folder: string; cwd?: string },
  isAgain = false,
): Promise<{ code: number | null; output: string; exceeded: string; changedGit: string[] }> {
  const start = await confiner.prepare(['/bin/bash', '-c', command], confinement, {
    cwd: where.folder,
    sessionId: 's1',
    ...where,
  })
  if (isRefusal(start)) throw new Error(start.refused)
  const child = spawn(start.program, start.args, {
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
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const hasStarted = followStart(child, start)
  const [code] = (await once(child, 'close')) as [number | null]
  endWatch()
  // The socket of a program beside the tests may have vanished, as for the terminal.
  if (code !== null && !hasStarted() && !isAgain)
    return runConfined(confiner, command, confinement, where, true)
  return { code, output, exceeded, changedGit: start.changedGit() }
}
