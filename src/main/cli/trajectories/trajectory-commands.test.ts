import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test, type Talaria } from '../../../../testing/terminal/cli.ts'

type Line = { id: string; completed: boolean; conversations: { from: string; value: string }[] }

const parsed = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line)

/** A home with a successful chat, a failed one, and the trajectory files written meanwhile. */
async function twoChats(talaria: Talaria) {
  const { home, cwd, model } = await talaria.servedHome()
  const run = (...args: string[]) => talaria.run([...args, '--home', home])
  await run('learning', 'settings', 'trajectories', 'on')
  await talaria.open(home)
  const token = `ghp_${'a1B2c3'.repeat(6)}`
  model.reply({ text: 'Noted.', reasoning: 'A token, I see.' })
  await run('chat', '-q', `My token is ${token}.`, '--cwd', cwd)
  model.reply({ text: 'Half an ans', breakAfter: 1 })
  await run('chat', '-q', 'And now?', '--cwd', cwd)
  return { home, run, token }
}

describe.concurrent('trajectories', () => {
  test('chats are written as lines to standard output or a file, by outcome, without secrets', async ({
    talaria,
    expect,
  }) => {
    const { home, run, token } = await twoChats(talaria)
    const all = await run('trajectories', 'export')
    expect([all.code, all.stderr]).toEqual([0, '2 chats: 1 successful, 1 not.\n'])
    expect(all.stdout).not.toContain(token)
    const good = parsed(all.stdout).find(line => line.completed)!
    expect(good.conversations).toEqual([
      { from: 'system', value: expect.stringContaining('Talaria') },
      { from: 'human', value: 'My token is [redacted].' },
      { from: 'gpt', value: '<think>\nA token, I see.\n</think>\nNoted.' },
    ])

    const folder = talaria.folder()
    const path = join(folder, 'chats.jsonl')
    const written = await run('trajectories', 'export', '--outcome', 'success', '-o', path)
    expect(written).toEqual({ code: 0, stdout: '', stderr: '1 chat: 1 successful, 0 not.\n' })
    expect(parsed(readFileSync(path, 'utf8'))).toEqual([good])
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['chats.jsonl'])
    const one = await run('trajectories', 'export', '--chat', good.id.slice(-6))
    expect(parsed(one.stdout)).toEqual([good])

    const there = await run('trajectories', 'export', '-o', path)
    expect([there.code, there.stderr]).toEqual([2, `${path} already exists; --force replaces it.\n`])
    expect(parsed(readFileSync(path, 'utf8'))).toEqual([good])
    expect((await run('trajectories', 'export', '-o', path, '--force')).code).toBe(0)
    expect(parsed(readFileSync(path, 'utf8'))).toHaveLength(2)

    const kept = (name: string) => parsed(readFileSync(join(home, 'trajectories', `${name}.jsonl`), 'utf8'))
    expect(kept('success').map(line => line.id)).toEqual([good.id])
    expect(kept('failure').map(line => line.completed)).toEqual([false])
  })

  test('nothing is recorded by default, an empty home gives no line, and errors are explained', async ({
    talaria,
    expect,
  }) => {
    const { home, cwd } = await talaria.servedHome()
    await talaria.run(['chat', '-q', 'Hello?', '--home', home, '--cwd', cwd])
    expect(existsSync(join(home, 'trajectories'))).toBe(false)

    const folder = talaria.folder({ file: '' })
    const run = (...args: string[]) => talaria.run(['trajectories', 'export', ...args, '--home', folder])
    expect(await run()).toEqual({
      code: 0,
      stdout: '',
      stderr: '0 chats: 0 successful, 0 not.\n',
    })
    await talaria.open(folder)
    for (const [args, sentence] of [
      [['--chat', 'nobody'], 'Found no chat nobody.'],
      [['--outcome', 'good'], 'Allowed choices are success, failure, all'],
      [['-o', join(folder, 'none', 'x.jsonl')], 'cannot be written: its folder does not exist.'],
      [['-o', join(folder, 'file', 'x.jsonl')], 'cannot be written: a part of its path is not a folder.'],
    ] as const) {
      const { code, stdout, stderr } = await run(...args)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain(sentence)
    }
    expect(readdirSync(folder).filter(name => name.endsWith('.tmp'))).toEqual([])
  })

  test('the reader of the output may stop early', async ({ talaria, expect }) => {
    const { home } = await twoChats(talaria)
    const command = talaria.start(['trajectories', 'export', '--home', home])
    command.child.stdout!.destroy()
    const { stderr } = await command.ended
    expect(stderr).toMatch(/^(Stopped\.|2 chats: .*)\n$/)
  })
})
