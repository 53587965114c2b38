import { expect, test } from 'vitest'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'
import type { Approval } from '../../../shared/contract/runs/run.ts'
import { aChat, aHome, aHost, aServer, type TestHost } from '../../../../testing/host/a-host.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')

/** A chat whose model calls `schedule`: the cards shown, and the result that the model reads. */
async function call(
  host: TestHost,
  server: Awaited<ReturnType<typeof aServer>>,
  given: Record<string, unknown>,
  { approval = 'full', answer = 'once' }: { approval?: ApprovalMode; answer?: 'once' | 'deny' } = {},
) {
  const { id } = await aChat(host, server)
  await host.client['session.update']({ id, approval })
  await host.client['toolset.only']({ sessionId: id, names: ['schedules'] })
  server.reply({ toolCalls: [{ name: 'schedule', arguments: given }] }, { text: 'Well.' })
  const { runId } = await host.client['chat.send']({ sessionId: id, text: 'Do it.' })
  const cards: Approval[] = []
  for await (const event of host.client['run.watch']({ runId }))
    if (event.type === 'approval_request') {
      cards.push(event.approval)
      await host.client['run.approve']({ runId, approvalId: event.approval.id, decision: answer })
    }
  const { messages } = await host.client['session.messages']({ id })
  return { cards, read: messages.find(({ role }) => role === 'tool')?.text ?? '' }
}

test('a chat makes, pauses and removes a schedule, each time after a card, with full access too', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true, now: () => NOW, zone: () => 'Europe/Berlin' })
  await using server = await aServer(host.client)
  const list = async () => (await host.client['schedule.list']({})).schedules
  const added = await call(host, server, {
    action: 'add',
    when: 'every weekday at 8',
    task: 'Summarise my notes.',
  })
  expect(added.cards).toMatchObject([{ mayAllowInChat: false, reason: expect.stringContaining('by itself') }])
  expect(added.cards[0]?.detail).toMatch(
    /^Next runs, in Europe\/Berlin:\n {2}Thursday.* 26 November 2026.*08:00\n[^]*\n\nTask:\nSummarise my notes\.$/,
  )
  const [schedule] = await list()
  expect(schedule).toMatchObject({ task: 'Summarise my notes.', modelId: server.modelId, mode: 'none' })
  expect(added.read).toContain(`Added. Summarise my notes (id ${schedule!.id})`)

  const listed = await call(host, server, { action: 'list' })
  expect([listed.cards, listed.read]).toEqual([[], expect.stringContaining(schedule!.id)])
  const denied = await call(host, server, { action: 'remove', id: schedule!.id }, { answer: 'deny' })
  expect([denied.cards.length, (await list()).length]).toEqual([1, 1])
  await call(host, server, { action: 'pause', id: schedule!.id })
  expect((await list())[0]?.paused).not.toBeNull()
  await call(host, server, { action: 'remove', id: schedule!.id })
  expect(await list()).toEqual([])
  expect(host.mistakes()).toEqual([])
})

test('what cannot be planned, or is allowed by nobody, is said to the model', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true, now: () => NOW, zone: () => 'Europe/Berlin' })
  await using server = await aServer(host.client)
  for (const [given, said] of [
    [{ action: 'add', when: 'every day', task: 'Sing.' }, 'Ask the user if you do not know.'],
    [{ action: 'add', when: 'every day at 8' }, 'What shall be done?'],
    [{ action: 'add', task: 'Sing.' }, 'When shall it run?'],
    [{ action: 'remove', id: 'nothing' }, 'There is no schedule with this id.'],
  ] as const) {
    const { cards, read } = await call(host, server, given)
    expect([cards, read]).toEqual([[], expect.stringContaining(said)])
  }
  const alone = await call(
    host,
    server,
    { action: 'add', when: 'every day at 8', task: 'Sing.' },
    { approval: 'none' },
  )
  expect(alone).toEqual({ cards: [], read: expect.stringContaining('nobody is here to give it') })
  expect((await host.client['schedule.list']({})).schedules).toEqual([])
})
