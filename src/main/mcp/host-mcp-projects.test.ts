import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aHome, aHost, aServer, turn, type TestHost } from '../../../testing/host/a-host.ts'
import {
  aMisbehaving,
  find,
  misbehaving,
  results,
  unconfined,
  use,
} from '../../../testing/mcp/chats-with-servers.ts'
import { until } from '../../../testing/until.ts'
import { acceptServer, putServer, switchServer } from '../../../testing/mcp/agree.ts'

/** A folder with an `.mcp.json` that holds this text, or these servers. */
function aProject(parent: string, name: string, given: string | object): string {
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  const text = typeof given === 'string' ? given : JSON.stringify({ mcpServers: given })
  writeFileSync(join(folder, '.mcp.json'), text)
  return realpathSync(folder)
}

const program = (...args: string[]) => ({ command: process.execPath, args: [misbehaving, ...args] })
const aProjectHost = (home: string) => aHost(home, { coreTools: true, ...unconfined })
const trust = (host: TestHost, folder: string, trusted = true) =>
  host.client['skills.trust']({ folder, trusted })
const list = (host: TestHost) => host.client['mcp.list']({})
const statesOf = async (host: TestHost) =>
  (await list(host)).servers.map(({ name, state, project }) => [name, state, project])

/** Find a tool and call it in a new chat in this folder. Return the results of both calls. */
async function useIn(host: TestHost, workspace: string, tool = 'mcp__db__echo'): Promise<string[]> {
  await using model = await aServer(host.client)
  const { id } = await host.client['session.create']({ modelId: model.modelId, approval: 'full', workspace })
  const { servers } = await list(host)
  for (const { name, tools } of servers)
    if (tools.some(each => each.name === 'echo'))
      await switchServer(host.client, { name, tool: 'echo', unasked: true })
  model.reply(find(tool), use(tool, { text: 'x' }), { text: 'Done.' })
  await turn(host, id, 'Go.')
  return results(host, id)
}

describe('a server that the .mcp.json of a project names', () => {
  test('counts in trusted folders only, is off until it is accepted, and then for the chats of its folder', async () => {
    using home = aHome()
    const shop = aProject(home.path, 'shop', { db: program('roots') })
    const other = aProject(home.path, 'other', {})
    await using host = await aProjectHost(home.path)
    await useIn(host, shop)
    expect(await list(host)).toMatchObject({
      servers: [],
      projects: [{ folder: shop, trusted: false, problems: [] }],
    })

    await trust(host, shop)
    expect(await list(host)).toMatchObject({ projects: [{ folder: shop, trusted: true, problems: [] }] })
    expect(await statesOf(host)).toEqual([['db', 'not accepted', shop]])
    const { shown } = (await list(host)).servers[0]!
    expect(shown).toBe(`${process.execPath} ${misbehaving} roots\nin ${shop}`)
    expect(await host.client['mcp.test']({ name: 'db' })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('you have not agreed to it'),
    })
    expect((await useIn(host, shop)).join()).not.toContain('pid')

    await acceptServer(host.client, { name: 'db' })
    await host.client['mcp.test']({ name: 'db' })
    expect((await useIn(host, shop))[1]).toContain(
      `"cwd":"${shop}","told":{"result":{"roots":[{"uri":"file://${shop}"}]}`,
    )
    const [notFound, notUsed] = await useIn(host, other)
    expect(notFound).not.toContain('Say a text again')
    expect(notUsed).toMatch(/another folder|no tool|There is no tool/)

    // Once the folder is no longer trusted, the server is gone and its program ends.
    await trust(host, shop, false)
    expect(await statesOf(host)).toEqual([])
    await trust(host, shop)
    expect(await statesOf(host)).toEqual([['db', 'off', shop]])
  })

  test('is off again once its entry changed, also while it runs, and stays on beside others that change', async () => {
    using home = aHome()
    const shop = aProject(home.path, 'shop', { db: program('good'), docs: program('good') })
    await using host = await aProjectHost(home.path)
    await trust(host, shop)
    for (const name of ['db', 'docs']) {
      await list(host)
      await acceptServer(host.client, { name })
      await host.client['mcp.test']({ name })
    }
    expect((await useIn(host, shop))[1]).toContain('\nx\n')
    aProject(home.path, 'shop', { db: { ...program('good'), env: { MODE: 'other' } }, docs: program('good') })
    await until(async () => (await statesOf(host))[0]![1] === 'not accepted')
    expect(await statesOf(host)).toEqual([
      ['db', 'not accepted', shop],
      ['docs', 'running', shop],
    ])
    expect((await useIn(host, shop)).join()).not.toContain('\nx\n')
    aProject(home.path, 'shop', { db: program('good'), docs: program('good') })
    expect((await statesOf(host))[0]).toEqual(['db', 'off', shop])
    rmSync(join(shop, '.mcp.json'))
    expect(await statesOf(host)).toEqual([])
  })

  test('gets variables only once it is accepted, and their values are black everywhere', async () => {
    using home = aHome()
    const shop = aProject(home.path, 'shop', {
      db: {
        ...program('says ${SHOP_TOKEN} ${PORT:-4000}'),
        env: { API_KEY: 'plain-secret-1', KIND: '${KIND:-small}', TOKEN: '${OTHER:-secret-of-default}' },
      },
      docs: {
        type: 'http',
        url: '${DOCS:-http://127.0.0.1:9}/mcp',
        headers: { Authorization: 'Bearer ${SHOP_TOKEN}' },
      },
      wants: program('${NOT_THERE}'),
    })
    writeFileSync(join(home.path, '.env'), 'SHOP_TOKEN=top-secret-1\n')
    await using host = await aProjectHost(home.path)
    await trust(host, shop)
    const { servers } = await list(host)
    const texts = JSON.stringify(servers)
    for (const secret of ['top-secret-1', 'plain-secret-1', 'secret-of-default'])
      expect(texts).not.toContain(secret)
    expect(servers[0]!.shown).toContain('API_KEY=… KIND=${KIND:-small} TOKEN=${OTHER:-…}')
    expect(servers[0]!.shown).toContain('says ${SHOP_TOKEN} ${PORT:-4000}')
    expect(servers[0]!.warnings).toEqual(
      expect.arrayContaining([
        'It gets SHOP_TOKEN from your keys.',
        'It gets KIND and OTHER and PORT from your keys if they are stored, otherwise from its entry.',
      ]),
    )
    expect(servers[1]!.shown).toBe('${DOCS:-http://127.0.0.1:9}/mcp\nAuthorization: Bearer ${SHOP_TOKEN}')
    for (const { name } of servers) await acceptServer(host.client, { name })
    expect(await host.client['mcp.test']({ name: 'db' })).toMatchObject({ ok: true })
    expect(await host.client['mcp.test']({ name: 'wants' })).toMatchObject({
      problem: 'It needs the key NOT_THERE, which is not stored.',
    })
    expect((await host.client['mcp.test']({ name: 'docs' })).problem).not.toContain('variables')
  })

  test('that has a name of the person or of another project is named', async () => {
    using home = aHome()
    const shop = aProject(home.path, 'shop', { db: program('good'), mine: program('good') })
    const yard = aProject(home.path, 'yard', { db: program('good') })
    await using host = await aProjectHost(home.path)
    await putServer(host.client, { server: aMisbehaving('mine') })
    await trust(host, shop)
    await trust(host, yard)
    const { projects } = await list(host)
    expect(await statesOf(host)).toEqual([
      ['mine', 'off', null],
      ['db', 'not accepted', shop],
      ['db-yard', 'not accepted', yard],
    ])
    expect(projects).toEqual([
      {
        folder: shop,
        trusted: true,
        problems: ['You have a server of your own named mine, which is used instead.'],
      },
      { folder: yard, trusted: true, problems: [] },
    ])
    await acceptServer(host.client, { name: 'db-yard' })
    await host.client['mcp.test']({ name: 'db-yard' })
    expect((await useIn(host, yard, 'mcp__db-yard__echo'))[1]).toContain('\nx\n')
    const stands = expect.objectContaining({
      message: expect.stringContaining(`is defined in the .mcp.json of ${shop}`),
    })
    await expect(host.client['mcp.remove']({ name: 'db' })).rejects.toEqual(stands)
    await expect(host.client['mcp.entry']({ name: 'db' })).rejects.toEqual(stands)
    // The user's own server replaces those of both folders as soon as it exists.
    await putServer(host.client, { server: aMisbehaving('db') })
    expect((await statesOf(host)).map(([name, , project]) => [name, project])).toEqual([
      ['mine', null],
      ['db', null],
    ])
  })

  test('keeps what was switched over a restart, and its network is switched on its card', async () => {
    using home = aHome()
    const shop = aProject(home.path, 'shop', { db: program('good') })
    {
      await using host = await aProjectHost(home.path)
      await trust(host, shop)
      await list(host)
      await acceptServer(host.client, { name: 'db' })
      await host.client['mcp.test']({ name: 'db' })
      await host.client['mcp.switch']({ name: 'db', tool: 'add', on: false })
      expect(await switchServer(host.client, { name: 'db', network: true })).toMatchObject({
        reach: 'program with network',
        state: 'off',
      })
      await host.client['mcp.switch']({ name: 'db', on: false })
    }
    await using host = await aProjectHost(home.path)
    const { servers } = await list(host)
    expect(servers[0]).toMatchObject({ name: 'db', state: 'disabled', reach: 'program with network' })
  })
})

describe('a hostile .mcp.json', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  test.each([
    ['that is too large', ' '.repeat(200_000), 'The file cannot be read. It is larger than 100 kB.'],
    ['that is no JSON', 'hello', 'This is not a JSON object.'],
    [
      'that is nested too deep',
      `{"mcpServers": {"a": ${deep(40_000)}}}`,
      'This JSON is nested deeper than 40 levels.',
    ],
    ['with bytes of zero', '{"mcpServers": {}}\0', 'The file cannot be read. It is no text.'],
    ['with a list of servers', '{"mcpServers": [1]}', 'There is no server in this text.'],
    [
      'with comments without an end',
      `{,${'/**/'.repeat(2_000)}${'/* '.repeat(20_000)}`,
      'This JSON has a mistake.',
    ],
  ])('%s has a plain answer', async (_what, text, problem) => {
    using home = aHome()
    const shop = aProject(home.path, 'shop', text)
    await using host = await aProjectHost(home.path)
    await trust(host, shop)
    expect((await list(host)).projects).toEqual([
      { folder: shop, trusted: true, problems: [expect.stringContaining(problem)] },
    ])
  })

  test('names what is wrong with each entry, and the others work', async () => {
    using home = aHome()
    const shop = aProject(home.path, 'shop', {
      good: program('good'),
      Good: program('good'),
      'hid\u202eden': program('good'),
      'ring\u0007': program('good'),
      number: 7,
      words: { command: 'node', args: 'server.js' },
      env: { command: 'node', env: { A: { b: 1 } } },
      none: {},
      file: { url: 'file:///etc/passwd' },
      '': program('good'),
      __proto__x: program('good'),
    })
    await using host = await aProjectHost(home.path)
    await trust(host, shop)
    const { projects, servers } = await list(host)
    expect(servers.map(({ name }) => name)).toEqual(['good', 'proto__x'])
    expect(projects[0]!.problems.map(text => text.replaceAll(/\p{C}/gu, '?'))).toEqual([
      'good: Two servers have this name. The first one is used.',
      'hid?den: Its name has invisible characters.',
      'ring?: Its name has invisible characters.',
      'number: It is not an object.',
      'words: Its arguments (args) are not a list of strings.',
      'env: Its variables (env) are not an object with string values.',
      'none: It has neither a command nor an address (url).',
      'file: Its address (url) does not start with http:// or https://.',
      ': Its name or one of its values cannot be used.',
    ])
    await acceptServer(host.client, { name: 'good' })
    expect(await host.client['mcp.test']({ name: 'good' })).toMatchObject({ ok: true })
  })

  test.skipIf(process.platform === 'win32')(
    'that leads out of the folder, or is no file, is not read',
    async () => {
      using home = aHome()
      const outside = aProject(home.path, 'outside', { db: program('good') })
      const names = ['link', 'pipe', 'folder']
      for (const name of names) mkdirSync(join(home.path, name))
      symlinkSync(join(outside, '.mcp.json'), join(home.path, 'link', '.mcp.json'))
      execFileSync('mkfifo', [join(home.path, 'pipe', '.mcp.json')])
      mkdirSync(join(home.path, 'folder', '.mcp.json'))
      await using host = await aProjectHost(home.path)
      for (const name of names) await trust(host, realpathSync(join(home.path, name)))
      const { projects, servers } = await list(host)
      expect(servers).toEqual([])
      expect(projects.map(({ problems }) => problems)).toEqual([
        ['The file cannot be read. It is a link that leads out of the folder.'],
        ['The file cannot be read. It is no file.'],
        [expect.stringMatching(/^The file cannot be read\./)],
      ])
    },
  )
})
