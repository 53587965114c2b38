import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

describe.skipIf(process.platform === 'win32')('background processes', () => {
  test('are listed, followed to their end and stopped', async ({ talaria, expect }) => {
    const { home, cwd, model } = await talaria.openHome()
    const run = (...args: string[]) => talaria.run([...args, '--home', home], { cwd })
    expect((await run('processes', 'list')).stdout).toBe('No background processes.\n')

    const command = 'echo watching; until [ -e go ]; do sleep 0.02; done; echo built; exit 3'
    const start = (action: Record<string, unknown>) => ({
      toolCalls: [{ name: 'terminal', arguments: action }],
    })
    model.reply(
      start({ action: 'start', command }),
      start({ action: 'start', command: 'echo up; sleep 700' }),
      { text: 'Started.' },
    )
    expect((await run('chat', '-q', 'Watch', '--approve', 'all', '--cwd', cwd)).stdout).toBe('Started.\n')
    const { stdout: list } = await run('processes', 'list')
    expect(list).toMatch(
      /^p1 {2}echo watching; .*\n {4}running · .* · chat: Watch\np2 {2}echo up; sleep 700\n/,
    )
    const { processes } = JSON.parse((await run('processes', 'list', '--json')).stdout)
    expect(processes).toMatchObject([{ id: 'p1', state: 'running' }, { id: 'p2' }])

    const following = talaria.start(['processes', 'output', 'p1', '--follow', '--home', home])
    await following.shows('watching')
    model.reply({ toolCalls: [{ name: 'terminal', arguments: { command: 'touch go' } }] }, { text: 'Done.' })
    await run('chat', '-q', 'Build', '--approve', 'all', '--cwd', cwd)
    expect(await following.ended).toMatchObject({ code: 0, stdout: 'watching\nbuilt\n' })
    expect((await run('processes', 'output', 'p2')).stdout).toBe('up\n')
    expect((await run('processes', 'stop', 'p2')).stdout).toBe('Stopped p2: echo up; sleep 700.\n')
    expect((await run('processes', 'list')).stdout).toMatch(
      /^p1 .*\n {4}ended with exit code 3 · .*\np2 .*\n {4}stopped · /,
    )
    expect(await run('processes', 'stop', 'p9')).toMatchObject({
      code: 2,
      stderr: 'The background process p9 no longer exists.\n',
    })
  })
})
