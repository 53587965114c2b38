import type { ChildProcess } from 'node:child_process'
import { cleanEnvironment } from '../confinement/command-environment.ts'
import { startChild } from '../lib/processes/start-child.ts'
import { MARK } from './end-family.ts'

/**
 * Reads lines with the running process groups until the pipe ends, because the host is gone. Then sends
 * SIGTERM to what is left, and SIGKILL a second later. `$1` is the mark of all these processes; only Linux
 * shows it.
 */
const SCRIPT = `
groups=
while read -r line; do groups=$line; done
marked() { grep -lsF -e "$1" /proc/[0-9]*/environ; }
end() {
  for group in $groups; do kill -s "$2" -- "-$group"; done
  for file in $(marked "$1"); do file=\${file#/proc/}; kill -s "$2" "\${file%/environ}"; done
}
end "$1" TERM
sleep 1
rounds=0
while [ "$rounds" -lt 20 ]; do
  end "$1" KILL
  [ -z "$(marked "$1")" ] && break
  rounds=$((rounds + 1))
  sleep 0.1
done
`

/** A small process that briefly outlives the host, to end its background processes. */
export type Watchdog = {
  /** Set the running groups. Starts the process the first time, and again if it was ended. */
  setGroups(leaders: readonly number[]): void
  /** Call this after the last process has ended. */
  close(): void
}

/** Create the watchdog of a host. Marks of its processes begin with `host` and a dot. */
export function createWatchdog(host: string): Watchdog {
  let child: ChildProcess | undefined
  let isClosed = false

  function start(): ChildProcess {
    const started = startChild('/bin/sh', ['-c', SCRIPT, 'sh', `${MARK}=${host}.`], {
      cwd: '/',
      env: cleanEnvironment(),
      stdio: ['pipe', 'ignore', 'ignore'],
      // A signal to the group of the host, such as Ctrl-C, must not end the watchdog.
      detached: true,
    })
    const forget = () => {
      if (child === started) child = undefined
    }
    // Without a shell there is no watchdog.
    started.on('error', forget)
    started.on('exit', forget)
    started.unref()
    return started
  }

  return {
    setGroups(leaders) {
      if (process.platform === 'win32' || isClosed) return
      child ??= start()
      child.stdin?.write(`${leaders.join(' ')}\n`)
    },
    close() {
      isClosed = true
      // With no groups to end, the watchdog just exits.
      child?.stdin?.end('\n')
    },
  }
}
