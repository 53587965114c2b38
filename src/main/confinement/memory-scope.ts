import type { RunProbe } from './probe-confinement.ts'

/** Variables that lead `systemd-run` to the service manager of the user; the command itself must not have them. */
const FOR_SYSTEMD = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'] as const

/** The arguments of `systemd-run` that run a program in this process, in a scope with a limit on memory. */
const scopeArguments = (memoryBytes: number): string[] =>
  ['--user --scope --quiet --collect', `-p MemoryMax=${memoryBytes} -p MemorySwapMax=0 --`].flatMap(words =>
    words.split(' '),
  )

const TRIAL_BYTES = 64 * 2 ** 20
/** The trial reads back the limit of its own control group. */
const TRIAL = `test "$(cat "/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)/memory.max")" = ${TRIAL_BYTES} && exit 7`

/** Whether `systemd-run` limits the memory of a program here. It needs a running service manager of the user. */
export async function probeScope(program: string | undefined, run: RunProbe): Promise<boolean> {
  if (program === undefined) return false
  const { code } = await run(program, [...scopeArguments(TRIAL_BYTES), '/bin/sh', '-c', TRIAL])
  return code === 7
}

type Start = { program: string; args: readonly string[]; env: NodeJS.ProcessEnv }

/** The same start of bubblewrap, in a scope that the kernel ends when it uses more memory. */
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
