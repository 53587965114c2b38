import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aChat, aHome, aHost, aServer, turn } from '../../../testing/host/a-host.ts'
import { answering, unconfined } from '../../../testing/mcp/chats-with-servers.ts'
import { fakeWeb } from '../../../testing/web/fake-web.ts'
import type { FetchAddress } from './web-parts.ts'

const SITE = 'https://rebound.example.org'
const LEADS_HOME = 'its name leads to this computer or to your own network'
const read = (address: string) => ({ name: 'web_read', arguments: { address } })
const done = { text: 'That is all.' }

/** A host on a web where one site, once requested, turns out to lead to this computer. */
async function aHostWhereOneLeadsHome(home: string) {
  const web = fakeWeb(new Map())
  const fetchAddress: FetchAddress = async (address, options) =>
    address.startsWith(SITE) && !options.mayPrivate?.includes('rebound.example.org')
      ? { refused: 'Nothing was asked of it: it leads home.', privateHost: 'rebound.example.org' }
      : await web.access.fetchAddress(address, options)
  writeFileSync(join(home, 'config.yaml'), 'toolsets:\n  everything: { web: true }\n')
  const host = await aHost(home, { coreTools: true, ...unconfined, web: { ...web.access, fetchAddress } })
  const asked: string[] = []
  return { host, sent: web.sent, asked, [Symbol.asyncDispose]: host.close }
}

test('a card from before another chat found out that its site leads home does not let it be asked', async () => {
  using home = aHome()
  await using on = await aHostWhereOneLeadsHome(home.path)
  await using model = await aServer(on.host.client)
  const [first, second] = [await aChat(on.host, model), await aChat(on.host, model)]
  const [early, late] = [`${SITE}/early`, `${SITE}/late`]
  const other = [{ toolCalls: [read(late)] }, done]
  const mine = [{ toolCalls: [read(early)] }, { toolCalls: [read(early)] }, done]
  model.reply(({ body }) => (JSON.stringify(body.messages).includes('Elsewhere') ? other : mine).shift()!)
  let isFirst = true
  await turn(on.host, first.id, 'Look around.', async (event, runId) => {
    if (event.type === 'approval_request' && isFirst) {
      isFirst = false
      await turn(on.host, second.id, 'Elsewhere.', answering(on.host, 'once', on.asked))
    } else if (event.type === 'approval_request') expect(on.sent).toEqual([])
    await answering(on.host, 'once', on.asked)(event, runId)
  })
  expect(on.asked.map(reason => reason.includes(LEADS_HOME))).toEqual([false, false, true])
  expect(on.sent).toEqual([early])
})

test('a card about a key in an address is none about where it leads, and later says both', async () => {
  using home = aHome()
  await using on = await aHostWhereOneLeadsHome(home.path)
  await using model = await aServer(on.host.client)
  const { id } = await aChat(on.host, model, { approval: 'full' })
  const address = `${SITE}/?token=abc`
  model.reply({ toolCalls: [read(address)] }, { toolCalls: [read(address)] }, done)
  await turn(on.host, id, `See ${address}`, async (event, runId) => {
    if (event.type === 'approval_request') expect(on.sent).toEqual([])
    await answering(on.host, 'once', on.asked)(event, runId)
  })
  expect(on.asked).toEqual([
    expect.stringContaining('because it contains a login secret (token)'),
    expect.stringContaining(`because ${LEADS_HOME}, and it contains a login secret (token)`),
  ])
  expect(on.sent).toEqual([address])
})
