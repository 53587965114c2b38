import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startOpenAiServer, type ServedRequest } from '../../../../testing/servers/openai-server.ts'
import {
  aChat,
  aHome,
  aHost,
  aServer,
  transcript,
  turn,
  type TestHost,
} from '../../../../testing/host/a-host.ts'
import { fill, skillText } from '../../../../testing/host/skills-in-a-home.ts'
import type { PromptSection } from '../../../shared/contract/chats/session.ts'
import { estimateTokens } from '../../../shared/text/estimate-tokens.ts'

/** The share of a window that tools may take. */
const SHARE = 0.15
const toolsOf = (request: ServedRequest | undefined): string[] =>
  (request?.body.tools ?? []).map((each: { function: { name: string } }) => each.function.name)
const promptOf = (request: ServedRequest | undefined) => String(request?.body.messages[0].content)
const TERMINAL = { toolCalls: [{ name: 'terminal', arguments: { command: 'echo hello' } }] }

const switchIn = (
  { client }: TestHost,
  on: boolean | null,
  names: string[],
  place: { folder?: string; sessionId?: string } = {},
) => client['toolset.switch']({ names, on, ...place })
const stateOf = async (
  { client }: TestHost,
  name: string,
  place: { folder?: string; sessionId?: string },
) => {
  const { toolsets } = await client['toolset.list'](place)
  const { state, from } = toolsets.find(each => each.name === name)!
  return [state, from]
}
const sectionsOf = async ({ client }: TestHost, id: string): Promise<PromptSection[]> =>
  (await client['session.context']({ id })).sections

const WINDOWS = [2_048, 4_096, 8_192, 16_384, 32_768, 131_072]

describe('the tools of a prompt', () => {
  test.each(WINDOWS.flatMap(window => [`${window} qwen3`, `${window} plain`]))(
    'never take more than their share of the window (%s), and what is left out is named',
    async given => {
      const [size = '', model = ''] = given.split(' ')
      const window = Number(size)
      using home = aHome()
      await using host = await aHost(home.path, { coreTools: true })
      const server = await startOpenAiServer({ models: [{ id: model, max_model_len: window }] })
      const { client } = host
      const { id: modelId } = await client['model.addServer']({ name: 'A', baseUrl: server.baseUrl, model })
      server.reply({ text: 'Fine.' })
      const { toolsets } = await client['toolset.list']({})
      const choices = [undefined, ...toolsets.map(each => [each.name])]
      for (const names of choices) {
        const chat = await aChat(host, { modelId })
        if (names) await client['toolset.only']({ sessionId: chat.id, names })
        await turn(host, chat.id, 'Hello.')
        const sent = server.chats().at(-1)
        const { sections, contextTokens } = await client['session.context']({ id: chat.id })
        const tools = sections.filter(each => each.name === 'tools')
        const most = Math.floor(contextTokens * SHARE)
        expect(contextTokens).toBe(window)
        expect(tools.reduce((sum, each) => sum + each.tokens, 0)).toBeLessThanOrEqual(most)
        expect(sent?.body.tools ? estimateTokens(JSON.stringify(sent.body.tools)) : 0).toBeLessThanOrEqual(
          most,
        )

        const told = model === 'qwen3' ? toolsOf(sent).join() : promptOf(sent)
        const missing = toolsets
          .filter(each => names?.includes(each.name) ?? (each.name !== 'web' && each.fromTokens <= window))
          // Small windows have no web tools. read_attachment needs an attachment, send_file a messenger.
          .filter(each => each.name !== 'web' || window >= 8_000)
          .filter(each =>
            each.tools.some(
              ({ name, missing: why }) =>
                why === null && name !== 'read_attachment' && name !== 'send_file' && !told.includes(name),
            ),
          )
        for (const each of missing) {
          expect(tools[0]!.leftOut?.text).toMatch(
            new RegExp(`toolsets? .*${each.name}.*, because tools may take`),
          )
        }
      }
      await server.close()
    },
  )
})

describe('a toolset that is off', () => {
  test('is refused at once in a chat that has begun, whose prompt stays until it is rebuilt', async () => {
    using home = aHome()
    await using host = await aHost(home.path, { coreTools: true })
    await using server = await aServer(host.client)
    const { id } = await aChat(host, server, { approval: 'full' })
    server.reply({ text: 'Hello.' })
    await turn(host, id, 'Hello.')
    await switchIn(host, false, ['terminal'], { sessionId: id })

    server.reply(TERMINAL, { text: 'It is off.' })
    await turn(host, id, 'Say hello in a shell.')
    expect((await transcript(host, id)).findLast(line => line.startsWith('result: '))).toBe(
      `result: Error: terminal is switched off for this chat, with the toolset “terminal”. Go on without it. If the task needs it, tell the user, who can switch it on under “Tools” below the message field or with: talaria tools enable terminal --chat ${id}`,
    )
    const [first, second] = server.chats()
    expect([promptOf(second), second?.body.tools]).toEqual([promptOf(first), first?.body.tools])
    expect((await sectionsOf(host, id)).filter(each => each.stale).map(each => each.name)).toEqual(['tools'])

    await host.client['session.refreshPrompt']({ id })
    server.reply({ text: 'Fine.' })
    await turn(host, id, 'And now?')
    expect(toolsOf(server.chats().at(-1))).not.toContain('terminal')
    expect(toolsOf(server.chats().at(-1))).toContain('read_file')
    expect((await sectionsOf(host, id)).filter(each => each.stale)).toEqual([])

    // Switched on again, this chat keeps its current prompt. Other chats are not affected.
    await switchIn(host, null, ['terminal'], { sessionId: id })
    await turn(host, id, 'Once more.')
    expect(toolsOf(server.chats().at(-1))).not.toContain('terminal')
    await turn(host, (await aChat(host, server)).id, 'Hello.')
    expect(toolsOf(server.chats().at(-1))).toContain('terminal')
  })

  test('is refused when it is switched off while a question about it is open', async () => {
    using home = aHome()
    await using host = await aHost(home.path, { coreTools: true })
    await using server = await aServer(host.client)
    const { id } = await aChat(host, server, { approval: 'ask' })
    server.reply(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'A' } }] },
      { text: 'Well.' },
    )
    await turn(host, id, 'Write it.', async (event, runId) => {
      if (event.type !== 'approval_request') return
      await switchIn(host, false, ['files'])
      await host.client['run.approve']({ runId, approvalId: event.approval.id, decision: 'once', note: '' })
    })
    expect((await transcript(host, id)).find(line => line.startsWith('result: '))).toContain(
      'write_file is switched off for every chat',
    )
  })

  test('takes the skills that need it along', async () => {
    using home = aHome()
    fill(home.path, {
      'skills/needy/SKILL.md': skillText('needy', 'Steps.', 'metadata:\n  requires_toolsets: terminal\n'),
      'skills/plain/SKILL.md': skillText('plain', 'Steps.'),
    })
    await using host = await aHost(home.path, { coreTools: true })
    await using server = await aServer(host.client)
    const { id } = await aChat(host, server)
    server.reply({ text: 'Fine.' })
    await turn(host, id, 'Hello.')
    expect(promptOf(server.chats().at(-1))).toContain('- needy: ')

    await switchIn(host, false, ['terminal'], { sessionId: id })
    server.reply({ toolCalls: [{ name: 'skill_view', arguments: { name: 'needy' } }] }, { text: 'Fine.' })
    await turn(host, id, 'Look at it.')
    expect((await transcript(host, id)).find(line => line.startsWith('result: '))).toContain(
      'It needs tools that are not here: terminal.',
    )
    await host.client['session.refreshPrompt']({ id })
    await turn(host, id, 'Again.')
    const prompt = promptOf(server.chats().at(-1))
    expect([prompt.includes('- needy'), prompt.includes('- plain: ')]).toEqual([false, true])
  })
})

describe('a skill whose tools are off', () => {
  test('is known to the chat with the reason, at every level, and is not sent along', async () => {
    using home = aHome()
    fill(home.path, {
      'skills/needy/SKILL.md': skillText('needy', 'Steps.', 'metadata:\n  requires_toolsets: terminal\n'),
      'skills/plain/SKILL.md': skillText('plain', 'Steps.'),
    })
    await using host = await aHost(home.path, { coreTools: true })
    await using server = await aServer(host.client)
    const { id, workspace: folder } = await aChat(host, server)
    const reasons = async (place: { folder?: string; sessionId?: string }) => {
      const { skills } = await host.client['skills.forChat'](place)
      return ['needy', 'plain'].map(name => skills.find(each => each.name === name)?.unavailable)
    }
    const off = expect.stringMatching(/^It needs tools that are off in this chat: terminal\. Switch them on/)
    expect(await reasons({ sessionId: id })).toEqual([null, null])
    await switchIn(host, false, ['terminal'], { sessionId: id })
    expect([await reasons({ sessionId: id }), await reasons({ folder })]).toEqual([
      [off, null],
      [null, null],
    ])
    await expect(host.client['chat.send']({ sessionId: id, text: '/needy now' })).rejects.toThrow(
      'The skill “needy” cannot be used here. It needs tools that are off in this chat: terminal.',
    )
    await switchIn(host, null, ['terminal'], { sessionId: id })
    await switchIn(host, false, ['terminal'], { folder })
    expect([await reasons({ sessionId: id }), await reasons({ folder })]).toEqual([
      [off, null],
      [off, null],
    ])
    await switchIn(host, null, ['terminal'], { folder })
    await switchIn(host, false, ['terminal'])
    expect(await reasons({})).toEqual([off, null])
    await switchIn(host, true, ['terminal'], { sessionId: id })
    expect(await reasons({ sessionId: id })).toEqual([null, null])
    await host.client['session.update']({ id, approval: 'chat_only' })
    const none = 'It needs tools, and this chat has none (“Chat only”).'
    expect(await reasons({ sessionId: id })).toEqual([none, null])
    await expect(reasons({ sessionId: 'gone' })).rejects.toThrow('This chat no longer exists.')
  })
})

describe('switches', () => {
  test('the most specific one wins, and says where it is from', async () => {
    using home = aHome()
    const work = join(home.path, 'work')
    mkdirSync(join(work, 'site'), { recursive: true })
    await using host = await aHost(home.path, { coreTools: true })
    const here = { folder: join(work, 'site') }
    const { id: sessionId } = await host.client['session.create']({ workspace: here.folder })
    expect(await stateOf(host, 'terminal', { sessionId })).toEqual(['on', 'default'])
    await switchIn(host, false, ['terminal'])
    expect(await stateOf(host, 'terminal', { sessionId })).toEqual(['off', 'everything'])
    await switchIn(host, true, ['terminal'], { folder: work })
    expect(await stateOf(host, 'terminal', { sessionId })).toEqual(['on', 'folder'])
    await switchIn(host, false, ['terminal'], here)
    expect(await stateOf(host, 'terminal', here)).toEqual(['off', 'folder'])
    await switchIn(host, true, ['terminal'], { sessionId })
    expect(await stateOf(host, 'terminal', { sessionId })).toEqual(['on', 'chat'])
    await switchIn(host, null, ['terminal'], { sessionId })
    expect(await stateOf(host, 'terminal', { sessionId })).toEqual(['off', 'folder'])
    expect((await host.client['session.get']({ id: sessionId })).toolsets).toEqual({})
  })

  test('what is not there is a clear error', async () => {
    using home = aHome()
    const gone = join(home.path, 'gone')
    mkdirSync(gone)
    await using host = await aHost(home.path, { coreTools: true })
    await switchIn(host, false, ['files'], { folder: gone })
    rmSync(gone, { recursive: true })
    const { id } = await host.client['session.create']({})
    await host.client['session.remove']({ id })
    const problem = (work: Promise<unknown>) => work.then(String, (fault: Error) => fault.message)
    expect(
      await Promise.all([
        problem(switchIn(host, true, ['terminl'])),
        problem(switchIn(host, true, ['read_file'])),
        problem(switchIn(host, true, ['files'], { folder: gone })),
        problem(switchIn(host, true, ['files'], { sessionId: id })),
        problem(switchIn(host, true, ['files'], { sessionId: id, folder: home.path })),
        problem(host.client['toolset.only']({ sessionId: id, names: ['files'] })),
      ]),
    ).toEqual([
      'There is no toolset “terminl”. Did you mean “terminal”?',
      'There is no toolset “read_file”. That is a tool of the toolset “files”.',
      `There is no folder ${gone}.`,
      'This chat no longer exists.',
      'Name a folder, a project or a chat, not several of them.',
      'This chat no longer exists.',
    ])
    const { folders } = await host.client['toolset.list']({})
    expect(folders).toEqual([{ folder: gone, isGone: true, switches: { files: false } }])
    await switchIn(host, null, ['files'], { folder: gone })
    expect((await host.client['toolset.list']({})).folders).toEqual([])
  })

  test('toolsets of config.yaml are there at once, and a circle of them is named', async () => {
    using home = aHome()
    await using host = await aHost(home.path, { coreTools: true })
    const own = (text: string) =>
      writeFileSync(join(home.path, 'config.yaml'), `config_version: 4\ntoolsets:\n  own:\n${text}`)
    own('    looking: { tools: [read_file, list_file] }\n    coding: { includes: [looking, terminal] }\n')
    const { toolsets, problems } = await host.client['toolset.list']({})
    expect(problems).toEqual([
      'The toolset “looking” has the tool “list_file”, which does not exist. Did you mean “list_files”?',
    ])
    expect(toolsets.find(each => each.name === 'coding')?.tools.map(each => each.name)).toEqual([
      'terminal',
      'read_file',
    ])
    own('    a: { includes: [b] }\n    b: { includes: [files, a] }\n')
    expect((await host.client['toolset.list']({})).problems[0]).toBe(
      'toolsets.own.a is {"includes":["b"]}, but must be a toolset that does not include itself (a → b → a). It is left out.',
    )
  })
})
