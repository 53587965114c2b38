import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { confinedTest } from '../../../testing/confinement/can-confine.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'
import { until } from '../../../testing/until.ts'
import { openConfinement } from '../confinement/open-confinement.ts'
import type { Access } from '../confinement/profile.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import type { Background } from './background-process.ts'
import { openProcesses } from './open-processes.ts'

const OFFLINE: Access = { profile: 'work', network: false, obeyed: 'nothing' }

/** Start a process in a folder of its own, and do something while it runs. */
async function withProcess(
  command: string,
  access: Access,
  run: (background: Background, folder: string) => Promise<void>,
) {
  const base = aFolderToConfine()
  const folder = join(base, 'chat')
  mkdirSync(folder)
  const { prepare, guards } = openConfinement({ home: join(base, 'home'), readable: () => [] })
  const processes = openProcesses({ now: Date.now })
  try {
    const request = { sessionId: 's1', command, workspace: folder, folder, access, confine: prepare, guards }
    const started = await processes.start(request)
    if (isRefusal(started)) throw new Error(started.refused)
    await run(started.background, folder)
  } finally {
    await processes.close()
    rmSync(base, { recursive: true, force: true })
  }
}

confinedTest('what a process makes that programs obey is put aside while it runs, and told', () =>
  withProcess('echo up; echo payload > .envrc; sleep 700', OFFLINE, async (background, folder) => {
    await until(() => background.facts().obeyed !== undefined)
    expect(existsSync(join(folder, '.envrc'))).toBe(false)
    expect(background.facts().obeyed).toEqual([
      { path: '.envrc', how: 'new', by: 'direnv', tier: 1, kept: 'put aside' },
    ])
    const [said, where = ''] = background.readObeyed()
    expect(said).toBe('It made .envrc, which direnv obeys. That was put aside and is not in the folder.')
    expect(readFileSync(where.replace(/^It lies in (.*)\.$/, '$1'), 'utf8')).toBe('payload\n')
    expect(background.readObeyed()).toEqual([])
  }),
)

confinedTest('what a process hides in a folder that nobody may list is put aside all the same', () => {
  const command =
    'echo up; mkdir -p a/.vscode; echo {} > a/.vscode/tasks.json; chmod 311 a/.vscode a; sleep 700'
  return withProcess(command, OFFLINE, async (background, folder) => {
    await until(() => background.facts().obeyed !== undefined)
    expect(existsSync(join(folder, 'a/.vscode'))).toBe(false)
    expect(background.facts().obeyed).toMatchObject([{ path: 'a/.vscode/tasks.json', kept: 'put aside' }])
  })
})

confinedTest('a process that makes such files again and again is ended', () =>
  withProcess('echo up; while true; do echo x > .envrc; sleep 0.1; done', OFFLINE, async background => {
    await background.ended
    expect(background.output.since(0).text).toContain(
      'It was ended because it made files again and again that programs obey without being asked.',
    )
  }),
)

confinedTest('what it makes at its end is told as well, and what nothing confines is only told', async () => {
  await withProcess('echo up; sleep 0.6; echo x > .envrc', OFFLINE, async (background, folder) => {
    await background.ended
    expect(existsSync(join(folder, '.envrc'))).toBe(false)
    expect(background.readObeyed()).toHaveLength(2)
  })
  await withProcess('echo up; echo x > .envrc; sleep 0.6', 'unconfined', async (background, folder) => {
    await background.ended
    expect(existsSync(join(folder, '.envrc'))).toBe(true)
    expect(background.readObeyed()).toEqual(['It made .envrc, which direnv obeys.'])
  })
})
