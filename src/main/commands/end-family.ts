import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { startChild } from '../lib/processes/start-child.ts'
import { tidyUp } from '../lib/processes/tidy-up.ts'

/** How long to wait between SIGTERM and SIGKILL, and before giving up, in ms. */
const PATIENCE_MS = 1_500
const GIVE_UP_MS = 3_000
const POLL_MS = 25

type Ending = Family & {
  /** The leader is the confining program. Killing it ends everything inside, so it gets no SIGTERM. */
  spareLeader: boolean
}

/**
 * End a family of processes with SIGTERM, then SIGKILL. Resolves to how many could not be ended. Children
 * that start after SIGTERM may be cleaning up, so they are left alone until SIGKILL.
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

/** Windows ends children through their parents, so processes that left the tree stay. */
async function endTree(leader: number): Promise<number> {
  const killer = startChild('taskkill', ['/pid', String(leader), '/t', '/f'], {
    stdio: 'ignore',
    windowsHide: true,
  })
  try {
    await once(killer, 'exit')
  } catch {
    // Without taskkill, only the leader can be ended.
    signalProcess(leader, 'SIGKILL')
  }
  return 0
}

/** The variable that marks the processes of a background process; its value is `<host>.<process>`. */
export const MARK = 'TALARIA_BACKGROUND'

/** A family of processes: all that descend from `leader`, the first process of its group. */
type Family = { leader: number; mark: string }

/**
 * Find the ids of all running processes of a family, on Linux: its group, processes with its mark, and their
 * children. A process that left the group and cleared its environment is not found once its parent has ended.
 * Elsewhere, only the group counts, as the negative id of the leader.
 * @internal Tests use it to find what is left of a family.
 */
export function findProcesses({ leader, mark }: Family): number[] {
  if (process.platform !== 'linux') return isGroupAlive(leader) ? [-leader] : []
  const names = tidyUp('look for processes', () => readdirSync('/proc'))
  // There may be no free file descriptor for a moment.
  if (!names) return isGroupAlive(leader) ? [-leader] : []
  const entries = names.filter(name => /^\d+$/.test(name)).flatMap(name => readEntry(Number(name)) ?? [])
  const found = new Set(
    entries.filter(({ pid, group }) => group === leader || isMarked(pid, mark)).map(({ pid }) => pid),
  )
  // Children may come before their parents in the list, so repeat until nothing is added.
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const { pid, parent } of entries) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

type Entry = { pid: number; parent: number; group: number }

/** Read /proc/<pid>/stat, see proc(5); undefined if the process has ended. */
function readEntry(pid: number): Entry | undefined {
  const text = readOrNothing(`/proc/${pid}/stat`)
  // The name of the program is in brackets and may contain anything.
  const [state, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return undefined
  return { pid, parent: Number(parent), group: Number(group) }
}

const isMarked = (pid: number, mark: string) =>
  readOrNothing(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${mark}`)

/** Read a file of /proc; empty if the process has ended or belongs to another user. */
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
