import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProcesses, signalProcess, type Family } from './find-processes.ts'

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
  const killer = spawn('taskkill', ['/pid', String(leader), '/t', '/f'], {
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
