import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import {
  describeLimits,
  LIMITS,
  probeScope,
  startInScope,
  watchLimits,
  type CommandUse,
} from './command-limits.ts'

const GB = 2 ** 30

/** Return what the first check of a process reports, or undefined if it keeps within the limits. */
function excessOf(pid: number, limits: CommandUse, measure?: () => CommandUse): string | undefined {
  vi.useFakeTimers()
  let why: string | undefined
  const end = watchLimits(pid, limits, text => (why = text), measure)
  vi.advanceTimersByTime(1_000)
  end()
  vi.useRealTimers()
  return why
}

test('a command is told which limit it went beyond', () => {
  const limits = { memoryBytes: 4 * GB, processes: 256 }
  const judge = (use: CommandUse) => excessOf(1, limits, () => use)
  expect(judge({ memoryBytes: 4 * GB, processes: 256 })).toBe(undefined)
  expect(judge({ memoryBytes: 4 * GB + 1, processes: 2 })).toBe('it used more than 4.0 GB of memory')
  expect(judge({ memoryBytes: GB, processes: 257 })).toBe('it started more than 256 processes')
  expect(LIMITS.memoryBytes).toBeGreaterThan(0)
})

test('what is not limited is said', () => {
  expect(describeLimits(true, true)).toMatch(/^Each may use \d+\.\d GB of memory and 256 processes\.$/)
  expect(describeLimits(true, false)).toBe('Each may use 256 processes. Memory is not limited.')
  expect(describeLimits(false, false)).toBe('Memory is not limited. The number of processes is not limited.')
})

test.skipIf(process.platform !== 'linux')(
  'memory and processes of everything that a command started are counted',
  async () => {
    // A shell that holds 64 MB in a variable, with two children.
    const child = spawn(
      '/bin/sh',
      ['-c', 'text=$(head -c 67108864 /dev/zero | tr "\\0" x); sleep 60 & sleep 60 & echo ready; wait'],
      { detached: true },
    )
    await once(child.stdout, 'data')
    const judge = (limits: CommandUse) => excessOf(child.pid!, limits)
    const gone = once(child, 'close')
    expect(judge({ memoryBytes: GB, processes: 3 })).toBe(undefined)
    expect(judge({ memoryBytes: GB, processes: 2 })).toBe('it started more than 2 processes')
    expect(judge({ memoryBytes: 64 * 2 ** 20, processes: 3 })).toBe('it used more than 0.1 GB of memory')
    process.kill(-child.pid!, 'SIGKILL')
    await gone
    expect(judge({ memoryBytes: 0, processes: 0 })).toBe(undefined)
  },
)

test('the watch ends a command once and can be ended', () => {
  vi.useFakeTimers()
  const told: string[] = []
  let memoryBytes = GB
  const measure = () => ({ memoryBytes, processes: 1 })
  const end = watchLimits(1, { memoryBytes: 2 * GB, processes: 9 }, why => told.push(why), measure)
  vi.advanceTimersByTime(5_000)
  expect(told).toEqual([])
  memoryBytes = 3 * GB
  vi.advanceTimersByTime(5_000)
  expect(told).toEqual(['it used more than 2.0 GB of memory'])
  const endOther = watchLimits(1, { memoryBytes: 2 * GB, processes: 9 }, why => told.push(why), measure)
  endOther()
  vi.advanceTimersByTime(5_000)
  expect(told).toHaveLength(1)
  end()
  vi.useRealTimers()
})

test('a scope of systemd is used only if it really limits memory', async () => {
  const asked: (readonly string[])[] = []
  const answering = (code: number) => async (file: string, args: readonly string[]) => {
    asked.push([file, ...args])
    return { code, stderr: '' }
  }
  expect(await probeScope(undefined, answering(7))).toBe(false)
  expect(await probeScope('/usr/bin/systemd-run', answering(1))).toBe(false)
  expect(await probeScope('/usr/bin/systemd-run', answering(7))).toBe(true)
  expect(asked[0]?.slice(0, 5)).toEqual(['/usr/bin/systemd-run', '--user', '--scope', '--quiet', '--collect'])
})

test('a command in a scope does not get the way to the service manager', () => {
  const start = { program: '/usr/bin/bwrap', args: ['--unshare-pid', '--', 'ls'], env: { PATH: '/usr/bin' } }
  const own = { XDG_RUNTIME_DIR: '/run/user/1', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus' }
  const { program, args, env } = startInScope('/usr/bin/systemd-run', GB, start, own)
  expect(program).toBe('/usr/bin/systemd-run')
  expect(args.join(' ')).toBe(
    `--user --scope --quiet --collect -p MemoryMax=${GB} -p MemorySwapMax=0 -- /usr/bin/bwrap --unsetenv XDG_RUNTIME_DIR --unsetenv DBUS_SESSION_BUS_ADDRESS --unshare-pid -- ls`,
  )
  expect(env).toEqual({ PATH: '/usr/bin', ...own })
})
