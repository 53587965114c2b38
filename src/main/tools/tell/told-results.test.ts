import { expect, test, vi } from 'vitest'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import type { TestHost } from '../../../../testing/host/a-host.ts'
import { tellResult } from './tell-result.ts'
import type { Registry } from '../registry/registry.ts'
import type { Tool } from '../registry/tool.ts'

const made = vi.hoisted((): { registry?: Pick<Registry, 'names' | 'get'> } => ({}))
vi.mock(import('../registry/registry.ts'), async original => {
  const real = await original()
  return {
    ...real,
    createRegistry(...given) {
      const registry = real.createRegistry(...given)
      // The host's own registry knows which keys are set. Those of reviews and trials do not.
      if (given.length > 1) made.registry = registry
      return registry
    },
  }
})

// Other test files of this worker have already loaded the host, without the mock above.
vi.resetModules()
const { aChat, aHome, aServer, turn } = await import('../../../../testing/host/a-host.ts')
const { aHostWith, answering, find, use } = await import('../../../../testing/mcp/chats-with-servers.ts')

/** Tools without their own texts for the user, each with its reason. There are none. */
const WITHOUT: Readonly<Record<string, string>> = {}

const toolNamed = (name: string): Tool | undefined => made.registry?.get(name)

/** The texts shown to the user for the calls of a chat, from its stored messages. */
async function toldIn({ client }: TestHost, id: string): Promise<string[]> {
  const { messages } = await client['session.messages']({ id })
  const calls = new Map(
    messages.flatMap((each: Message) =>
      each.role === 'assistant' ? each.calls.map(call => [call.id, call] as const) : [],
    ),
  )
  return messages.flatMap((each: Message) =>
    each.role === 'tool'
      ? [tellResult(toolNamed(each.name), calls.get(each.callId)?.arguments ?? {}, each)]
      : [],
  )
}

test('every tool of a host says its result for a person', async () => {
  using home = aHome()
  await using _host = await aHostWith(home.path, { echoes: ['good'] })
  const names = made.registry?.names ?? []
  expect(names.length).toBeGreaterThan(14)
  expect(names).toContain('mcp__echoes__echo')
  expect(names.filter(name => !toolNamed(name)?.tell && !WITHOUT[name])).toEqual([])
})

const call = (name: string, given: object) => ({ toolCalls: [{ name, arguments: given }] })

test('a chat of a host: schedules, servers, and calls that did not run are told from what was stored', async () => {
  using home = aHome()
  await using host = await aHostWith(home.path, { echoes: ['good'] })
  await using server = await aServer(host.client)
  const { id } = await aChat(host, server)
  await host.client['toolset.only']({
    sessionId: id,
    names: ['schedules', 'mcp', 'mcp-echoes', 'terminal', 'files'],
  })
  const say = async (decision: 'once' | 'deny', ...replies: object[]) => {
    server.reply(...replies, { text: 'Well.' })
    await turn(host, id, 'Go on.', answering(host, decision))
  }
  await say('once', call('schedule', { action: 'list' }))
  await say(
    'once',
    call('schedule', { action: 'add', when: 'every weekday at 8', task: 'Summarise *my* notes.' }),
  )
  await say('once', call('schedule', { action: 'list' }))
  await say('once', call('schedule', { action: 'add', when: 'every day at 8' }))
  await say('once', find('say a text again'))
  await say('once', use('mcp__echoes__echo', { text: 'A `b`\n```\nc' }))
  await say('once', use('mcp__echoes__nothing', { text: 'A' }))
  await say('deny', call('terminal', { command: 'touch proof' }))
  await say('once', call('erase_everything', {}))
  await say('once', call('read_file', { pfad: 3 }))
  await say('once', call('memory', { action: 'add', target: 'user', content: 'A' }))
  const schedule =
    /^`Summarise \*my\* notes`: every weekday at 08:00, the next time on \S+ \d+ \S+ \d+ at 08:00 \(\S+\)/
  expect(await toldIn(host, id)).toEqual([
    'There are no schedules.',
    expect.stringMatching(
      new RegExp(schedule.source.replace('^', '^I added the schedule ') + String.raw`\.$`),
    ),
    expect.stringMatching(new RegExp(schedule.source.replace('^', '^There is 1 schedule:\n\n- ') + '$')),
    'What shall be done then? Please say it.',
    'I found 2 tools of connected servers:\n\n- `mcp__echoes__echo`: Say a text again.\n- `mcp__echoes__add`: Add two numbers.',
    '`mcp__echoes__echo` gave back:\n\n````\nA `b`\n```\nc\n````',
    'The connected servers have no tool `mcp__echoes__nothing`.',
    'You did not allow it, so nothing was done.',
    'I called a tool that does not exist here, so nothing was done.',
    'I did not put that together correctly, so nothing was done. Please say it in other words.',
    'That is switched off for this chat, with the toolset “memory”. You can switch it on under “Tools” below the message field.',
  ])
})
