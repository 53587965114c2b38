import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'
import { openStore } from '../../db/store.ts'

const CTRL_D = '\u0004'

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
      origin: 'terminal',
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
    await talaria.open(home)

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
      unremoved: [],
      paused: false,
    })
    expect((await run('purge', '--all', '--yes')).stdout).toBe('No deleted chats.\n')
  })
})

test('what cannot be removed of a chat is named, and removed when it is asked for again', async ({
  talaria,
  expect,
}) => {
  const { home, cwd } = await talaria.servedHome()
  const [first = '', second = ''] = withDeleted(home)
  // Where training data should be there is a folder, which nobody can rewrite.
  const stuck = join(home, 'trajectories', 'success.jsonl')
  mkdirSync(stuck, { recursive: true })
  const run = (...args: string[]) => talaria.run(['chats', ...args, '--home', home], { cwd })
  const said = expect.stringContaining(`${stuck}: it is a folder`)
  expect(await run('purge', first, '--yes')).toMatchObject({
    code: 1,
    stdout: 'Removed for good: “First”, but not all of it.\n',
    stderr: said,
  })
  expect(await run('deleted')).toMatchObject({ code: 0, stderr: said })
  expect(await run('purge', first)).toMatchObject({ code: 1, stderr: said })
  rmdirSync(stuck)
  expect(await run('purge', second, '--yes')).toMatchObject({ code: 0, stderr: '' })
  expect((await run('deleted')).stdout).toBe('No deleted chats.\n')
})

describe('an export', () => {
  test('has all branches, or what tools said, only if that is asked for', async ({ talaria, expect }) => {
    const { home, cwd, model } = await talaria.servedHome()
    writeFileSync(join(cwd, 'notes.md'), 'secret-of-the-file\n')
    const cli = talaria.startOnTerminal(['chat', '--home', home, '--cwd', cwd, '--approve', 'all'])
    await cli.shows('›')
    model.reply(
      { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.md' } }] },
      { text: 'First: $E = mc^2$.' },
    )
    cli.types('What is it?\r')
    await cli.shows('First: ')
    await cli.shows('›')
    model.reply({ text: 'Second answer.' })
    cli.types('/retry\r')
    await cli.shows('Second answer.')
    await cli.shows('›')
    cli.types(CTRL_D)
    await cli.ended
    const exported = async (...options: string[]) => {
      const ran = await talaria.run(['chats', 'export', '--home', home, '-o', 'out', '--force', ...options], {
        cwd,
      })
      expect(ran.code).toBe(0)
      return readFileSync(join(cwd, 'out'), 'utf8')
    }
    const all = await exported('--format', 'html', '--branches', 'all')
    for (const said of ['<math ', 'Second answer.', 'secret-of-the-file']) expect(all).toContain(said)
    const quiet = await exported('--format', 'html', '--branches', 'all', '--no-tool-output')
    expect(quiet).toContain('Used read_file.')
    expect(quiet).not.toContain('secret-of-the-file')
    const path = await exported('--format', 'markdown')
    expect(path).toContain('Second answer.')
    expect(path).not.toMatch(/First|secret-of-the-file/)
    expect((await talaria.run(['chats', 'export', '--format', 'pdf', '--home', home], { cwd })).code).toBe(2)
  })
})

describe('chats', () => {
  test('are listed, shown, renamed, exported, archived and deleted, by the end of their id', async ({
    talaria,
    expect,
  }) => {
    const { home, model, cwd } = await talaria.openHome()
    const run = (...args: string[]) => talaria.run([...args, '--home', home], { cwd })
    expect((await run('chats')).stdout).toBe('No chats yet.\n')
    model.reply({ text: 'Bergen has the best view.' }, { text: 'In the morning.' })
    await run('-q', 'Where is the view?')
    const { chats } = JSON.parse((await run('chats', 'list', '--json')).stdout) as { chats: { id: string }[] }
    const [{ id } = { id: '' }] = chats
    const end = id.slice(-6)
    expect((await run('sessions', 'rename', end, 'The', 'view')).stdout).toBe('Renamed: The view\n')
    expect((await run('chats', 'list', 'bergen')).stdout).toMatch(
      new RegExp(`^${id}  The view\\n    2 messages · \\d{4}-`),
    )
    expect((await run('chats', 'list', 'oslo')).stdout).toBe('No chat contains these words.\n')
    expect((await run('chats', 'resume', end, '-q', 'When?')).stdout).toBe('In the morning.\n')
    expect((await run('chats', 'show', end)).stdout).toMatch(
      /^The view\n[^]*\nyou, [^]*:\nWhere is the view\?\n[^]*agent, [^]*:\nIn the morning\.\n$/,
    )
    const exported = await run('chats', 'export', end, '-o', 'view.md')
    expect(exported.stdout).toContain('1 chat with 4 messages')
    expect(readFileSync(join(cwd, 'view.md'), 'utf8')).toContain('Bergen has the best view.')

    expect((await run('chats', 'decider', end)).stdout).toContain('were not tested yet')
    expect((await run('chats', 'decider', end, 'on')).stdout).toContain('The decider is on in this chat.')
    expect((await run('chats', 'decider', end, '--json')).stdout).toContain('"decider":"on"')
    expect(await run('chats', 'decider', end, 'maybe')).toMatchObject({
      code: 2,
      stderr: 'The decider can be on, off or auto. With auto, it is on only for models that need it.\n',
    })

    expect((await run('chats', 'archive', 'nothere', end)).code).toBe(2)
    expect((await run('chats', 'archive', end)).stdout).toBe(
      `Archived: The view. Bring it back: talaria chats unarchive ${id}\n`,
    )
    expect((await run('chats')).stdout).toBe('No chats yet.\n')
    expect((await run('chats', 'list', '--archived')).stdout).toMatch(
      /The view\n {4}4 messages · .+ · archived\n$/,
    )
    expect((await run('chats', 'list', 'bergen')).stdout).toMatch(/The view\n.+ · archived\n$/)
    expect((await run('search', 'bergen')).stdout).toMatch(/^The view .+ {2}archived\n/)
    expect((await run('chats', 'unarchive', end)).stdout).toBe('Back in the list: The view\n')
    expect((await run('chats', 'list', '--archived')).stdout).toBe('No archived chats.\n')

    expect((await run('chats', 'delete', 'nothere', end)).code).toBe(2)
    expect((await run('chats', 'delete', end)).stdout).toBe(
      `Deleted: The view. Bring it back: talaria chats restore ${id}\n`,
    )
    const gone = await run('chats', 'resume', end, '-q', 'Again?')
    expect([gone.code, gone.stdout]).toEqual([2, ''])
    expect(gone.stderr).toMatch(/^This chat was deleted .+\. Bring it back with: talaria chats restore chat_/)
    expect((await run('chats', 'restore', end)).code).toBe(0)
    expect((await run('chats')).stdout).toContain('The view')
  })

  test('a list ends with code 1 and without words when its reader leaves', async ({ talaria, expect }) => {
    const home = talaria.folder()
    const cli = talaria.start(['chats', 'list', '--home', home])
    cli.child.stdout!.destroy()
    const { code, stderr } = await cli.ended
    expect([code, stderr]).toEqual([1, ''])
  })
})

test('what only shows something ends with code 0 in an empty home', async ({ talaria, expect }) => {
  const home = talaria.folder()
  await talaria.open(home)
  const commands = [
    'version',
    'update',
    'chats',
    'sessions list',
    'network',
    'models',
    'memory',
    'skills',
    'permissions',
    'processes',
    'learning',
    'data',
    'data backups',
    'trajectories',
    'status',
    'usage',
  ]
  const codes = await Promise.all(
    commands.map(async words => {
      const { code, stderr } = await talaria.run([...words.split(' '), '--home', home])
      return `${words}: ${code}${code === 0 ? '' : ` ${stderr}`}`
    }),
  )
  expect(codes).toEqual(commands.map(words => `${words}: 0`))
})
