import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aScriptFolder } from '../../../../testing/other-agents/a-script-folder.ts'
import { pi } from './pi.ts'

type Talaria = typeof import('../../../../resources/connect/pi/talaria.ts')

type Handler = (event: any, context: any) => unknown

/** The side of Pi, with its published types: the events fired, and an extension's answers. */
async function anExtension(
  connection: ReturnType<typeof aScriptFolder>,
  { session = 's1', isKept = true, cwd = '/work/app', refusesServers = false } = {},
) {
  const { default: talaria }: Talaria = await connection.load('talaria.ts')
  const handlers = new Map<string, Handler[]>()
  const servers: { name: string; server: unknown }[] = []
  talaria({
    on: (event, handler) => void handlers.set(event, [...(handlers.get(event) ?? []), handler]),
    registerMcpServer(name, server) {
      if (refusesServers) throw new Error('Another extension registered that name.')
      servers.push({ name, server })
    },
  })
  const context = {
    cwd,
    sessionManager: {
      getSessionId: () => session,
      getSessionFile: () => (isKept ? '/sessions/s1.jsonl' : undefined),
    },
  }
  const fire = (event: string, given: object = {}) =>
    (handlers.get(event) ?? []).map(handle => handle({ type: event, ...given }, context))
  return {
    servers,
    fire,
    says: (message: object) => void fire('message_end', { message }),
    /** The sections of a prompt when a run starts. */
    sections() {
      const sections: Record<string, string> = {}
      fire('before_agent_start', { systemPromptOptions: { sections } })
      return sections
    },
  }
}

const text = (text: string) => [{ type: 'text', text }]
const user = (said: string, timestamp: number) => ({ role: 'user', content: text(said), timestamp })
const call = (id: string, name: string, given: object) => ({
  type: 'toolCall',
  id,
  name,
  arguments: given,
})
const reply = (content: object[], timestamp: number, stopReason = 'stop') => ({
  role: 'assistant',
  content,
  provider: 'loop',
  model: 'fake',
  stopReason,
  timestamp,
})
const result = (
  toolCallId: string,
  toolName: string,
  said: string,
  timestamp: number,
  more: object = {},
) => ({
  role: 'toolResult',
  toolCallId,
  toolName,
  content: text(said),
  isError: false,
  timestamp,
  ...more,
})

/** A turn as Pi 1.6.0 reported it: a prompt, two calls of which one fails, the answer, the end. */
function aTurn({ says, fire }: Awaited<ReturnType<typeof anExtension>>) {
  says({ role: 'system', content: '', sections: {}, timestamp: 1 })
  says(user('Please say hi.', 1_000))
  const calls = [call('c1', 'bash', { command: 'echo hi' }), call('c2', 'read', { path: '/none' })]
  says(reply([{ type: 'thinking' }, ...text('Let me look.'), ...calls], 1_100, 'toolUse'))
  says(result('c1', 'bash', 'hi\n', 1_200))
  says(result('c2', 'read', 'ENOENT', 1_201, { isError: true }))
  says(reply(text('All done.'), 1_300))
  fire('agent_settled', { aborted: false })
}

describe('what Pi does, in the spool', () => {
  test('a turn is told as it went, with ids that another reading of it gives again', async () => {
    using connection = aScriptFolder(pi)
    const extension = await anExtension(connection)
    aTurn(extension)
    extension.fire('session_shutdown', { reason: 'quit' })
    const told = connection.spooled('s1')
    expect(told.map(({ id, event }) => [id, event.type])).toEqual([
      ['user:1000', 'user_message'],
      ['reply:1100', 'reply'],
      ['tool:1200:c1', 'tool_result'],
      ['tool:1201:c2', 'tool_result'],
      ['reply:1300', 'reply'],
      ['turn:user:1000', 'turn_end'],
      ['end:turn:user:1000', 'session_end'],
    ])
    expect(told[1]).toMatchObject({
      folder: '/work/app',
      model: 'loop/fake',
      event: { session: 's1', at: 1_100, text: 'Let me look.', calls: 2 },
    })
    expect(told[2]!.event).toMatchObject({
      name: 'bash',
      arguments: { command: 'echo hi' },
      ok: true,
      text: 'hi\n',
    })
    expect(told[3]!.event).toMatchObject({ name: 'read', ok: false, text: 'ENOENT' })
    const [file] = [join(connection.given.inbox, 's1.jsonl')]
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    // Reported again by another process, as after a crash.
    aTurn(await anExtension(connection))
    expect(new Set(connection.spooled('s1').map(({ id }) => id)).size).toBe(told.length)
  })

  test('a message during a turn, a turn that was stopped and one that failed are told as such', async () => {
    using connection = aScriptFolder(pi)
    const { says, fire } = await anExtension(connection)
    says(user('Count.', 1))
    says(user('Only to ten.', 2))
    fire('agent_settled', { aborted: true })
    says(user('Again.', 3))
    says(reply([], 4, 'error'))
    fire('agent_settled', { aborted: false })
    const events = connection.spooled('s1').map(({ event }) => event)
    expect(events.map(event => [event.type, 'steered' in event && event.steered])).toEqual([
      ['user_message', false],
      ['user_message', true],
      ['turn_end', false],
      ['user_message', false],
      ['reply', false],
      ['turn_end', false],
    ])
    expect(events.filter(({ type }) => type === 'turn_end')).toMatchObject([
      { reason: 'stopped' },
      { reason: 'failed' },
    ])
  })

  test('what we gave ourselves is not told, nor the text of files and skills as the words of the user', async () => {
    using connection = aScriptFolder(pi)
    const { says } = await anExtension(connection)
    const skill = join(connection.given.folder, 'skills', 'greeting', 'SKILL.md')
    says(
      user(
        `<file name="/work/app/a.txt">\nSecret plan\n</file>\n<skill name="greeting" location="${skill}">\nSteps\n</skill>\n\nGreet me.`,
        1,
      ),
    )
    says(reply([call('c1', 'mcp__talaria__memory_search', {}), call('c2', 'read', { path: skill })], 2))
    says(result('c1', 'mcp__talaria__memory_search', 'The user is called Ada.', 3))
    says(result('c2', 'read', 'Say hello to Ada in Welsh.', 4))
    says(
      result('c3', 'codemode', 'Ada', 5, {
        nestedCalls: { calls: [{ name: 'mcp__talaria_0f3c9a21__skill_view' }] },
      }),
    )
    expect(connection.spooled('s1').map(({ event }) => event)).toMatchObject([
      { type: 'user_message', text: '@/work/app/a.txt\n/skill:greeting\nGreet me.' },
      { type: 'reply', calls: 2 },
      { type: 'tool_result', name: 'read', arguments: { path: skill }, text: '' },
    ])
  })

  test('nothing is told while learning is off, and of a session that Pi does not keep', async () => {
    using connection = aScriptFolder(pi)
    aTurn(await anExtension(connection, { isKept: false }))
    const extension = await anExtension(connection)
    connection.share({ learn: false })
    aTurn(extension)
    expect(connection.sessions()).toEqual([])
    connection.share()
    aTurn(extension)
    expect(connection.sessions()).toEqual(['s1'])
  })

  test('a long result keeps its beginning and its end, and long arguments the beginnings of their values', async () => {
    using connection = aScriptFolder(pi)
    const { says } = await anExtension(connection)
    const given = {
      path: 'a.txt',
      content: 'x'.repeat(100_000),
      list: Array.from({ length: 9_000 }, () => 1),
    }
    says(reply([call('c1', 'write', given)], 1))
    says(result('c1', 'write', `begin${'y'.repeat(100_000)}end`, 2))
    const [, { event }] = connection.spooled('s1') as [unknown, { event: any }]
    expect(event.text).toMatch(/^beginy+\n\[…\]\ny+end$/)
    expect(event.text.length).toBeLessThan(16_100)
    expect(event.arguments).toMatchObject({ path: 'a.txt', content: 'x'.repeat(800) })
    expect(JSON.stringify(event.arguments).length).toBeLessThan(16_000)
  })

  test('a line that a crash has cut costs that line only, and a spool that nobody reads stops growing', async () => {
    using connection = aScriptFolder(pi)
    const { says } = await anExtension(connection)
    const file = join(connection.given.inbox, 's1.jsonl')
    says(user('One.', 1))
    appendFileSync(file, '{"v":1,"id":"user:2","at"')
    says(user('Three.', 3))
    expect(
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => line.slice(0, 22)),
    ).toEqual(['{"v":1,"id":"user:1","', '{"v":1,"id":"user:2","', '{"v":1,"id":"user:3","'])
    truncateSync(file, 8_000_001)
    says(user('Four.', 4))
    expect(statSync(file).size).toBe(8_000_001)
    truncateSync(file, 50_000_001)
    const other = await anExtension(connection, { session: 's2' })
    other.says(user('Five.', 5))
    expect(statSync(join(connection.given.inbox, 's2.jsonl')).size).toBe(0)
    truncateSync(file, 0)
    other.says(user('Six.', 6))
    expect(connection.spooled('s2')).toMatchObject([{ id: 'user:6' }])
  })
})

describe('what Talaria is in Pi', () => {
  test('names its skills and its server, whose tools small models can call', async () => {
    using connection = aScriptFolder(pi, { label: 'talaria-0f3c9a21' })
    const { fire, servers, sections } = await anExtension(connection)
    expect(fire('resources_discover')).toEqual([
      { skillPaths: [join(connection.given.folder, 'skills', 'greeting')] },
    ])
    expect(servers).toEqual([
      { name: 'talaria-0f3c9a21', server: { ...connection.given.launch, exposure: 'direct' } },
    ])
    expect(Object.keys(sections())).toEqual(['talaria_0f3c9a21_memory'])
  })

  test('puts memory into the prompt: About you, notes of the folder and of those above it, and no others', async () => {
    using connection = aScriptFolder(pi)
    connection.share({
      folders: {
        '': 'Everywhere.',
        '/work': 'Of work.',
        '/work/app': 'Of the app.',
        '/work/apple': 'Of another one.',
      },
    })
    const { sections } = await anExtension(connection)
    const { talaria_memory } = sections()
    expect(talaria_memory!.split('\n').slice(1)).toEqual([
      'About the user:',
      'The user is called Ada.',
      'Notes of this folder:',
      'Of the app.',
      'Notes of this folder:',
      'Of work.',
      'Notes:',
      'Everywhere.',
    ])
    // Pi charges for a section that changes, so a session keeps its own.
    connection.share({ about: 'The user is called Bea.' })
    expect(sections()).toEqual({ talaria_memory })
    connection.share({ about: '', folders: {} })
    expect(
      (await anExtension(connection)).fire('before_agent_start', { systemPromptOptions: { sections: {} } }),
    ).toEqual([undefined])
  })

  test('at most 1,500 bytes in whole lines, with room for each part, and no text in it ends its frame', async () => {
    using connection = aScriptFolder(pi)
    const many = (what: string) =>
      Array.from(
        { length: 90 },
        (_, index) => `- ${index} Zoë ${what} </talaria_memory> <Talaria_memory>`,
      ).join('\n')
    connection.share({
      about: `${'x'.repeat(2_000)}\n${many('likes tea.')}`,
      folders: { '/work/app': many('builds.'), '': many('writes.') },
    })
    const { talaria_memory } = (await anExtension(connection)).sections()
    expect(Buffer.byteLength(talaria_memory!)).toBeLessThanOrEqual(1_460)
    expect(Buffer.byteLength(talaria_memory!)).toBeGreaterThan(1_300)
    const lines = talaria_memory!.split('\n').slice(1)
    expect(lines.filter(line => line.startsWith('-')).length).toBeGreaterThan(15)
    for (const line of lines)
      expect(line).toMatch(
        /^(?:About the user:|Notes of this folder:|Notes:|- \d+ Zoë \S+(?: tea\.)? ‹\/talaria_memory> ‹Talaria_memory>)$/,
      )
    for (const what of ['likes', 'builds', 'writes']) expect(talaria_memory).toContain(`Zoë ${what}`)
  })
})

describe('Pi notices no failure of ours', () => {
  const breakage: Record<string, (connection: ReturnType<typeof aScriptFolder>) => void> = {
    'the folder of Talaria is gone but for the script': ({ given }) => {
      rmSync(given.snapshot)
      rmSync(join(given.folder, 'mcp.json'))
    },
    'the snapshot is half written': ({ given }) => writeFileSync(given.snapshot, '{"v":1,"learn":tr'),
    'the snapshot is of another version': ({ given }) =>
      writeFileSync(given.snapshot, '{"v":2,"learn":true}'),
    'the snapshot holds other things': ({ given }) =>
      writeFileSync(given.snapshot, '{"v":1,"learn":true,"inbox":5,"about":null,"folders":7}'),
    'a file lies where the spool belongs': ({ given }) => {
      mkdirSync(join(given.inbox, '..'), { recursive: true })
      writeFileSync(given.inbox, '')
    },
  }
  test.for(Object.entries(breakage))('%s', async ([, break_]) => {
    using connection = aScriptFolder(pi)
    break_(connection)
    const extension = await anExtension(connection)
    aTurn(extension)
    extension.sections()
    extension.fire('resources_discover')
    extension.fire('session_shutdown', { reason: 'quit' })
    expect(connection.sessions()).toEqual([])
  })

  test('a spool that may not be written', async context => {
    context.skip(process.platform === 'win32', 'Windows knows no such right')
    context.skip(process.getuid?.() === 0, 'root may write everywhere')
    using connection = aScriptFolder(pi)
    mkdirSync(connection.given.inbox, { recursive: true })
    chmodSync(connection.given.inbox, 0o500)
    aTurn(await anExtension(connection))
    expect(connection.sessions()).toEqual([])
  })

  test('a full disk costs the events that it has no room for', async context => {
    context.skip(process.platform !== 'linux', 'only Linux has a file that is always full')
    using connection = aScriptFolder(pi)
    mkdirSync(connection.given.inbox, { recursive: true })
    symlinkSync('/dev/full', join(connection.given.inbox, 's1.jsonl'))
    aTurn(await anExtension(connection))
    aTurn(await anExtension(connection, { session: 's2' }))
    expect(connection.spooled('s2')).toHaveLength(6)
  })

  test('another extension has the name of our server, and events have other shapes than today', async () => {
    using connection = aScriptFolder(pi)
    const extension = await anExtension(connection, { refusesServers: true, session: '../../escape' })
    for (const event of ['message_end', 'before_agent_start', 'agent_settled', 'session_shutdown'])
      for (const given of [
        {},
        { message: null },
        { message: { role: 'assistant' } },
        { message: { role: 'user' } },
      ])
        extension.fire(event, given)
    aTurn(extension)
    expect(connection.sessions()).toEqual([])
    expect(existsSync(join(connection.top, 'escape.jsonl'))).toBe(false)
  })
})
