import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import type { RunProbe } from './probe-confinement.ts'

/** The resources that one confined command may use, including everything that it starts. */
export type CommandLimits = { memoryBytes: number; processes: number }

/** The resources that a command is using right now. */
export type CommandUse = CommandLimits

/**
 * Limits of memory and processes for one command. Half of the memory keeps the computer usable, and is enough
 * for builds on a computer that also runs Talaria. 256 processes are enough for a build and stop a fork bomb
 * early.
 */
export const LIMITS: CommandLimits = { memoryBytes: Math.round(availableMemory() / 2), processes: 256 }

/** The memory of this computer, or of the container around this process, in bytes. */
function availableMemory(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/** Time between two checks of a running command, in ms. A check reads three small files per process. */
const INTERVAL_MS = 500

/** Whether the child processes of a command can be found, which needs Linux and a usual kernel. */
const canWatch = (): boolean => existsSync(`/proc/self/task/${process.pid}/children`)

/**
 * Watch a running command, and call `exceeded` once with a text for the user if it exceeds a limit. Returns a
 * function that stops watching.
 */
export function watchLimits(
  pid: number,
  limits: CommandLimits,
  exceeded: (why: string) => void,
  measure: (pid: number) => CommandUse = measureUse,
): () => void {
  const timer = setInterval(() => {
    const why = explainExcess(measure(pid), limits)
    if (why === undefined) return
    clearInterval(timer)
    exceeded(why)
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Say which limit a command exceeds, for the user; undefined if none. */
function explainExcess(use: CommandUse, limits: CommandLimits): string | undefined {
  if (use.memoryBytes > limits.memoryBytes)
    return `it used more than ${inGigabytes(limits.memoryBytes)} of memory`
  if (use.processes > limits.processes) return `it started more than ${limits.processes} processes`
  return undefined
}

/** Describe the limits of commands for the user. Without watching, memory is not limited. */
export function describeLimits(limitsProcesses: boolean, watches = canWatch()): string {
  const memory = watches ? inGigabytes(LIMITS.memoryBytes) : ''
  const processes = watches || limitsProcesses ? `${LIMITS.processes} processes` : ''
  const may = [memory, processes].filter(part => part !== '').join(' of memory and ')
  return [
    may === '' ? '' : `Each may use ${may}.`,
    memory === '' ? 'Memory is not limited.' : '',
    processes === '' ? 'The number of processes is not limited.' : '',
  ]
    .filter(part => part !== '')
    .join(' ')
}

/** Format an amount of memory, such as `1.5 GB`. */
export const inGigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`

/**
 * Measure the memory of a process and its descendants. Mapped files do not count, because the system drops
 * them when memory is short; shared memory counts for each process.
 */
function measureUse(pid: number): CommandUse {
  const use: CommandUse = { memoryBytes: 0, processes: 0 }
  const waiting = [pid]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const status = readIfRunning(`/proc/${next}/status`)
    if (status === '') continue
    use.processes++
    for (const [, kilobytes] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm))
      use.memoryBytes += Number(kilobytes) * 1_024
    waiting.push(...childrenOf(next))
  }
  return use
}

/** List the child processes. Each thread has its own list; see proc(5), “/proc/pid/task/tid/children”. */
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap(thread =>
      readIfRunning(`/proc/${pid}/task/${thread}/children`)
        .split(' ')
        .flatMap(text => (text === '' ? [] : [Number(text)])),
    )
  } catch {
    // The process has ended.
    return []
  }
}

function readIfRunning(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Variables that `systemd-run` needs to reach the user's service manager; the command must not have them. */
const FOR_SYSTEMD = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'] as const

/** The arguments of `systemd-run` for running a program in this process, in a scope with a memory limit. */
const scopeArguments = (memoryBytes: number): string[] =>
  ['--user --scope --quiet --collect', `-p MemoryMax=${memoryBytes} -p MemorySwapMax=0 --`].flatMap(words =>
    words.split(' '),
  )

const TRIAL_BYTES = 64 * 2 ** 20
/** Tests whether the limit of the control group is in effect. */
const TRIAL = `test "$(cat "/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)/memory.max")" = ${TRIAL_BYTES} && exit 7`

/** Whether `systemd-run` can limit memory here. It needs a running service manager of the user. */
export async function probeScope(program: string | undefined, run: RunProbe): Promise<boolean> {
  if (program === undefined) return false
  const { code } = await run(program, [...scopeArguments(TRIAL_BYTES), '/bin/sh', '-c', TRIAL])
  return code === 7
}

type Start = { program: string; args: readonly string[]; env: NodeJS.ProcessEnv }

/** Wrap a start of bubblewrap in a scope, in which the kernel kills it if it exceeds the memory limit. */
export function startInScope(
  systemdRun: string,
  memoryBytes: number,
  { program, args, env }: Start,
  own: NodeJS.ProcessEnv = process.env,
): Start {
  const added = FOR_SYSTEMD.flatMap(name => (own[name] === undefined ? [] : [[name, own[name]] as const]))
  return {
    program: systemdRun,
    args: [
      ...scopeArguments(memoryBytes),
      program,
      ...FOR_SYSTEMD.flatMap(name => ['--unsetenv', name]),
      ...args,
    ],
    env: { ...env, ...Object.fromEntries(added) },
  }
}
