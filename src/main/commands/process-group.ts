import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { ConfinedStart } from '../confinement/open-confinement.ts'
import { cleanEnvironment } from '../confinement/command-environment.ts'
import { startChild } from '../lib/processes/start-child.ts'
import { tidyUp } from '../lib/processes/tidy-up.ts'

/** Time between SIGTERM and SIGKILL, in ms. */
const PATIENCE_MS = 1_000

/**
 * The shell for commands, with the arguments before the command; Windows differs. `--norc`: bash reads
 * `~/.bashrc` if its input is a socket, as Node's pipes are ("Invoked by remote shell daemon" in its manual).
 */
export const shellFor = (command: string): readonly string[] => [
  ...(existsSync('/bin/bash') ? ['/bin/bash', '--norc'] : ['/bin/sh']),
  '-c',
  command,
]

/**
 * Start a shell command as the leader of a new process group. If confined, it reports its start on descriptor
 * 3, and with `reports` what it left running on descriptor 4. `env` is added to its environment. Its input is
 * empty, or an open pipe.
 */
export function startCommand(
  command: string,
  folder: string,
  confined?: ConfinedStart,
  {
    env = {},
    stdin = 'ignore',
    reports = false,
  }: { env?: NodeJS.ProcessEnv; stdin?: 'ignore' | 'pipe'; reports?: boolean } = {},
): ChildProcess {
  if (confined) {
    const { program, args } = confined
    return startChild(program, args, {
      cwd: folder,
      env: { ...confined.env, ...env },
      stdio: [stdin, 'pipe', 'pipe', 'pipe', ...(reports ? (['pipe'] as const) : [])],
      detached: true,
    })
  }
  const shared = {
    cwd: folder,
    env: { ...cleanEnvironment(), ...env },
    stdio: [stdin, 'pipe', 'pipe'],
    windowsHide: true,
  } satisfies SpawnOptions
  if (process.platform === 'win32') {
    const shell = process.env['ComSpec'] ?? 'cmd.exe'
    return startChild(shell, ['/d', '/s', '/c', `"${command}"`], {
      ...shared,
      windowsVerbatimArguments: true,
    })
  }
  const [shell = '/bin/sh', ...args] = shellFor(command)
  return startChild(shell, args, { ...shared, detached: true })
}

/** End a process group: SIGTERM, then SIGKILL a second later. Returns immediately, and never throws. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    const killer = startChild('taskkill', ['/pid', String(pid), '/t', '/f'], {
      stdio: 'ignore',
      windowsHide: true,
    })
    // Fallback when taskkill is missing.
    killer.on('error', () => tidyUp('end a command', () => process.kill(pid)))
    return
  }
  if (signalGroup(pid, 'SIGTERM')) setTimeout(() => signalGroup(pid, 'SIGKILL'), PATIENCE_MS)
}

/** Signal the group. Returns whether it had any processes. */
function signalGroup(leader: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, name)
  } catch {
    // The group has ended, or its processes belong to another user, for instance after sudo.
    return false
  }
}
