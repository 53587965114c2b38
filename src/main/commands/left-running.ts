import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'

/** The processes that a command had started and that were still running when it ended. */
export type Left = { names: readonly string[]; count: number; isEnded: boolean }

/** The variable that marks the processes of a command. */
export const RUN_MARK = 'TALARIA_COMMAND'

/** Maximum number of programs to name; there may be hundreds of processes. */
const MOST_NAMES = 5
/** Names that are safe to show; a stranger may have chosen the name. */
const PLAIN_NAME = /^[\w.+-]{1,20}$/

/**
 * Runs the shell given as arguments, then reports on descriptor 4 what else is running in the namespace,
 * which ends with this script. Programs that end within a moment, such as the `tee` of a redirection, are
 * waited for. The command itself cannot write to that descriptor. Uses shell builtins, because a program
 * would count as well. The subshell keeps the shell from printing the signal that ended the command.
 */
const WATCH = `
exec 9>&2 2>/dev/null
( exec "$@" 2>&9 4>&- 9>&- )
code=$?
exec 9>&- >&-
find_left() {
  left=
  for entry in /proc/[0-9]*; do
    pid=$entry
    pid=\${pid#/proc/}
    [ "$pid" = 1 ] || [ "$pid" = $$ ] && continue
    read -r line <$entry/stat || continue
    state=\${line##*) }
    case $state in Z*|X*) continue;; esac
    name=\${line#*(}
    left="$left \${name%)*}
"
  done
  [ -n "$left" ]
}
for pause in 0.02 0.05 0.1 0.1; do
  find_left || exit $code
  sleep $pause
done
find_left && printf '%s' "$left" >&4
exit $code
`

/** Wrap a shell so that it reports what is left running. Only on Linux, which has `/proc`. */
export const watchingLeft = (shell: readonly string[]): readonly string[] =>
  process.platform === 'linux' ? ['/bin/sh', '-c', WATCH, 'sh', ...shell] : shell

/** Follow the report of a confined command, if it has one. Call the result once the command has ended. */
export function leftByWatch({ stdio }: ChildProcess): (() => Left | undefined) | undefined {
  const report = stdio[4] as Readable | null | undefined
  if (process.platform !== 'linux' || !report) return undefined
  let text = ''
  report.on('data', (bytes: Buffer) => (text = (text + bytes.toString('latin1')).slice(0, 8_000)))
  return () => {
    const names = text.split('\n').filter(line => line !== '')
    return leftOf(
      names.map(name => ({ name: name.trim() })),
      true,
    )
  }
}

/** Find what an unconfined command left running: by mark or group on Linux, else by group. Not on Windows. */
export function findLeft(leader: number | undefined, mark: string): Left | undefined {
  if (leader === undefined || process.platform === 'win32') return undefined
  if (process.platform !== 'linux')
    return isGroupAlive(leader) ? { names: [], count: 1, isEnded: false } : undefined
  const wanted = `${RUN_MARK}=${mark}`
  const found = readdirSync('/proc').flatMap(id => {
    if (!/^\d+$/.test(id) || Number(id) === leader) return []
    const stat = readOrNothing(`/proc/${id}/stat`)
    // The name of the program is in brackets and may contain anything.
    const [state = 'X', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X' || state === '') return []
    if (Number(group) !== leader && !readOrNothing(`/proc/${id}/environ`).split('\0').includes(wanted))
      return []
    return [{ name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), id }]
  })
  return leftOf(found, false)
}

function leftOf(found: readonly { name: string; id?: string }[], isEnded: boolean): Left | undefined {
  if (found.length === 0) return undefined
  const names = found
    .filter(({ name }) => PLAIN_NAME.test(name))
    .map(({ name, id }) => (id === undefined ? name : `${name} (process ${id})`))
  return { names: [...new Set(names)].slice(0, MOST_NAMES), count: found.length, isEnded }
}

/** Read a file of /proc; empty if the process has ended or belongs to another user. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function isGroupAlive(leader: number): boolean {
  try {
    return process.kill(-leader, 0)
  } catch {
    return false
  }
}
