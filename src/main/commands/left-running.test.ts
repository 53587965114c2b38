import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'
import { aWorkspace, said } from '../../../testing/tools/a-workspace.ts'
import { openConfinement, type Confiner } from '../confinement/open-confinement.ts'
import { terminalTool } from '../tools/terminal/terminal.ts'

let base: string
let folder: string
let confiner: Confiner
beforeAll(() => {
  base = realpathSync(aFolderToConfine())
  folder = join(base, 'folder')
  mkdirSync(folder)
  confiner = openConfinement({ home: join(base, 'home'), userHome: base, readable: () => [] })
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const basic = terminalTool({ timeout_s: 60 })
const full = terminalTool({ timeout_s: 60, mayStart: true })

/** The result of a command that runs confined. */
async function confined(command: string, tool = basic) {
  const result = await tool.run(
    { command },
    {
      workspace: folder,
      home: join(base, 'home'),
      sessionId: 'chat',
      askedId: 1,
      access: { profile: 'work', network: false, obeyed: 'nothing' },
      confine: confiner.prepare,
      signal: new AbortController().signal,
      output: () => undefined,
    },
  )
  return said(result)
}

confinedTest('what a confined command left running is said, with what helps', async () => {
  const ended = 'It left sleep running, which was ended with this call.'
  for (const command of [
    'sleep 700 & echo a',
    'setsid sleep 700 & echo a',
    'nohup sleep 700 >/dev/null 2>&1 & disown; echo a',
    '(sleep 700 &); echo a',
  ])
    expect(await confined(command)).toBe(`exit code 0\na\n[${ended} Use it in the same call that starts it.]`)
  expect(await confined('sleep 700 & exit 3', full)).toBe(
    `exit code 3\n(no output)\n[${ended} For a server or watcher use action start.]`,
  )
})

confinedTest('what ends by itself in a moment is waited for, and nothing is said', async () => {
  expect(await confined('echo a > >(cat); sleep 0.03 &')).toBe('exit code 0\na')
  expect(await confined('echo a | cat')).toBe('exit code 0\na')
})

confinedTest('the end of a confined command is its own', async () => {
  expect(await confined('kill -9 $$')).toBe('exit code 137\n(no output)')
  expect(await confined('kill -TERM $$')).toBe('exit code 143\n(no output)')
  expect(await confined('echo no >&2; exit 77')).toBe('exit code 77\nno')
})

confinedTest('a confined command cannot write the report on what it left', async () => {
  expect(await confined('echo forged >&4')).toMatch(/^exit code 1\n.*Bad file descriptor$/)
})

test.runIf(process.platform === 'linux')(
  'what an unconfined command left runs on, and is named',
  async () => {
    const { call } = aWorkspace()
    // The process has another name until its program starts.
    const begun = 'until grep -qx sleep /proc/$!/comm; do :; done'
    for (const start of ['sleep 700', 'setsid sleep 700']) {
      const text = said(await call(full, { command: `${start} & ${begun}` }))
      const [, pid] = /It left sleep \(process (\d+)\) running, and that runs on\./.exec(text) ?? []
      expect(process.kill(Number(pid), 'SIGKILL')).toBe(true)
    }
    expect(said(await call(full, { command: 'true' }))).toBe('exit code 0\n(no output)')
  },
)
