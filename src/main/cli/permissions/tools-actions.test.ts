import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '../../../../testing/terminal/cli.ts'

test('toolsets are listed and switched for everything, a folder and a chat', async ({ talaria, expect }) => {
  const home = talaria.folder()
  const folder = talaria.folder()
  await talaria.open(home)
  const run = (...args: string[]) => talaria.run(['tools', ...args, '--home', home], { cwd: folder })
  const states = async (...args: string[]) => {
    const { stdout } = await run('list', '--json', ...args)
    const { toolsets } = JSON.parse(stdout) as { toolsets: { name: string; state: string; from: string }[] }
    return toolsets.map(({ name, state, from }) => `${name} ${state} ${from}`)
  }

  expect((await run('list')).stdout).toMatch(/^files +on +by default: read_file, write_file/)
  expect((await run('disable', 'terminal', 'skills')).stdout).toMatch(/^terminal +off +set for every chat: /)
  expect((await run('enable', 'terminal', '--folder', '.')).code).toBe(0)
  expect(await states()).toEqual([
    'files on default',
    'terminal off everything',
    'web off default',
    'memory on default',
    'skills off everything',
    'plan on default',
    'delegation on default',
    'schedules on default',
    'mixture off default',
  ])
  expect(await states('--folder', '.')).toContain('terminal on folder')
  expect((await run('list')).stdout).toContain(`In ${folder}: terminal on`)
  expect((await run('reset', 'terminal', 'skills')).code).toBe(0)
  expect(await states()).toContain('skills on default')
})

test('a chat gets only the toolsets that --tools names, and a mistake leaves no chat', async ({
  talaria,
  expect,
}) => {
  const home = talaria.folder()
  await talaria.open(home)
  const chat = (tools: string) => talaria.run(['chat', '-q', 'Hello.', '--tools', tools, '--home', home])
  const deleted = async () => (await talaria.run(['chats', 'deleted', '--json', '--home', home])).stdout
  expect(await chat('fles')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no toolset “fles”. Did you mean “files”?'),
  })
  expect(await chat(' , ')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Name at least one toolset'),
  })
  expect(await deleted()).not.toContain('chat_')
  const { stdout } = await talaria.run(['chat', '-q', 'Hello.', '--json', '--tools', 'files', '--home', home])
  const id = /chat_\w+/.exec(stdout)?.[0] ?? ''
  const listed = await talaria.run(['tools', 'list', '--chat', id, '--home', home])
  expect(listed.stdout.split('\n').map(line => line.split(/\s+/).slice(0, 2).join(' '))).toEqual([
    'files on',
    'terminal off',
    'web off',
    'memory off',
    'skills off',
    'plan off',
    'delegation off',
    'schedules off',
    'mixture off',
    '',
  ])
})

test('what cannot be switched is bad usage, and a circle in config.yaml is named', async ({
  talaria,
  expect,
}) => {
  const home = talaria.folder()
  const run = (...args: string[]) => talaria.run(['tools', ...args, '--home', home])
  writeFileSync(
    join(home, 'config.yaml'),
    'toolsets:\n  own:\n    a: { includes: [b] }\n    b: { includes: [a] }\n',
  )
  expect(await run('list')).toMatchObject({ code: 1, stderr: expect.stringContaining('(a → b → a)') })
  expect(await run('enable', 'fils')).toMatchObject({
    code: 2,
    stderr: 'There is no toolset “fils”. Did you mean “files”?\n',
  })
  expect(await run('enable')).toMatchObject({ code: 2, stderr: expect.stringContaining('missing required') })
  expect(await run('enable', 'files', '--chat', 'chat_0')).toMatchObject({
    code: 2,
    stderr: 'Found no chat chat_0.\n',
  })
  expect(await run('disable', 'files', '--folder', join(home, 'gone'))).toMatchObject({
    code: 2,
    stderr: `There is no folder ${join(home, 'gone')}.\n`,
  })
})

test('the web is switched on for every chat, and its sources say what they need', async ({
  talaria,
  expect,
}) => {
  const home = talaria.folder()
  const run = (...args: string[]) => talaria.run([...args, '--home', home])
  expect((await run('tools', 'enable', 'web')).stdout).toMatch(
    /^web +on +set for every chat: web_search, web_read\nThe change of the web applies from the next message/,
  )
  const { stdout } = await run('web', 'sources')
  expect(stdout).toMatch(/^searxng +not set up {2}SearXNG\. /)
  expect(stdout).toContain('Its key is missing: BRAVE_API_KEY.')
  expect(await run('web', 'test', 'brave')).toMatchObject({
    code: 1,
    stdout: 'Its key is missing: BRAVE_API_KEY.\n',
  })
  expect((await run('web', 'test', 'altavista')).code).toBe(2)

  const open = talaria.startOnTerminal(['chat', '--home', home])
  await open.shows('›')
  open.types('/web off\r')
  await open.shows('The web is off in this chat')
  open.types('/web on\r')
  await open.shows('cannot use the web')
  open.types('/exit\r')
  expect((await open.ended).code).toBe(0)
})
