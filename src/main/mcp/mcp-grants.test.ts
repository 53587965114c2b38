import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aChat, aHome, aHost, aServer, turn, type TestHost } from '../../../testing/host/a-host.ts'
import {
  aHostWith,
  aMisbehaving,
  answering,
  find,
  results,
  unconfined,
  use,
} from '../../../testing/mcp/chats-with-servers.ts'
import { until } from '../../../testing/until.ts'
import { acceptServer, putServer, switchServer } from '../../../testing/mcp/agree.ts'

const echo = use('mcp__echoes__echo', { text: 'x' })
const toolOf = async (host: TestHost, tool = 'echo') => {
  const { servers } = await host.client['mcp.list']({})
  return servers[0]?.tools.find(each => each.name === tool)
}
/** The newest result of a turn in which the model calls the tool once. */
async function callIn(
  host: TestHost,
  id: string,
  model: Awaited<ReturnType<typeof aServer>>,
  asked: string[],
) {
  model.reply(echo, { text: 'Done.' })
  await turn(host, id, 'Go.', answering(host, 'deny', asked))
  return (await results(host, id)).at(-1)
}

describe('a tool that is always allowed on a card', () => {
  test('runs in other chats, also after a restart, until that is taken back', async () => {
    using home = aHome()
    const asked: string[] = []
    {
      await using host = await aHostWith(home.path, { echoes: ['good'] })
      await using model = await aServer(host.client)
      const { id } = await aChat(host, model, { approval: 'ask' })
      model.reply(find('echo'), echo, echo, { text: 'Done.' })
      const offered: (string | undefined)[] = []
      await turn(host, id, 'Go.', async (event, runId) => {
        if (event.type === 'approval_request') offered.push(event.approval.always)
        await answering(host, 'always', asked)(event, runId)
      })
      expect([asked.length, offered]).toEqual([1, ['echo of echoes']])
      expect(await toolOf(host)).toMatchObject({ unasked: true })
      expect(await toolOf(host, 'add')).toMatchObject({ unasked: false })
    }
    await using host = await aHost(home.path, { coreTools: true, ...unconfined })
    await using model = await aServer(host.client)
    const { id } = await aChat(host, model, { approval: 'ask' })
    model.reply(find('echo'), { text: 'Found.' })
    await turn(host, id, 'Look.')
    expect(await callIn(host, id, model, asked)).toContain('\nx\n')
    expect(asked).toHaveLength(1)
    await host.client['mcp.switch']({ name: 'echoes', tool: 'echo', unasked: false })
    expect(await callIn(host, id, model, asked)).toContain('denied')
    expect(asked).toHaveLength(2)
    expect(host.mistakes()).toEqual([])
  })

  test('asks again once it changed and was accepted', async () => {
    using home = aHome()
    await using host = await aHostWith(home.path, { echoes: ['rug pull', join(home.path, 'starts')] })
    await using model = await aServer(host.client)
    await switchServer(host.client, { name: 'echoes', tool: 'echo', unasked: true })
    const { id } = await aChat(host, model, { approval: 'ask' })
    model.reply(find('echo'), { text: 'Found.' })
    await turn(host, id, 'Look.')
    await host.client['mcp.restart']({ name: 'echoes' })
    await host.client['mcp.test']({ name: 'echoes' })
    expect(await toolOf(host)).toMatchObject({ state: 'changed' })
    await acceptServer(host.client, { name: 'echoes', tool: 'echo' })
    expect(await toolOf(host)).toMatchObject({ state: 'on', unasked: false })
    const asked: string[] = []
    expect(await callIn(host, id, model, asked)).toContain('denied')
    expect(asked).toHaveLength(1)
  })

  test('is not stored if it changed while the question was open', async () => {
    using home = aHome()
    await using host = await aHostWith(home.path, { echoes: ['good'] })
    await using model = await aServer(host.client)
    const { id } = await aChat(host, model, { approval: 'ask' })
    model.reply(find('echo'), echo, { text: 'Done.' })
    const warnings: string[] = []
    await turn(host, id, 'Go.', async (event, runId) => {
      if (event.type === 'warning') warnings.push(event.text)
      if (event.type !== 'approval_request') return
      await putServer(host.client, { server: aMisbehaving('echoes', ['bad tool']) })
      await host.client['mcp.test']({ name: 'echoes' })
      await answering(host, 'always')(event, runId)
    })
    expect(warnings).toEqual([
      'It ran once, but it will ask again. The tool changed or was switched off meanwhile.',
    ])
    expect(await toolOf(host)).toMatchObject({ unasked: false })
  })
})

describe('a grant for a chat', () => {
  test.each([
    ['another program takes the name', aMisbehaving('echoes', ['bad tool'])],
    ['it was removed and added again', aMisbehaving('echoes')],
  ])('ends when %s', async (_, server) => {
    using home = aHome()
    await using host = await aHostWith(home.path, { echoes: ['good'] })
    await using model = await aServer(host.client)
    const { id } = await aChat(host, model, { approval: 'ask' })
    model.reply(find('echo'), echo, echo, { text: 'Done.' })
    const asked: string[] = []
    await turn(host, id, 'Go.', answering(host, 'chat', asked))
    expect(asked).toHaveLength(1)
    await host.client['mcp.remove']({ name: 'echoes' })
    expect(await callIn(host, id, model, asked)).toBe(
      'result: Error: There is no tool mcp__echoes__echo. It was changed, switched off or removed since you found it.',
    )
    // Wait a millisecond, since grants count from the time when the server was added.
    const before = Date.now()
    await until(() => Date.now() > before)
    await putServer(host.client, { server })
    await host.client['mcp.test']({ name: 'echoes' })
    expect(await callIn(host, id, model, asked)).toContain('denied')
    expect(asked).toHaveLength(2)
  })
})

test('nobody can allow a tool that nobody agreed to', async () => {
  using home = aHome()
  await using host = await aHostWith(home.path, { echoes: ['good'] })
  await expect(switchServer(host.client, { name: 'echoes', tool: 'nothing', unasked: true })).rejects.toThrow(
    'You have not agreed to a tool nothing of echoes.',
  )
})

test('a card shows the arguments whole, however long they are', async () => {
  using home = aHome()
  await using host = await aHostWith(home.path, { echoes: ['good'] })
  await using model = await aServer(host.client)
  const { id } = await aChat(host, model, { approval: 'ask' })
  const text = `${'a '.repeat(5_000)}and then the end`
  model.reply(find('echo'), use('mcp__echoes__echo', { text }), { text: 'Done.' })
  const details: string[] = []
  await turn(host, id, 'Go.', async (event, runId) => {
    if (event.type === 'approval_request') details.push(event.approval.detail)
    await answering(host, 'deny')(event, runId)
  })
  expect(details).toEqual([JSON.stringify({ text }, null, 2)])
})
