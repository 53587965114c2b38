import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aTalkingHost } from '../../../testing/gateway/a-gateway.ts'
import { aPhone } from '../../../testing/gateway/folder-platform.ts'
import { pairPhone } from '../../../testing/gateway/pair-phone.ts'
import { aHome, type TestHost, transcript } from '../../../testing/host/a-host.ts'

// Rights on a messenger, through a whole host: paired and shown in the window, asked on the phone.

const soon = { timeout: 15_000, interval: 10 }
const write = (content: string) => ({
  toolCalls: [{ name: 'write_file', arguments: { path: 'a.txt', content } }],
})
const onlyChat = async ({ client }: Pick<TestHost, 'client'>) =>
  (await client['session.list']({})).sessions[0]!

test('a phone is paired, asked and answers, while the window watches; then the window is faster', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, { isPaired: true, coreTools: true })
  host.phone.writes('is somebody there?')
  await expect.poll(() => host.phone.confirmed(), soon).toBe('000001.json')
  expect(host.phone.texts()).toEqual([])
  await pairPhone(host, host.phone, 'you', 'ask')

  host.server.reply(write('one'), { text: 'Written.' })
  host.phone.writes('write one')
  await expect.poll(() => host.phone.texts().at(-1), soon).toContain('Question 1')
  expect(host.phone.texts().at(-1)).toContain('one')
  const { id, workspace, activeRunId, waiting } = await onlyChat(host)
  expect(waiting).toBe(true)
  expect(existsSync(join(workspace, 'a.txt'))).toBe(false)
  // Another contact presses the same button, and so does a stranger, who gets no answer.
  const [button] = host.phone.sees().at(-1)!.buttons
  const { id: messageId } = host.phone.sees().at(-1)!
  const stranger = aPhone(host.folder, { id: '9', name: 'Mallory' })
  const bob = aPhone(host.folder, { id: '8', name: 'Bob' })
  await pairPhone(host, bob, 'other', 'ask')
  for (const phone of [stranger, bob])
    phone.arrive(key => ({
      kind: 'press',
      key,
      place: phone.place,
      from: phone.sender,
      pressId: key,
      messageId,
      data: button!.data,
    }))
  await expect.poll(() => bob.told(), soon).toEqual(['This question is for somebody else.'])
  host.phone.presses('Allow once')
  await expect.poll(() => host.phone.texts().at(-1), soon).toBe('Written.')
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one')
  const { messages } = await host.client['session.messages']({ id })
  expect(messages.find(({ role }) => role === 'tool')).toMatchObject({
    record: { decision: 'ran', by: 'user', how: 'once', from: 'you on Folder messenger' },
  })
  const events: unknown[] = []
  for await (const event of host.client['run.watch']({ runId: activeRunId! })) events.push(event)
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'approval_resolved', decision: 'once', from: 'you on Folder messenger' }),
  )
  await expect.poll(() => host.phone.texts().join('\n'), soon).toContain('Allowed here')

  host.server.reply(write('two'), { text: 'Written again.' })
  host.phone.writes('write two')
  await expect.poll(() => host.phone.sees().at(-1)!.buttons.length, soon).toBe(2)
  const { activeRunId: runId } = await onlyChat(host)
  let approvalId = ''
  for await (const event of host.client['run.watch']({ runId: runId! })) {
    if (event.type !== 'approval_request') continue
    approvalId = event.approval.id
    break
  }
  await host.client['run.approve']({ runId: runId!, approvalId, decision: 'deny' })
  await expect.poll(() => host.phone.texts().at(-1), soon).toBe('Written again.')
  await expect.poll(() => host.phone.texts().join('\n'), soon).toContain('Denied at the computer')
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one')
  expect(host.mistakes()).toEqual([])
})

test('what reaches outside the folder is decided at the computer, and somebody else is refused at once', async () => {
  using home = aHome()
  await using host = await aTalkingHost(home.path, { isPaired: true, coreTools: true })
  await pairPhone(host, host.phone, 'you', 'ask')
  const folder = mkdtempSync(join(tmpdir(), 'talaria-outside-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const outside = join(folder, 'diary.txt')
  writeFileSync(outside, 'Dear diary')
  host.server.reply(
    { toolCalls: [{ name: 'read_file', arguments: { path: outside } }] },
    { text: 'Not read.' },
  )
  host.phone.writes('read outside')
  await expect.poll(() => host.phone.texts().at(-1), soon).toContain('Decide at the computer')
  expect(
    host.phone
      .sees()
      .at(-1)!
      .buttons.map(({ text }) => text),
  ).toEqual(['Deny'])
  host.phone.writes('/approve 1')
  await expect.poll(() => host.phone.texts().at(-1), soon).toMatch(/^It reaches outside/)
  host.phone.writes('/deny 1')
  await expect.poll(() => host.phone.texts(), soon).toContain('Not read.')
  expect(JSON.stringify(host.server.chats().at(-1)!.body)).not.toContain('Dear diary')

  const other = aPhone(host.folder, { id: '8', name: 'Bob' })
  await host.client['memory.add']({ target: 'user', text: 'Grows roses.' })
  await pairPhone(host, other, 'other', 'deny')
  host.server.reply(write('three'), { text: 'I may not.' })
  other.writes('write three')
  await expect.poll(() => other.texts().at(-1), soon).toBe('I may not.')
  const prompts = host.server.chats().map(({ body }) => JSON.stringify(body))
  expect(prompts.at(-1)).not.toContain('Grows roses.')
  const chat = (await host.client['session.list']({})).sessions.find(
    each => each.origin === 'messenger_other',
  )
  expect((await transcript(host, chat!.id)).find(line => line.startsWith('result:'))).toMatch(
    /denied|not allowed/i,
  )

  // The user lets Bob's chats read memory; this applies to new ones.
  const bob = (await host.client['gateway.state']({})).contacts.find(({ relation }) => relation === 'other')!
  await host.client['gateway.change']({ id: bob.id, seen: bob.seen, readsMemory: true })
  other.writes('/new')
  await expect.poll(() => other.texts().at(-1), soon).toContain('A new chat begins.')
  host.server.reply({ text: 'Roses.' })
  other.writes('what grows?')
  await expect.poll(() => other.texts().at(-1), soon).toBe('Roses.')
  expect(JSON.stringify(host.server.chats().at(-1)!.body)).toContain('Grows roses.')
  expect(
    (await host.client['gateway.state']({})).contacts.find(({ id }) => id === bob.id)!.today.tokens,
  ).toBeGreaterThan(0)
})
