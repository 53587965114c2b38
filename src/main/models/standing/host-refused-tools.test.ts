import { expect, test } from 'vitest'
import { aHome, aChat, aServer, turn } from '../../../../testing/host/a-host.ts'
import { aHostWith, answering, results, use } from '../../../../testing/mcp/chats-with-servers.ts'
import type { ServedReply, ServedRequest } from '../../../../testing/servers/openai-server.ts'

const toolsOf = (request: ServedRequest | undefined): string[] =>
  (request?.body.tools ?? []).map((each: { function: { name: string } }) => each.function.name)
const PINNED = 'mcp__echoes__add'
/** An API that rejects the schema of one tool, and names its place in the list. */
function pickyWith(...replies: ServedReply[]) {
  return (request: ServedRequest): ServedReply => {
    const at = toolsOf(request).indexOf(PINNED)
    const message = `tools.${at}.custom.input_schema: input_schema does not support anyOf at the top level`
    return at >= 0 ? { status: 400, body: { error: { message } } } : (replies.shift() ?? {})
  }
}

test('a pinned tool that an API refuses is left out, said once, shown as left out, and still in reach', async () => {
  using home = aHome()
  await using host = await aHostWith(home.path, { echoes: ['good'] })
  await using model = await aServer(host.client)
  await host.client['mcp.switch']({ name: 'echoes', tool: 'add', pinned: true })
  const { id } = await aChat(host, model, { approval: 'full' })
  model.reply(pickyWith(use(PINNED, { a: 1, b: 2 }), { text: 'Three.' }))
  const warned: string[] = []
  await turn(host, id, 'Add one and two.', async (event, runId) => {
    if (event.type === 'warning') warned.push(event.text)
    await answering(host, 'once')(event, runId)
  })
  expect(warned).toEqual([
    expect.stringMatching(
      /does not accept the tool mcp__echoes__add: “tools\.\d+\.custom.*”\. It is not sent to this model any more\. find_tool and use_tool still reach it\.$/,
    ),
  ])
  expect((await results(host, id))[0]).toContain('\n3\n')

  const { sections } = await host.client['session.context']({ id })
  const shown = sections.find(({ name }) => name === 'tools')
  expect(shown?.title).toBe('Tools, sent beside the text')
  expect(shown?.leftOut?.text).toMatch(/^mcp__echoes__add, because .* does not accept it: “tools/m)
  expect(shown?.text).not.toContain(PINNED)
  expect(shown?.text).toContain('use_tool')

  // Another chat omits the tool at once, without another notice.
  const other = await aChat(host, model, { approval: 'full' })
  const before = model.chats().length
  model.reply(pickyWith({ text: 'Hello.' }))
  await turn(host, other.id, 'Hello.', async event => {
    if (event.type === 'warning') warned.push(event.text)
  })
  expect([model.chats().length - before, warned.length]).toEqual([1, 1])
  expect(host.mistakes()).toEqual([])
})
