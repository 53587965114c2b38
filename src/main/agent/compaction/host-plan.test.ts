import { expect, test } from 'vitest'
import type { ServedRequest } from '../../../../testing/servers/openai-server.ts'
import { aChat, aHome, aHost, aServer, turn, type TestHost } from '../../../../testing/host/a-host.ts'

const PLAN = '[x] Read the file\n[>] Change it\n[ ] Run the tests'
const plans = (plan: string) => ({ toolCalls: [{ name: 'todo', arguments: { plan } }] })
const textOf = ({ body }: ServedRequest) =>
  (body.messages as { content: string | null }[]).map(({ content }) => content ?? '').join('\n')
const asks = (marker: string) => (request: ServedRequest) =>
  (request.body.messages.at(-1) as { content: string | null }).content?.includes(marker) ?? false

async function compact({ client }: TestHost, sessionId: string) {
  const { runId } = await client['chat.compact']({ sessionId })
  for await (const _event of client['run.watch']({ runId })) {
    // Following the run to its end.
  }
  return (await client['session.compactions']({ id: sessionId })).compactions.at(-1)!.summary
}

test('an open plan stands below each summary word for word, and a finished one is left to the summary', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const { id } = await aChat(host, server)
  let next: object | undefined
  server.reply(request => {
    if (asks('[Review]')(request)) return { text: 'Nothing to save.' }
    if (asks('[Summary]')(request)) return { text: '## Goal\nTo change it\n## Gotchas\n- None so far' }
    const now = next ?? { text: 'Well, go on then. '.repeat(40) }
    next = undefined
    return now
  })
  const talk = async () => {
    for (const n of [1, 2, 3, 4]) await turn(host, id, `Question ${n}. ${'Many words follow. '.repeat(60)}`)
  }
  // The first exchange is never replaced.
  await turn(host, id, 'Hello.')
  next = plans(PLAN)
  await talk()
  for (const round of [1, 2]) {
    expect(await compact(host, id), `summary ${round}`).toMatch(
      /## Goal\n[^]*\n\n## Plan, as it stood\n\[x\] Read the file\n\[>\] Change it\n\[ \] Run the tests$/,
    )
    await turn(host, id, 'Go on.')
    const read = textOf(server.chats().at(-1)!)
    expect(read.match(/\[>\] Change it/g)).toHaveLength(1)
    await talk()
  }
  next = plans(PLAN.replace('[>]', '[x]').replace('[ ]', '[-]'))
  await turn(host, id, 'Finish.')
  await talk()
  expect(await compact(host, id)).not.toContain('as it stood')
  expect(host.mistakes()).toEqual([])
})

test('a question is answered over the contract, and its answer is what the model reads', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const { id } = await aChat(host, server)
  server.reply(
    { toolCalls: [{ name: 'ask_user', arguments: { question: 'Which one?', choices: ['a', 'b'] } }] },
    { text: 'Then b.' },
  )
  const { runId } = await host.client['chat.send']({ sessionId: id, text: 'Choose.' })
  for await (const event of host.client['run.watch']({ runId }))
    if (event.type === 'approval_request') {
      expect((await host.client['session.get']({ id })).waiting).toBe(true)
      expect(event.approval.question).toEqual({ text: 'Which one?', choices: ['a', 'b'] })
      await host.client['run.approve']({ runId, approvalId: event.approval.id, decision: 'once', note: 'b' })
    }
  expect(textOf(server.chats().at(-1)!)).toContain('The user answers: b')
})
