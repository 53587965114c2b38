import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { startChild } from '../lib/processes/start-child.ts'
import { tidyUp } from '../lib/processes/tidy-up.ts'

/** Time between SIGTERM and SIGKILL, and after which what cannot be ended is given up, in ms. */
const PATIENCE_MS = 1_500
const GIVE_UP_MS = 3_000
const POLL_MS = 25

type Ending = Family & {
  /** The confining program: ending it ends all inside at once, so it gets no SIGTERM. */
  spareLeader: boolean
}

/**
 * End a family of processes: SIGTERM, then SIGKILL. Resolves to the number of those that could not be ended. A child that
 * begins after SIGTERM is left alone until SIGKILL: it may be what a process starts to clean up behind itself.
 */
export async function endFamily({ spareLeader, ...family }: Ending): Promise<number> {
  if (process.platform === 'win32') return endTree(family.leader)
  let isAsked = false
  const startedAt = performance.now()
  for (;;) {
    const left = findProcesses(family)
    const waited = performance.now() - startedAt
    if (left.length === 0 || waited > GIVE_UP_MS) return left.length
    const isPatient = waited < PATIENCE_MS && left.some(pid => !isSpared(pid))
    for (const pid of left) {
      if (!isPatient) signalProcess(pid, 'SIGKILL')
      else if (!isAsked && !isSpared(pid)) signalProcess(pid, 'SIGTERM')
    }
    isAsked = true
    await sleep(POLL_MS)
  }

  function isSpared(pid: number) {
    return spareLeader && pid === family.leader
  }
}

/** Windows ends children by their parents; what left the tree stays. */
async function endTree(leader: number): Promise<number> {
  const killer = startChild('taskkill', ['/pid', String(leader), '/t', '/f'], {
    stdio: 'ignore',
    windowsHide: true,
  })
  try {
    await once(killer, 'exit')
  } catch {
    // Without taskkill only the process itself can be ended.
    signalProcess(leader, 'SIGKILL')
  }
  return 0
}

/** The variable that marks what a background process started, with `<host>.<process>` as its value. */
export const MARK = 'TALARIA_BACKGROUND'

/** What to look for: everything that began with `leader`, the first process of its group. */
type Family = { leader: number; mark: string }

/**
 * The ids of all running processes of a family, on Linux: its group, what carries its mark, and the children of those. What
 * left the group and also cleared its environment is not found once its parent has ended. Elsewhere only the group counts,
 * as the leader’s id with a minus.
 * @internal Tests look for what is left of a family with it.
 */
export function findProcesses({ leader, mark }: Family): number[] {
  if (process.platform !== 'linux') return isGroupAlive(leader) ? [-leader] : []
  const names = tidyUp('look for processes', () => readdirSync('/proc'))
  // For a moment there may be no descriptor left to look with.
  if (!names) return isGroupAlive(leader) ? [-leader] : []
  const entries = names.filter(name => /^\d+$/.test(name)).flatMap(name => readEntry(Number(name)) ?? [])
  const found = new Set(
    entries.filter(({ pid, group }) => group === leader || isMarked(pid, mark)).map(({ pid }) => pid),
  )
  // Children may come before their parents in the list.
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const { pid, parent } of entries) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

type Entry = { pid: number; parent: number; group: number }

/** From /proc/<pid>/stat, see proc(5); undefined for one that has ended. */
function readEntry(pid: number): Entry | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`)
  // The name of the program is in brackets and may contain anything.
  const [state, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return undefined
  return { pid, parent: Number(parent), group: Number(group) }
}

const isMarked = (pid: number, mark: string) =>
  readOrNothing(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${mark}`)

/** Processes end at any time, and those of others cannot be read. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

const isGroupAlive = (leader: number) => signalProcess(-leader, 0) !== 'gone'

/** Signal a process, or a group if the number is negative. `refused`: it belongs to another user. */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): 'sent' | 'gone' | 'refused' {
  try {
    process.kill(pid, signal)
    return 'sent'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'refused' : 'gone'
  }
}
