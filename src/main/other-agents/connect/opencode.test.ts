import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aScriptFolder } from '../../../../testing/other-agents/a-script-folder.ts'
import { opencode } from './opencode.ts'

type Script = typeof import('../../../../resources/connect/opencode/talaria.js')
type Connected = ReturnType<typeof aScriptFolder>

const MODEL = { providerID: 'loop', modelID: 'fake' }

/** The side of opencode, in the formats observed with 1.18.33. */
async function aPlugin({ load }: Connected, { session = 'ses_1', directory = '/work/app' } = {}) {
  const { Talaria }: Script = await load('talaria.js')
  const hooks = await Talaria({ directory })
  const event = (type: string, properties: object) => hooks.event({ event: { type, properties } })
  const part = (part: object, sessionID = session) =>
    event('message.part.updated', { part: { sessionID, messageID: 'msg_2', ...part } })
  return {
    hooks,
    event,
    part,
    says: (text: string, id = 'msg_1', sessionID = session) =>
      hooks['chat.message'](
        { sessionID, model: MODEL },
        {
          message: { id, role: 'user', sessionID, time: { created: 1_000 }, agent: 'build', model: MODEL },
          parts: [
            { type: 'text', text },
            { type: 'text', synthetic: true, text: 'Called the Read tool with a.txt' },
            { type: 'file', url: 'file:///a.txt' },
          ],
        },
      ),
    calls: (id: string, tool: string, state: object) =>
      part({
        id,
        type: 'tool',
        tool,
        callID: 'call_0',
        state: { input: { command: 'ls' }, time: { start: 1, end: 1_200 }, ...state },
      }),
    completed: (id: string, more: object = {}) =>
      event('message.updated', {
        info: {
          id,
          sessionID: session,
          role: 'assistant',
          ...MODEL,
          time: { created: 1, completed: 1_300 },
          ...more,
        },
      }),
    idle: (sessionID = session) => event('session.idle', { sessionID }),
    /** Return the text that is put before a model. */
    async system(model = { providerID: 'loop', id: 'fake' }, sessionID = session) {
      const system = ['You are opencode.']
      await hooks['experimental.chat.system.transform']({ sessionID, model }, { system })
      return system.slice(1)
    },
  }
}

/** A turn with three calls: one refused, one with an exit code, one that succeeds and is reported twice. */
async function aTurn({ says, part, calls, completed, idle }: Awaited<ReturnType<typeof aPlugin>>) {
  await says('Please say hi.')
  await part({ id: 'prt_0', type: 'text', text: '' })
  await part({ id: 'prt_0', type: 'text', text: 'Let me look.', time: { start: 1, end: 2 } })
  await calls('prt_1', 'bash', { status: 'running', metadata: { output: 'h' } })
  const good = { status: 'completed', output: 'hi\n', metadata: { exit: 0 } }
  await calls('prt_1', 'bash', good)
  await calls('prt_1', 'bash', good)
  await calls('prt_2', 'bash', { status: 'completed', output: '', metadata: { exit: 3 } })
  await calls('prt_3', 'read', { status: 'error', error: 'The user rejected permission.' })
  await completed('msg_2', { time: { created: 1 } })
  await completed('msg_2')
  await completed('msg_2')
  await part({ id: 'prt_4', messageID: 'msg_3', type: 'text', text: 'All done.', time: { start: 3, end: 4 } })
  await completed('msg_3')
  await idle()
}

describe('what opencode does, in the spool', () => {
  test('a turn is told as it went, with the ids of opencode', async () => {
    using connection = aScriptFolder(opencode)
    const plugin = await aPlugin(connection)
    await aTurn(plugin)
    await plugin.hooks.dispose()
    await plugin.hooks.dispose()
    const told = connection.spooled('ses_1')
    expect(told.map(({ id, event }) => [id, event.type])).toEqual([
      ['msg_1', 'user_message'],
      ['prt_1', 'tool_result'],
      ['prt_2', 'tool_result'],
      ['prt_3', 'tool_result'],
      ['msg_2', 'reply'],
      ['msg_3', 'reply'],
      ['turn:msg_1', 'turn_end'],
      ['end:turn:msg_1', 'session_end'],
    ])
    expect(told[0]).toMatchObject({
      folder: '/work/app',
      model: 'loop/fake',
      event: { text: 'Please say hi.', at: 1_000 },
    })
    expect(told.slice(1, 6).map(({ event }) => event)).toMatchObject([
      { name: 'bash', arguments: { command: 'ls' }, ok: true, text: 'hi\n', at: 1_200 },
      { ok: false },
      { name: 'read', ok: false, text: 'The user rejected permission.' },
      { text: 'Let me look.', calls: 3, at: 1_300 },
      { text: 'All done.', calls: 0 },
    ])
  })

  test('a message during a turn, a turn that was stopped and one that failed are told as such', async () => {
    using connection = aScriptFolder(opencode)
    const { says, completed, part, idle } = await aPlugin(connection)
    await says('Count.')
    await says('Only to ten.', 'msg_9')
    await part({ id: 'prt_0', type: 'text', text: 'One', time: { start: 1, end: 2 } })
    await completed('msg_2', { error: { name: 'MessageAbortedError', data: {} } })
    await idle()
    await says('Again.', 'msg_10')
    await completed('msg_11', { error: { name: 'APIError', data: {} } })
    await idle()
    const events = connection.spooled('ses_1').map(({ event }) => event)
    expect(events).toMatchObject([
      { text: 'Count.' },
      { text: 'Only to ten.', steered: true },
      { type: 'reply', text: 'One' },
      { type: 'turn_end', reason: 'stopped' },
      { text: 'Again.' },
      { type: 'turn_end', reason: 'failed' },
    ])
  })

  test('what we gave ourselves, what sub-agents are told and summaries of opencode are not told', async () => {
    using connection = aScriptFolder(opencode)
    const { says, calls, completed, event, part, idle } = await aPlugin(connection)
    await event('session.created', { info: { id: 'ses_2', parentID: 'ses_1' } })
    await says('Look for tests.', 'msg_7', 'ses_2')
    await part({ id: 'prt_9', type: 'text', text: 'Found.', time: { start: 1, end: 2 } }, 'ses_2')
    await idle('ses_2')
    await says('Greet me.')
    await calls('prt_1', 'talaria_memory_search', { status: 'completed', output: 'The user is called Ada.' })
    await calls('prt_2', 'talaria-0f3c9a21_skill_view', { status: 'completed', output: 'Steps' })
    await calls('prt_3', 'skill', {
      status: 'completed',
      input: { name: 'greeting' },
      output: 'Say hello to Ada in Welsh.',
      metadata: { dir: join(connection.given.folder, 'skills', 'greeting') },
    })
    await calls('prt_4', 'bash', { status: 'completed', output: 'old', time: { end: 1, compacted: 5 } })
    await completed('msg_2', { summary: true })
    expect(connection.sessions()).toEqual(['ses_1'])
    expect(connection.spooled('ses_1').map(({ event }) => event)).toMatchObject([
      { type: 'user_message', text: 'Greet me.' },
      { type: 'tool_result', name: 'skill', arguments: { name: 'greeting' }, text: '' },
    ])
  })

  test('nothing is told while learning is off', async () => {
    using connection = aScriptFolder(opencode)
    const plugin = await aPlugin(connection)
    connection.share({ learn: false })
    await aTurn(plugin)
    expect(connection.sessions()).toEqual([])
  })
})

describe('what Talaria is in opencode', () => {
  test('its server and its skills are added to what opencode read, and what the user set there counts first', async () => {
    using connection = aScriptFolder(opencode)
    const { hooks } = await aPlugin(connection)
    const { command, args, env } = connection.given.launch
    const config: Record<string, any> = { model: 'loop/fake' }
    await hooks.config(config)
    expect(config).toEqual({
      model: 'loop/fake',
      mcp: {
        talaria: {
          type: 'local',
          command: [command, ...args],
          environment: env,
          timeout: 30_000,
          enabled: true,
        },
      },
      skills: { paths: [join(connection.given.folder, 'skills', 'greeting')] },
    })
    const own = {
      mcp: { talaria: { enabled: false }, other: { type: 'remote' } },
      skills: { paths: ['/mine'] },
    }
    await hooks.config(own)
    expect(own.mcp).toEqual({ talaria: { enabled: false }, other: { type: 'remote' } })
    expect(own.skills.paths[0]).toBe('/mine')
  })

  test('memory is put before the model of the session, the same through it, and before no other model or sub-agent', async () => {
    using connection = aScriptFolder(opencode)
    const { says, system, event } = await aPlugin(connection)
    // A session without any message.
    expect(await system()).toEqual([])
    await says('Hello.')
    const [memory, ...more] = await system()
    expect(more).toEqual([])
    expect(memory).toMatch(
      /^<talaria_memory>\n[^]*The user is called Ada\.\nNotes:\nThe user writes British English\.\n<\/talaria_memory>$/,
    )
    connection.share({ about: 'The user is called Bea.' })
    expect(await system()).toEqual([memory])
    // Titles are written by a small model, perhaps from another provider.
    expect(await system({ providerID: 'elsewhere', id: 'fake' })).toEqual([])
    await event('session.created', { info: { id: 'ses_2', parentID: 'ses_1' } })
    await says('Look for tests.', 'msg_7', 'ses_2')
    expect(await system(undefined, 'ses_2')).toEqual([])
  })
})

describe('opencode notices no failure of ours', () => {
  test.for([
    ['the folder of Talaria is gone but for the script', undefined],
    ['the snapshot is half written', '{"v":1,"learn":tr'],
    ['the snapshot holds other things', '{"v":1,"learn":true,"inbox":5,"about":null,"folders":7,"skills":3}'],
  ] as const)('%s', async ([, snapshot]) => {
    using connection = aScriptFolder(opencode)
    if (snapshot === undefined) {
      rmSync(connection.given.snapshot)
      rmSync(join(connection.given.folder, 'mcp.json'))
    } else writeFileSync(connection.given.snapshot, snapshot)
    const plugin = await aPlugin(connection)
    const config = {}
    await plugin.hooks.config(config)
    if (snapshot === undefined) expect(config).toEqual({})
    await aTurn(plugin)
    await plugin.system()
    await plugin.hooks.dispose()
    expect(connection.sessions()).toEqual([])
  })

  test('events have other shapes than today', async () => {
    using connection = aScriptFolder(opencode)
    const { hooks, event } = await aPlugin(connection)
    for (const type of [
      'session.created',
      'message.part.updated',
      'message.updated',
      'session.idle',
      'other',
    ])
      for (const properties of [
        {},
        { part: null },
        { info: null },
        { part: { type: 'tool', sessionID: 's' } },
      ])
        await event(type, properties)
    await hooks['chat.message']({ sessionID: 's' }, { message: {}, parts: [] })
    await hooks.config(null)
    expect(connection.sessions()).toEqual([])
  })
})
