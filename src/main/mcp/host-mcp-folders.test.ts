import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { aChat, aHome, aServer, turn } from '../../../testing/host/a-host.ts'
import { aHostWith, answering, find, results, use } from '../../../testing/mcp/chats-with-servers.ts'
import type { LocalMcpServer } from '../../shared/contract/connections/mcp.ts'
import { acceptServer, putServer, switchServer } from '../../../testing/mcp/agree.ts'

describe('the folder of a chat', () => {
  test('is the root of the servers that this chat uses, in a process that no other folder reaches', async () => {
    using home = aHome()
    await using host = await aHostWith(home.path, { echoes: ['roots'] })
    await using model = await aServer(host.client)
    const told = async (folder: string) => {
      mkdirSync(join(home.path, folder), { recursive: true })
      const workspace = realpathSync(join(home.path, folder))
      const { id } = await host.client['session.create']({
        modelId: model.modelId,
        approval: 'full',
        workspace,
      })
      await switchServer(host.client, { name: 'echoes', tool: 'echo', unasked: true })
      model.reply(find('mcp__echoes__echo'), use('mcp__echoes__echo', { text: 'x' }), { text: 'Done.' })
      await turn(host, id, 'Where are you?')
      const [, line] = await results(host, id)
      const { pid, cwd, told } = JSON.parse(line!.split('\n')[1]!)
      return { pid, cwd, roots: told.result?.roots.map((root: { uri: string }) => root.uri), workspace }
    }
    const first = await told('first place')
    expect(first.roots).toEqual([pathToFileURL(first.workspace).href])
    const second = await told('second#1')
    expect(second.roots).toEqual([pathToFileURL(second.workspace).href])
    expect(second.pid).not.toBe(first.pid)
    // Another chat in the same folder uses the same process. Every process works in the server's folder.
    expect(await told('first place')).toEqual(first)
    expect([first.cwd, second.cwd]).toEqual(
      Array(2).fill(realpathSync(join(home.path, 'connections', 'echoes'))),
    )
    // Without a chat there is no root.
    const { text } = await host.client['mcp.call']({ name: 'echoes', tool: 'echo', args: { text: 'x' } })
    expect(text).toContain('Method not found')
  })
})

describe('a chat that found a tool', () => {
  test('is told that its server got another name or was edited by hand, and finds it again', async () => {
    using home = aHome()
    await using host = await aHostWith(home.path, { echoes: ['good'] })
    await using model = await aServer(host.client)
    const { id } = await aChat(host, model, { approval: 'full' })
    const say = async (...replies: ReturnType<typeof find | typeof use>[]) => {
      model.reply(...replies, { text: 'Done.' })
      await turn(host, id, 'Go.', answering(host, 'once'))
      return (await results(host, id)).at(-1)!
    }
    expect(await say(find('mcp__echoes__echo'), use('mcp__echoes__echo', { text: 'one' }))).toContain(
      '\none\n',
    )
    const { server } = await host.client['mcp.entry']({ name: 'echoes' })
    await putServer(host.client, { server: { ...server, name: 'voices' }, was: 'echoes' })
    expect(await say(use('mcp__echoes__echo', { text: 'x' }))).toBe(
      'result: Error: There is no tool mcp__echoes__echo. It was changed, switched off or removed since you found it.',
    )
    expect(await say(find('mcp__voices__echo'), use('mcp__voices__echo', { text: 'two' }))).toContain(
      '\ntwo\n',
    )

    // By hand: another command, and a second server of the same name.
    const file = join(home.path, 'config.yaml')
    const [first, second] = [server, server].map(each => ({ ...each, name: 'voices' }))
    const config = parse(readFileSync(file, 'utf8'))
    config.mcp.servers = [{ ...first, args: [...(first as LocalMcpServer).args, 'more'] }, second]
    writeFileSync(file, stringify(config))
    const { servers } = await host.client['mcp.list']({})
    expect(servers.map(({ name, state }) => [name, state])).toEqual([['voices', 'not accepted']])
    expect(await say(use('mcp__voices__echo', { text: 'x' }))).toContain(
      'It was changed, switched off or removed',
    )
    await acceptServer(host.client, { name: 'voices' })
    await host.client['mcp.test']({ name: 'voices' })
    expect(await say(use('mcp__voices__echo', { text: 'three' }))).toContain('\nthree\n')
  })
})
