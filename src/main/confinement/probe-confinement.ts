import { once } from 'node:events'
import { accessSync, constants, statSync } from 'node:fs'
import { release } from 'node:os'
import { delimiter, join } from 'node:path'
import { readIfThere } from '../lib/expected-errors.ts'
import { startChild } from '../lib/processes/start-child.ts'

/** Whether commands can be confined on this computer. If not: why, and what would help. */
export type ConfinementState =
  | { confined: true; by: 'bubblewrap' | 'seatbelt'; program: string; limitsProcesses: boolean }
  | { confined: false; reason: string; remedy: string }

/** Run a program to its end. `code` is undefined if it did not start. */
export type RunProbe = (
  file: string,
  args: readonly string[],
) => Promise<{ code: number | undefined; stderr: string }>

/** The first version with `--disable-userns`. */
const OLDEST = [0, 8] as const
const PROBE_MS = 5_000

/** Facts that the result of the probe depends on; it runs again if they change. */
export function probeKey(program: string | undefined): string {
  const stats = program === undefined ? undefined : statSync(program, { throwIfNoEntry: false })
  return [release(), program, stats?.mtimeMs, stats?.ino, readIfThere(APPARMOR).trim()].join(' ')
}

const APPARMOR = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'

/** The program that confines commands on this system, if it is installed. */
export function confiningProgram(
  platform = process.platform,
  path = process.env['PATH'] ?? '',
): string | undefined {
  if (platform === 'darwin') return findExecutable(['/usr/bin/sandbox-exec'])
  if (platform !== 'linux') return undefined
  return findOnPath('bwrap', path)
}

/** Find where a program is installed. */
export const findOnPath = (name: string, path = process.env['PATH'] ?? ''): string | undefined =>
  findExecutable(path.split(delimiter).map(folder => join(folder, name)))

function findExecutable(candidates: readonly string[]): string | undefined {
  return candidates.find(candidate => {
    try {
      accessSync(candidate, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * Try every profile with a harmless command. `argumentsOf` returns the arguments of the confining program for
 * a profile, up to the command.
 */
export async function probeConfinement(
  program: string | undefined,
  profiles: readonly (readonly string[])[],
  run: RunProbe = runProbe,
  platform = process.platform,
): Promise<ConfinementState> {
  if (platform === 'win32')
    return unconfined('Windows has nothing that Talaria could use to confine commands.', '')
  if (platform === 'linux' && isWsl1())
    return unconfined('WSL 1 has no namespaces.', 'Use WSL 2: wsl --set-version <distribution> 2')
  if (program === undefined)
    return platform === 'linux'
      ? unconfined(
          'bubblewrap is not installed.',
          'Install it: sudo apt install bubblewrap, or sudo dnf install bubblewrap',
        )
      : unconfined('Nothing on this system confines commands.', '')
  let limitsProcesses = false
  for (const [index, args] of profiles.entries()) {
    const { code, stderr } = await run(program, [...args, '/bin/sh', '-c', ...(index === 0 ? LIMITS : WORKS)])
    if (code !== 7 && code !== 8)
      return platform === 'linux' ? explainFailure(program, stderr, run) : explainProbe(stderr, program)
    limitsProcesses ||= code === 8
  }
  return { confined: true, by: platform === 'darwin' ? 'seatbelt' : 'bubblewrap', program, limitsProcesses }
}

const WORKS = ['exit 7']
/**
 * Exits with 8 if `ulimit -u` leaves enough processes and really limits them, which never happens for root;
 * else with 7. `timeout` starts a process and fails at once if it cannot; bash would retry for seconds. All
 * in one run, because starting a program blocks the host for up to 10 ms.
 */
const LIMITS = [
  '[ -x /bin/bash ] || exit 7; exec /bin/bash -c "$0"',
  '(ulimit -u 256 && (exit 0) && (exit 0)) && ! (ulimit -u 1 && exec timeout 5 true) && exit 8; exit 7',
]

async function explainFailure(program: string, stderr: string, run: RunProbe): Promise<ConfinementState> {
  const { stderr: version } = await run('/bin/sh', ['-c', '"$0" --version >&2', program])
  const [major = 0, minor = 0] = (/(?<!\d)(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number)
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
    ? unconfined(`bubblewrap ${major}.${minor} is too old.`, `Install version ${OLDEST.join('.')} or later.`)
    : explainProbe(stderr, program)
}

const unconfined = (reason: string, remedy: string): ConfinementState => ({ confined: false, reason, remedy })

/** Since 24.04, Ubuntu lets a program create user namespaces only with its own AppArmor profile. */
const UBUNTU_REMEDY = [
  'sudo apt install apparmor-profiles',
  'sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/',
  'sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict',
].join(' && ')

function explainProbe(stderr: string, program: string): ConfinementState {
  const said = stderr.trim().split('\n')[0]?.slice(0, 200) ?? ''
  if (readIfThere(APPARMOR).trim() === '1')
    return unconfined(`AppArmor does not let ${program} create namespaces (${said}).`, UBUNTU_REMEDY)
  if (/mount proc/i.test(said))
    return unconfined(
      `This container does not allow a /proc of its own (${said}).`,
      'Start Talaria outside the container.',
    )
  if (/namespace|not permitted/i.test(said))
    return unconfined(
      `This system does not allow namespaces (${said}).`,
      'In a container, allow them (for Docker: --security-opt seccomp=unconfined); otherwise see sysctl kernel.unprivileged_userns_clone.',
    )
  return unconfined(`${program} failed: ${said || 'it said nothing'}.`, '')
}

function isWsl1(): boolean {
  const kernel = readIfThere('/proc/sys/kernel/osrelease')
  return /microsoft/i.test(kernel) && !/wsl2/i.test(kernel)
}

/** Run a program to its end, with a time limit of a few seconds. */
export const runProbe: RunProbe = async (file, args) => {
  // Descriptor 3 takes the status of bubblewrap.
  const child = startChild(file, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], timeout: PROBE_MS })
  if (child.stdio[3] && 'resume' in child.stdio[3]) child.stdio[3].resume()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text.slice(0, 2_000)))
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return { code: code ?? undefined, stderr }
  } catch (error) {
    return { code: undefined, stderr: error instanceof Error ? error.message : '' }
  }
}
