import childProcess, { type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

// Preloaded into a host with `node --import`. While its home contains a file `hold-engines`, a new engine
// process is suspended after its first message, so that a test decides how long loading takes.
const home = process.argv[process.argv.indexOf('--home') + 1] ?? ''
const fork = childProcess.fork as (...given: unknown[]) => ChildProcess
Object.assign(childProcess, {
  fork(...given: unknown[]) {
    const child = fork(...given)
    if (existsSync(join(home, 'hold-engines'))) child.once('message', () => child.kill('SIGSTOP'))
    return child
  },
})
syncBuiltinESMExports()
