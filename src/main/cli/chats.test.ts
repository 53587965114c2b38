import { describe } from 'vitest'
import { test } from '../../../testing/cli.ts'
import { openStore } from '../db/store.ts'

/** Two deleted chats in a home. */
function withDeleted(home: string): string[] {
  const { store } = openStore(home, {
    clock: Date.now,
    report: error => {
      throw error
    },
  })
  const ids = ['First', 'Second'].map(title => {
    const { id } = store.sessions.create({
      modelId: 'builtin',
      workspace: home,
      approval: 'ask',
      source: 'cli',
    })
    store.messages.append({ role: 'user', sessionId: id, at: Date.now(), text: title })
    store.sessions.remove(id)
    return id
  })
  store.close()
  return ids
}

describe('deleted chats', () => {
  test('are listed with their days, restored, and removed for good after asking', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    const run = (...args: string[]) => talaria.run(['chats', ...args, '--home', home])
    const [first = '', second = ''] = withDeleted(home)

    const { stdout: list } = await run('deleted')
    expect(list.split('\n')).toEqual([
      `${second}  Second`,
      expect.stringMatching(/^ {4}1 message · deleted .+ · 30 days left$/),
      `${first}  First`,
      expect.any(String),
      '',
    ])
    expect((await run('restore', first)).stdout).toBe('Restored: First\n')
    expect(await run('purge', first, '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`No deleted chat has the id ${first}.`),
    })
    expect(await run('purge', second)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Add --yes'),
    })
    expect(await run('purge')).toMatchObject({ code: 2, stderr: 'Name deleted chats, or use --all.\n' })
    expect((await run('purge', second, '--yes')).stdout).toBe('Removed for good: “Second”.\n')
    expect((await run('deleted')).stdout).toBe('No deleted chats.\n')
    expect(JSON.parse((await run('deleted', '--json')).stdout)).toEqual({
      chats: [],
      days: 30,
      removing: 0,
      paused: false,
    })
    expect((await run('purge', '--all', '--yes')).stdout).toBe('No deleted chats.\n')
  })
})
