import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test, type Talaria } from '../../../../testing/terminal/cli.ts'
import { misbehaving } from '../../../../testing/mcp/chats-with-servers.ts'

const node = process.execPath
type Result = Awaited<ReturnType<Talaria['run']>>

/** A home with a running host, and `talaria mcp` on it. */
async function aHome(talaria: Talaria, files: Record<string, string> = {}) {
  const home = talaria.folder(files)
  await talaria.open(home)
  return {
    home,
    mcp: (...args: string[]): Promise<Result> => talaria.run(['--home', home, 'mcp', ...args]),
  }
}

describe.concurrent('talaria mcp', () => {
  test('adds a program that lies where the terminal is', async ({ talaria, expect, skip }) => {
    if (process.platform === 'win32') skip('a script is no program here')
    // A confined script would not see a Node below the folder for temporary files.
    const { home } = await aHome(talaria, { 'config.yaml': 'terminal: { sandbox: off }' })
    const cwd = talaria.folder({ mine: `#!/bin/sh\nexec '${node}' "$@"\n` })
    chmodSync(join(cwd, 'mine'), 0o755)
    const mcp = (...args: string[]) => talaria.run(['--home', home, 'mcp', ...args], { cwd })
    expect((await mcp('add', 'mine', '--yes', '--', './mine', misbehaving, 'good')).code).toBe(0)
    expect((await mcp('list')).stdout).toContain(`mine  not running\n    ${join(cwd, 'mine')} `)
    expect(JSON.parse((await mcp('test', 'mine', '--json')).stdout)).toMatchObject({ ok: true })
  })

  test('adds, tests, calls, switches, lets run, asks again and removes a server', async ({
    talaria,
    expect,
  }) => {
    const { mcp } = await aHome(talaria)
    const added = await mcp('add', 'echoes', '--yes', '--', node, misbehaving, 'bad tool')
    expect([added.code, added.stdout]).toEqual([0, 'Added echoes. Try it with: talaria mcp test echoes\n'])
    expect(added.stderr).toContain(`${node} ${misbehaving} "bad tool"`)

    const tested = await mcp('test', 'echoes', '--json')
    expect([tested.code, JSON.parse(tested.stdout)]).toEqual([
      0,
      {
        ok: true,
        tools: [
          { name: 'echo', ok: true },
          { name: 'bad', ok: true },
          { name: 'none', ok: true },
          { name: 'add', ok: true },
        ],
      },
    ])
    const called = await mcp('call', 'echoes', 'echo', '{"text": "Hello."}', '--json')
    expect([called.code, JSON.parse(called.stdout)]).toEqual([
      0,
      { ok: true, isError: false, text: 'Hello.', files: [] },
    ])
    const mended = await mcp('call', 'echoes', 'add', '{"a": "1", "b": "2"}')
    expect([mended.code, mended.stdout, mended.stderr]).toEqual([
      0,
      '3\n',
      'The arguments were sent in this form: {"a":1,"b":2}\n',
    ])
    expect(JSON.parse((await mcp('call', 'echoes', 'add', '{"a": "1", "b": 2}', '--json')).stdout)).toEqual({
      ok: true,
      isError: false,
      text: '3',
      sent: { a: 1, b: 2 },
      files: [],
    })
    expect((await mcp('disable', 'echoes', 'echo')).stdout).toBe('echo of echoes is off.\n')
    const off = await mcp('call', 'echoes', 'echo', '{"text": "x"}')
    expect([off.code, off.stderr]).toEqual([2, 'The tool echo is switched off.\n'])
    const offAsJson = await mcp('call', 'echoes', 'echo', '{"text": "x"}', '--json')
    expect([offAsJson.code, JSON.parse(offAsJson.stdout)]).toEqual([
      2,
      { ok: false, isError: true, text: 'The tool echo is switched off.' },
    ])
    expect((await mcp('enable', 'echoes', 'echo')).code).toBe(0)
    expect((await mcp('allow', 'echoes', 'echo')).stdout).toBe('echo of echoes runs without a question.\n')
    expect((await mcp('ask', 'echoes', 'echo')).stdout).toBe('echo of echoes asks each time.\n')
    expect((await mcp('remove', 'echoes')).stdout).toBe(
      'Removed echoes. You can restore it within a minute: talaria mcp restore echoes\n',
    )
    expect((await mcp('restore', 'echoes')).stdout).toBe('echoes is back.\n')
    expect((await mcp('restore', 'echoes')).code).toBe(2)
    expect((await mcp('test', 'echoes')).code).toBe(0)
    await mcp('remove', 'echoes')
    expect((await mcp('list')).stdout).toBe('No servers. Add one with: talaria mcp add NAME -- COMMAND\n')
  })

  test('says what is wrong with what it was given', async ({ talaria, expect }) => {
    const { mcp } = await aHome(talaria)
    const added = await mcp('add', 'echoes', '--yes', '--', node, misbehaving)
    const writes = 'It may write to: a folder of its own, the folder of the chat that uses it.\n'
    expect(added.stderr).toContain(writes)
    expect((await mcp('list')).stdout).toContain(`    ${writes}`)
    const told = async (...args: string[]) => {
      const { code, stdout, stderr } = await mcp(...args)
      return [code, stdout + stderr]
    }
    expect(await told('test', 'echos')).toEqual([2, 'There is no server echos. Did you mean echoes?\n'])
    expect(await told('call', 'echoes', 'ech', '{}')).toEqual([
      2,
      'The server has no tool ech. The nearest: echo.\n',
    ])
    expect(await told('call', 'echoes', 'echo', 'text')).toEqual([
      2,
      expect.stringContaining('The arguments have to be a JSON object'),
    ])
    expect(await told('call', 'echoes', 'echo', '{}')).toEqual([
      1,
      expect.stringContaining('The server was not called.'),
    ])
    expect(await told('call', 'echoes', '--', '-x', '{}')).toEqual([
      2,
      expect.stringContaining('has no tool -x'),
    ])
    for (const name of ['a.b', 'a b', 'ünï', '__proto__', 'A', 'x'.repeat(200)])
      expect(await told('add', name, '--yes', '--', 'node')).toEqual([2, expect.stringContaining('name')])
    expect(await told('add', 'two', '--yes')).toEqual([
      2,
      expect.stringContaining('Give either a command after --'),
    ])
    expect(await told('add', 'two', '--yes', '--url', 'ftp://x')).toEqual([
      2,
      expect.stringContaining('cannot be added'),
    ])
    // Nobody can be asked here.
    expect((await told('add', 'two', '--', 'node'))[0]).toBe(2)
    expect(JSON.parse((await mcp('list', '--json')).stdout).servers).toHaveLength(1)
    expect(await told('remove', 'two')).toEqual([2, 'There is no server two.\n'])
  })

  test('lets a tool have any text, as long as its name and schema stay', async ({ talaria, expect }) => {
    const { home, mcp } = await aHome(talaria)
    await mcp('add', 'echoes', '--yes', '--', node, misbehaving, 'changing', join(home, 'starts'))
    await mcp('test', 'echoes')
    const told = async (...args: string[]) => {
      const { code, stdout, stderr } = await mcp('accept', 'echoes', ...args, '--any-text', '--yes')
      return [code, stdout, stderr]
    }
    expect(await told()).toEqual([2, '', '--any-text needs the name of a tool.\n'])
    expect(await told('ech')).toEqual([2, '', 'The server echoes has no tool ech.\n'])
    expect((await told('echo')).slice(0, 2)).toEqual([0, 'Accepted any text of echo of echoes.\n'])
    // It starts anew after each switch.
    await mcp('disable', 'echoes')
    await mcp('enable', 'echoes')
    const tested = await mcp('test', 'echoes', '--json')
    expect(JSON.parse(tested.stdout).tools).toContainEqual({ name: 'echo', ok: true })
  })

  test('pins the version that npx has in its cache', async ({ talaria, expect }) => {
    const { home, mcp } = await aHome(talaria)
    const folder = join(home, 'npm', '_npx', 'one')
    mkdirSync(join(folder, 'node_modules', 'tool'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"_npx": {"packages": ["tool"]}}')
    writeFileSync(join(folder, 'node_modules', 'tool', 'package.json'), '{"version": "1.2.3"}')
    const cache = `npm_config_cache=${join(home, 'npm')}`
    await mcp('add', 'tool', '--yes', '--env', cache, '--', 'npx', '-y', 'tool')
    const pinned = await mcp('pin', 'tool', '--yes')
    expect([pinned.code, pinned.stdout]).toEqual([0, 'tool is pinned to 1.2.3.\n'])
    expect(pinned.stderr).toContain('npx has 1.2.3 in its cache')
    expect(pinned.stderr).toContain('npx -y tool@1.2.3')
    const again = await mcp('pin', 'tool', '--yes')
    expect([again.code, again.stderr]).toEqual([1, 'Its command already names an exact version.\n'])
    expect((await mcp('list')).stdout).not.toContain('a different program may run tomorrow')
  })

  test('adds over a server of the same name, and works without a host of its own', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    const mcp = (...args: string[]) => talaria.run(['--home', home, 'mcp', ...args])
    await mcp('add', 'echoes', '--yes', '--', node, misbehaving, 'exits')
    const failed = await mcp('test', 'echoes', '--json')
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { ok: false, tools: [] }])
    await mcp('add', 'echoes', '--yes', '--', node, misbehaving)
    expect((await mcp('test', 'echoes')).stdout).toBe('echoes has 2 tools:\n  echo\n  add\n')
  })
})
