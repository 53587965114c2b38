import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { gone, isAlive } from '../../../../testing/processes.ts'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { clockUntil } from '../../../../testing/until.ts'
import type { ConfinedStart } from '../../confinement/open-confinement.ts'
import { terminalTool } from './terminal.ts'

afterEach(() => void vi.useRealTimers())
const shell = terminalTool({ timeout_s: 150 })

describe.skipIf(process.platform === 'win32')('a command', () => {
  test.for([
    ['echo hello', { ok: true, text: 'exit code 0\nhello', exitCode: 0 }],
    ['echo password: hunter2', { ok: true, text: 'exit code 0\npassword: [redacted]', exitCode: 0 }],
    ['true', { ok: true, text: 'exit code 0\n(no output)', exitCode: 0 }],
    ['echo no >&2; exit 3', { ok: false, reason: 'exit code 3\nno', exitCode: 3 }],
    ['kill -9 $$', { ok: false, reason: 'exit code 137\n(no output)', exitCode: 137 }],
    ['nothing-of-that-name 2>/dev/null', { ok: false, reason: 'exit code 127\n(no output)', exitCode: 127 }],
    ['cat', { ok: true, text: 'exit code 0\n(no output)', exitCode: 0 }],
    ["printf 'a\\xffb\\033[31mred\\r\\n'", { ok: true, text: 'exit code 0\na\ufffdbred', exitCode: 0 }],
  ] as const)('%s', async ([command, expected]) => {
    expect(await aWorkspace().call(shell, { command })).toEqual(expected)
  })

  test('runs in the workspace or in the folder that is named', async () => {
    const { workspace, call } = aWorkspace({ 'below/a.txt': '' })
    expect(await call(shell, { command: 'pwd' })).toEqual({
      ok: true,
      text: `exit code 0\n${workspace}`,
      exitCode: 0,
    })
    expect(await call(shell, { command: 'ls', cwd: 'below' })).toEqual({
      ok: true,
      text: 'exit code 0\na.txt',
      exitCode: 0,
    })
    expect(await call(shell, { command: 'ls', cwd: 'nowhere' })).toEqual({
      ok: false,
      reason: 'There is no folder nowhere to run it in.',
    })
  })

  test('shows its output while it runs', async () => {
    const { workspace, call } = aWorkspace()
    let shown = ''
    const output = (text: string) => {
      shown += text
      // The command waits for this file, so it can only end after its first line was shown.
      if (text.includes('first')) writeFileSync(join(workspace, 'go'), '')
    }
    const command = 'echo first; until [ -e go ]; do sleep 0.02; done; echo second'
    expect(await call(shell, { command }, { output })).toEqual({
      ok: true,
      text: 'exit code 0\nfirst\nsecond',
      exitCode: 0,
    })
    expect(shown).toBe('first\nsecond\n')
  })

  test('that uses more than it may is ended, and says so', async () => {
    const { call } = aWorkspace()
    const reason = 'it used more than 4.0 GB of memory'
    let exceed = (_why: string) => {}
    let isWatched = true
    const start = ([program = '', ...args]: readonly string[]): ConfinedStart => ({
      program,
      args,
      env: process.env,
      temporary: '',
      reportsStart: false,
      couldNotStart: () => undefined,
      watch(_pid, exceeded) {
        exceed = exceeded
        return () => (isWatched = false)
      },
      killLimit: '',
      cleanUp: () => undefined,
    })
    const result = await call(
      shell,
      { command: 'echo going; sleep 60' },
      {
        output: text => void (text.includes('going') && exceed(reason)),
        how: { access: { profile: 'look' }, confine: async given => start(given) },
      },
    )
    expect(result).toEqual({ ok: false, reason: `ended, because ${reason}\ngoing` })
    expect(isWatched).toBe(false)
  })

  /** A start whose confining program is the given shell text. */
  const startBy = (script: string): ConfinedStart => ({
    program: '/bin/sh',
    args: ['-c', script],
    env: process.env,
    temporary: '',
    reportsStart: true,
    couldNotStart: () => undefined,
    watch: () => () => undefined,
    killLimit: '',
    cleanUp: () => undefined,
  })

  test('whose confinement fails at its start is tried once more', async () => {
    const starts = [
      'echo "bwrap: A file to hide is gone" >&2; exit 1',
      `echo done; echo '{"exit-code": 0}' >&3`,
      'echo again',
    ]
    const confine = async () => startBy(starts.shift() ?? '')
    const result = await aWorkspace().call(
      shell,
      { command: 'echo' },
      { how: { access: { profile: 'look' }, confine } },
    )
    expect(result).toEqual({ ok: true, text: 'exit code 0\ndone', exitCode: 0 })
    expect(starts).toEqual(['echo again'])
  })

  test('that was killed in its confinement is not run again', async () => {
    const starts = ['echo acted; kill -9 $$', 'echo again']
    const confine = async () => startBy(starts.shift() ?? '')
    const how = { access: { profile: 'look' } as const, confine }
    const result = await aWorkspace().call(shell, { command: 'echo' }, { how })
    expect(said(result)).toBe('exit code 137\nacted')
    expect(starts).toEqual(['echo again'])
  })

  test('leaves something running in the background without being held up by it', async () => {
    const { workspace, call } = aWorkspace()
    const result = await call(shell, { command: 'sleep 60 & echo $! > pid; echo started' })
    const [pid] = pidsIn(workspace)
    expect(result).toEqual({
      ok: true,
      text: `exit code 0\nstarted\n[It left sleep (process ${pid}) running, and that runs on.]`,
      exitCode: 0,
    })
    expect(isAlive(pid!)).toBe(true)
    process.kill(pid!)
  })

  test('shows the last state of each line, and says that it was drawn again', async () => {
    const command = String.raw`for i in 1 2 3; do printf '\rpart %d' $i; done; echo; printf '10%%\b\b\b20%%\n' >&2`
    expect(said(await aWorkspace().call(shell, { command }))).toBe(
      'exit code 0\npart 3\n20%\n[Lines that were drawn again are shown as they were at the end.]',
    )
  })

  test('shows no secret that was written in pieces or over other text', async () => {
    const keys = { given: {}, secrets: ['abcdef-123456'] }
    const command = String.raw`printf 'xbcdef-123456\ra\nabcdeX\bf-123456\nabc'; sleep 0.1; printf 'def-123456\n'`
    const text = said(await aWorkspace().call(shell, { command }, { how: { keys } }))
    expect(text.replaceAll(/\n\[L.*$/g, '')).toBe('exit code 0\n[redacted]\n[redacted]\n[redacted]')
  })

  test('that prints a million lines keeps its beginning and its end, and says what is not there', async () => {
    const result = await aWorkspace().call(shell, { command: 'seq 1 1000000' })
    expect(said(result)).toMatch(/^exit code 0\n1\n2\n[^]*characters were not kept[^]*\n1000000$/)
    expect(result).toMatchObject({ ok: true, dropped: 6_888_896 - 2_000_000 })
  })

  test('is told what does not last, with the folder to name', async () => {
    const { call } = aWorkspace({ 'sub/a.txt': '' })
    expect(said(await call(shell, { command: 'cd sub' }))).toContain('Give cwd "sub" with it.')
    expect(said(await call(shell, { command: 'export TOWN=Bern' }))).toContain('This does not last')
    expect(said(await call(shell, { command: 'cd nowhere' }))).not.toContain('does not last')
  })

  test('that prints without end is bounded and can be stopped', async () => {
    const stop = new AbortController()
    let shown = 0
    const result = await aWorkspace().call(
      shell,
      { command: 'yes' },
      {
        signal: stop.signal,
        output: text => {
          shown += text.length
          if (shown > 40_000) stop.abort()
        },
      },
    )
    expect(said(result)).toMatch(/^stopped by the user\ny\ny\n/)
    expect(said(result).length).toBeLessThan(2_100_000)
  })
})

describe.skipIf(process.platform === 'win32')('stopping', () => {
  // The shell and its grandchild both ignore SIGTERM.
  const stubborn = `trap '' TERM; echo $$ > pid; (trap '' TERM; echo $BASHPID >> pid; echo ready; sleep 30) & sleep 30; sleep 30`

  test('answers at once with what was printed, and leaves no process of the group', async () => {
    const { workspace, call } = aWorkspace()
    const stop = new AbortController()
    const result = await call(
      shell,
      { command: stubborn },
      { signal: stop.signal, output: () => stop.abort() },
    )
    expect(result).toEqual({ ok: false, reason: 'stopped by the user\nready' })
    const pids = pidsIn(workspace)
    // The answer did not wait for the processes to end.
    expect(pids.map(isAlive)).toEqual([true, true])
    await gone(...pids)
  })

  test('a time-out says so, and leaves no process of the group', async () => {
    const { workspace, call } = aWorkspace()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let isReady = false
    const running = call(shell, { command: stubborn }, { output: () => (isReady = true) })
    await clockUntil(() => isReady, 1)
    let result: Awaited<typeof running> | undefined
    void running.then(ended => (result = ended))
    await clockUntil(() => result !== undefined, 10_000)
    expect(said(result!)).toMatch(/^stopped after 150 s\nready\n\[For more time set timeout_s/)
    await clockUntil(() => !pidsIn(workspace).some(isAlive))
  })

  test('before the start means that nothing is started', async () => {
    const { workspace, call } = aWorkspace()
    const result = await call(shell, { command: 'touch made' }, { signal: AbortSignal.abort() })
    expect(said(result)).toBe('stopped by the user\n(no output)')
    expect(existsSync(join(workspace, 'made'))).toBe(false)
  })
})

test('secrets of this process do not reach the command', async () => {
  process.env['TEST_API_KEY'] = 'secret'
  try {
    const result = await aWorkspace().call(shell, { command: 'echo "[$TEST_API_KEY]"' })
    expect(said(result)).toBe('exit code 0\n[]')
  } finally {
    delete process.env['TEST_API_KEY']
  }
})

test('the intent names the command and the folder', async () => {
  const { workspace, intent } = aWorkspace()
  expect(await intent(shell, { command: 'ls -la' })).toEqual({
    title: 'Run a command',
    detail: 'ls -la',
    risk: 'execute',
    inWorkspace: true,
    folder: workspace,
    workspace,
    command: 'ls -la',
  })
  expect(await intent(shell, { command: 'ls', cwd: '~' })).toMatchObject({
    title: 'Run a command',
    inWorkspace: false,
    folder: homedir(),
  })
  expect(await intent(shell, { command: 'a\0b' })).toEqual({
    refused: 'The command contains a null character.',
  })
})

const pidsIn = (workspace: string) =>
  readFileSync(join(workspace, 'pid'), 'utf8').trim().split('\n').map(Number)

test.for([homedir(), '/'])('a chat in the whole of %s leaves nothing to run unasked', async workspace => {
  const intent = await shell.intent({ command: 'ls' }, { workspace, home: '/nowhere' })
  expect(intent).toMatchObject({ inWorkspace: false })
})
