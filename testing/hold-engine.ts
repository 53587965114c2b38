import childProcess, { type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

// Loaded into a host before everything else (`node --import`). While there is a file `hold-engines` in its home, an engine
// that is started stands still once it has said that it is there, so that a load takes as long as a test wants on any machine.
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
