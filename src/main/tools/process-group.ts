import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cleanEnvironment } from './clean-environment.ts'

/** Time between SIGTERM and SIGKILL, in ms. */
const PATIENCE_MS = 1_000

/** Start a shell command as the leader of a new process group, without input. */
export function startCommand(command: string, folder: string): ChildProcess {
  const shared = {
    cwd: folder,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  } satisfies Parameters<typeof spawn>[2]
  if (process.platform === 'win32') {
    const shell = process.env['ComSpec'] ?? 'cmd.exe'
    return spawn(shell, ['/d', '/s', '/c', `"${command}"`], { ...shared, windowsVerbatimArguments: true })
  }
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  return spawn(shell, ['-c', command], { ...shared, detached: true })
}

/** End a process group: SIGTERM, then SIGKILL a second later. Returns at once. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    const killer = spawn('taskkill', ['/pid', String(pid), '/t', '/f'], {
      stdio: 'ignore',
      windowsHide: true,
    })
    // Fallback when taskkill is missing.
    killer.on('error', () => process.kill(pid))
    return
  }
  if (signalGroup(pid, 'SIGTERM')) setTimeout(() => signalGroup(pid, 'SIGKILL'), PATIENCE_MS)
}

/** Signal the group. Returns whether it still had processes. */
function signalGroup(leader: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, name)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // EPERM: the remaining processes belong to another user, for instance after sudo.
    if (code === 'ESRCH' || code === 'EPERM') return false
    throw error
  }
}
