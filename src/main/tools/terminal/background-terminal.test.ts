import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { openProcesses } from '../../processes/open-processes.ts'
import { createRegistry } from '../registry/registry.ts'
import { coreTools } from '../tool-lists.ts'

/** The terminal of a host. */
function aTerminal() {
  const processes = openProcesses({ now: Date.now })
  onTestFinished(() => processes.close())
  const registry = createRegistry(coreTools({ timeout_s: 20 }, processes))
  return { processes, registry, shell: registry.get('terminal')! }
}

test('it is told of as its golden file says', () => {
  const { registry } = aTerminal()
  const file = fileURLToPath(new URL('../../../../testing/golden/full-tools.json', import.meta.url))
  const golden = JSON.parse(readFileSync(file, 'utf8')) as { name: string }[]
  expect(registry.specs(['terminal'])).toEqual(golden.filter(({ name }) => name === 'terminal'))
})

test.runIf(process.platform !== 'win32')(
  'a watcher is started, listed, read and stopped, and each look shows what is new',
  async () => {
    const { shell } = aTerminal()
    const { workspace, call } = aWorkspace()
    const command = 'echo watching; until [ -e go ]; do sleep 0.02; done; echo built; cat'
    expect(await call(shell, { action: 'start', command })).toEqual({
      ok: true,
      text: `p1 is running: ${command}\nIt ends with this chat, or when Talaria closes. Its id is p1.\nwatching`,
    })
    expect(await call(shell, { action: 'list' })).toEqual({ ok: true, text: `p1 is running: ${command}` })
    expect(said(await call(shell, { action: 'read', id: 'p1' }))).toBe(
      `p1 is running: ${command}\n(no new output)`,
    )
    writeFileSync(join(workspace, 'go'), '')
    await expect
      .poll(async () => said(await call(shell, { action: 'read', id: 'p1' })))
      .toBe(`p1 is running: ${command}\nbuilt`)
    expect(said(await call(shell, { action: 'stop', id: 'p1' }))).toBe(
      `p1 was stopped: ${command}\n(no new output)`,
    )
    expect(await call(shell, { action: 'read', id: 'p2' })).toEqual({
      ok: false,
      reason: 'This chat has no background process p2. Those of earlier sessions have ended.',
    })
  },
)

test.runIf(process.platform !== 'win32')('a start that fails at once is a failure', async () => {
  const { shell } = aTerminal()
  const result = await aWorkspace().call(shell, { action: 'start', command: 'echo no >&2; exit 3' })
  expect(result).toEqual({
    ok: false,
    reason:
      'p1 ended with exit code 3: echo no >&2; exit 3\nIt ends with this chat, or when Talaria closes. Its id is p1.\nno',
  })
})

test.runIf(process.platform !== 'win32')(
  'another chat sees a process and cannot read or stop it',
  async () => {
    const { shell, processes } = aTerminal()
    const { workspace, call } = aWorkspace()
    const started = await processes.start({
      sessionId: 'another',
      command: 'echo up; sleep 700',
      workspace,
      folder: workspace,
      access: 'unconfined',
    })
    expect(isRefusal(started)).toBe(false)
    expect(said(await call(shell, { action: 'list' }))).toBe(
      'p1 is running: echo up; sleep 700 (in another chat)',
    )
    for (const action of ['read', 'stop'])
      expect(said(await call(shell, { action, id: 'p1' }))).toMatch(
        /^This chat has no background process p1\./,
      )
  },
)

test('secrets in the output do not reach the model', async () => {
  const { shell } = aTerminal()
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const text = said(await aWorkspace().call(shell, { action: 'start', command: `echo ${secret}; cat` }))
  expect(text.split('\n').at(-1)).not.toContain(secret)
})

test('without an action the terminal runs a command to its end, as ever', async () => {
  const { shell } = aTerminal()
  expect(await aWorkspace().call(shell, { command: 'echo hello' })).toEqual({
    ok: true,
    text: 'exit code 0\nhello',
    exitCode: 0,
  })
})

test('what an action lacks is refused before anybody is asked', async () => {
  const { shell } = aTerminal()
  const { workspace, intent } = aWorkspace()
  expect(await intent(shell, { action: 'start' })).toEqual({ refused: 'start needs a command.' })
  expect(await intent(shell, {})).toEqual({ refused: 'run needs a command.' })
  expect(await intent(shell, { action: 'stop' })).toEqual({
    refused: 'stop needs the id of a background process.',
  })
  expect(await intent(shell, { action: 'start', command: 'npm run dev', port: 3000 })).toEqual({
    title: 'Start a background process, for port 3000',
    detail: 'npm run dev',
    risk: 'execute',
    inWorkspace: true,
    folder: workspace,
    workspace,
    command: 'npm run dev',
    background: 'start',
  })
})
