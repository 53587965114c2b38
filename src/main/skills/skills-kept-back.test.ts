import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startOpenAiServer, type ServedRequest } from '../../../testing/servers/openai-server.ts'
import { estimateTokens } from '../../shared/text/estimate-tokens.ts'
import { indexTokenBudget } from './prompt-index.ts'
import { until } from '../../../testing/until.ts'
import { aChat, aHome, aHost, aServer, endOf, transcript, turn } from '../../../testing/host/a-host.ts'
import { EVIL, fill, skillText } from '../../../testing/host/skills-in-a-home.ts'

const view = (name: string) => ({ toolCalls: [{ name: 'skill_view', arguments: { name } }] })
const promptOf = (request: ServedRequest | undefined) => String(request?.body.messages[0].content)
const toolsOf = (request: ServedRequest | undefined): string[] =>
  (request?.body.tools ?? []).map((each: { function: { name: string } }) => each.function.name)
/** A host without bundled skills, so that only the test's skills exist. */
const alone = (home: string) => {
  mkdirSync(join(home, 'nothing-ships'), { recursive: true })
  return { coreTools: true, bundledSkills: join(home, 'nothing-ships') } as const
}

test('a skill withheld from the model is answered with the reason, never with its text', async () => {
  using home = aHome()
  const secret = 'The steps nobody may see.'
  fill(home.path, {
    'config.yaml': JSON.stringify({ skills: { folders: [join(home.path, 'shared')] } }),
    'shared/trap/SKILL.md': skillText('trap', `${secret} ${EVIL}`),
    'imported-skills/fetched/SKILL.md': skillText('fetched', `${secret} ${EVIL}`),
    'skills/asleep/SKILL.md': skillText('asleep', secret),
    'skills/needy/SKILL.md': skillText('needy', secret, 'metadata:\n  requires_toolsets: telescope\n'),
    'skills/elsewhere/SKILL.md': skillText(
      'elsewhere',
      secret,
      `platforms: [${process.platform === 'win32' ? 'linux' : 'windows'}]\n`,
    ),
    'imported-skills/below/SKILL.md': skillText('below', secret),
    'skills/below/SKILL.md': skillText('below', 'What counts.'),
    'folder/.agents/skills/foreign/SKILL.md': skillText('foreign', secret),
  })
  await using host = await aHost(home.path, alone(home.path))
  await using server = await aServer(host.client)
  const list = async () => (await host.client['skills.list']({})).skills
  const skills = await list()
  await until(async () => (await list()).some(skill => skill.name === 'trap' && skill.blocked !== null))
  const asleep = skills.find(skill => skill.name === 'asleep')!.id
  await host.client['skills.setEnabled']({ ids: [asleep], enabled: false })

  const names = ['trap', 'fetched', 'asleep', 'needy', 'elsewhere', 'foreign', 'below']
  server.reply({ toolCalls: names.map(name => view(name).toolCalls[0]!) }, { text: 'Well.' })
  const chat = await aChat(host, server)
  expect(endOf(await turn(host, chat.id, 'Look at all of them.'))).toBe('done')

  const results = (await transcript(host, chat.id)).filter(line => line.startsWith('result: '))
  expect(results).toEqual([
    expect.stringMatching(/“trap” is kept back/),
    expect.stringContaining('“fetched” is switched off'),
    expect.stringContaining('“asleep” is switched off'),
    expect.stringContaining('needs tools that are not here: telescope'),
    expect.stringMatching(/“elsewhere” cannot be used here. It is for \w+ only\./),
    expect.stringContaining('There is no skill “foreign”.'),
    expect.stringContaining('What counts.'),
  ])
  const read = JSON.stringify(server.chats().map(request => request.body))
  expect(read).not.toContain(secret)
  // The index mentions none of them either.
  expect(promptOf(server.chats()[0])).toContain('- below:')
  for (const name of names.slice(0, -1)) expect(promptOf(server.chats()[0])).not.toContain(name)
  // Attaching a blocked skill by hand does not bring it in either.
  const trap = skills.find(skill => skill.name === 'trap')!.id
  await expect(
    host.client['chat.send']({ sessionId: chat.id, text: 'Use it.', skill: trap }),
  ).rejects.toMatchObject({ code: 'bad_input' })
  expect(host.mistakes()).toEqual([])
})

test('a new skill is scanned before it is sent with a message, and one that is off is not sent', async () => {
  using home = aHome()
  fill(home.path, {
    'config.yaml': JSON.stringify({ skills: { folders: [join(home.path, 'shared')] } }),
    'shared/trap/SKILL.md': skillText('trap', `The steps nobody may see. ${EVIL}`),
    'skills/asleep/SKILL.md': skillText('asleep', 'The steps nobody may see.'),
  })
  await using host = await aHost(home.path, alone(home.path))
  await using server = await aServer(host.client)
  server.reply({ text: 'Hello.' })
  const chat = await aChat(host, server)
  // The library has not been used before, so nothing was scanned in advance.
  await expect(
    host.client['chat.send']({ sessionId: chat.id, text: '/trap the mouse' }),
  ).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining('is blocked until') })

  const { skills } = await host.client['skills.list']({})
  const asleep = skills.find(skill => skill.name === 'asleep')!.id
  await host.client['skills.setEnabled']({ ids: [asleep], enabled: false })
  await expect(
    host.client['chat.send']({ sessionId: chat.id, text: 'Use it.', skill: asleep }),
  ).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining('switched off') })
  expect(endOf(await turn(host, chat.id, '/asleep now'))).toBe('done')
  expect(JSON.stringify(server.chats().map(request => request.body))).not.toContain('nobody may see')
})

test('five hundred skills take no more than their share of a small window', async () => {
  using home = aHome()
  const files = Array.from({ length: 500 }, (_, at) => {
    const name = `${['tidy', 'write', 'check', 'plan', 'sort'][at % 5]}-thing-${at}`
    return [`skills/group-${at % 12}/${name}/SKILL.md`, skillText(name, 'Do it. '.repeat(30))] as const
  })
  fill(home.path, Object.fromEntries(files))
  await using host = await aHost(home.path, alone(home.path))
  const server = await startOpenAiServer({ models: [{ id: 'qwen3', max_model_len: 8_192 }] })
  const { id: modelId } = await host.client['model.addServer']({
    name: 'Small',
    baseUrl: server.baseUrl,
    model: 'qwen3',
  })
  server.reply({ text: 'Hello.' })
  const chat = await aChat(host, { modelId })
  expect(endOf(await turn(host, chat.id, 'Hello'))).toBe('done')

  const { sections } = await host.client['session.context']({ id: chat.id })
  const { text } = sections.find(section => section.title === 'Skills')!
  expect(promptOf(server.chats()[0])).toContain(text)
  expect(text).toMatch(/^- (?:tidy|write|check|plan|sort)-thing-\d+: /m)
  const counts = [
    ...text
      .split('\n')
      .at(-1)!
      .matchAll(/ (\d+)(?=,|\.| in others)/g),
  ]
  const named = new Set(text.match(/\w+-thing-\d+/g)).size
  const counted = counts.reduce((sum, [, count]) => sum + Number(count), 0)
  expect(named + counted, 'every one is named or counted').toBe(500)
  expect(estimateTokens(text)).toBeLessThanOrEqual(indexTokenBudget(8_192))
  expect(indexTokenBudget(8_192)).toBeLessThan(8_192 / 10)
  await server.close()
})

test('with learning from chats off there is no tool to write skills; with skills off there is no trace of them', async () => {
  using home = aHome()
  fill(home.path, { 'skills/haiku/SKILL.md': skillText('haiku') })
  await using host = await aHost(home.path, alone(home.path))
  await using server = await aServer(host.client)
  const begin = async () => {
    server.reply({ text: 'Yes.' })
    const chat = await aChat(host, server)
    await turn(host, chat.id, 'Hello')
    return server.chats().at(-1)
  }
  const tools = ['skills_list', 'skill_view', 'skill_manage']

  const both = await begin()
  expect(toolsOf(both)).toEqual(expect.arrayContaining(tools))
  expect(promptOf(both)).toContain('- haiku:')

  await host.client['skills.setSwitches']({ learnFromChats: false })
  const reading = await begin()
  expect(toolsOf(reading)).toEqual(expect.arrayContaining(['skills_list', 'skill_view']))
  expect(toolsOf(reading)).not.toContain('skill_manage')
  expect(promptOf(reading)).not.toContain('skill_manage')
  expect(promptOf(reading)).toContain('- haiku:')

  await host.client['skills.setSwitches']({ useInChats: false, learnFromChats: true })
  const neither = await begin()
  expect(toolsOf(neither)).not.toContain('skill_view')
  expect(toolsOf(neither)).not.toContain('skills_list')
  expect(promptOf(neither)).not.toContain('haiku')
})

test('a switch changed during a chat applies from the next turn', async () => {
  using home = aHome()
  fill(home.path, { 'skills/haiku/SKILL.md': skillText('haiku', 'Count the syllables.') })
  await using host = await aHost(home.path, alone(home.path))
  await using server = await aServer(host.client)
  const chat = await aChat(host, server)
  server.reply({ text: 'Hello.' })
  await turn(host, chat.id, 'Hello')
  await host.client['skills.setSwitches']({ useInChats: false, learnFromChats: false })
  const write = {
    toolCalls: [
      {
        name: 'skill_manage',
        arguments: { action: 'patch', name: 'haiku', old_string: 'Count', new_string: 'Skip' },
      },
    ],
  }
  server.reply(view('haiku'), write, { text: 'It is off.' })
  await turn(host, chat.id, 'Write a haiku')
  expect((await transcript(host, chat.id)).filter(line => line.startsWith('result: '))).toEqual([
    expect.stringContaining('There is no tool "skill_view"'),
    expect.stringContaining('There is no tool "skill_manage"'),
  ])
  expect(JSON.stringify(server.chats().at(-1)?.body)).not.toContain('Count the syllables')
})

test('a skill is offered only while its tools are on, its programs are installed and its keys are stored', async () => {
  using home = aHome()
  const needing = (name: string, front: string) => ({
    [`skills/${name}/SKILL.md`]: skillText(name, 'Do it.', front),
  })
  fill(home.path, {
    ...needing('noting', 'metadata:\n  requires_toolsets: skill_manage\n'),
    ...needing('digging', 'prerequisites:\n  commands: [no-such-program-4711]\n'),
    ...needing('paying', 'required_environment_variables: [OPENAI_API_KEY]\n'),
    ...needing('plain', ''),
  })
  await using host = await aHost(home.path, alone(home.path))
  const { client } = host
  const list = async () => (await client['skills.list']({})).skills
  const offered = async () =>
    (await list()).filter(({ unavailable }) => unavailable === null).map(({ name }) => name)
  const whyNot = async (name: string) => (await list()).find(each => each.name === name)?.unavailable

  expect(await offered()).toEqual(['noting', 'plain'])
  expect(await whyNot('digging')).toBe('It needs programs that are not here: no-such-program-4711.')
  expect(await whyNot('paying')).toBe('It needs the key OPENAI_API_KEY.')
  await client['skills.setSwitches']({ learnFromChats: false })
  expect(await offered()).toEqual(['plain'])
  expect(await whyNot('noting')).toBe('It needs tools that are not here: skill_manage.')

  // A server's key does not count, and a skill that asks for its name does not get it.
  const id = 'own/paying'
  await expect(client['skills.setKey']({ id, name: 'OTHER', value: 'x' })).rejects.toMatchObject({
    code: 'bad_input',
  })
  await client['skills.setKey']({ id, name: 'OPENAI_API_KEY', value: 'mine' })
  expect(await offered()).toEqual(['paying', 'plain'])
  expect(JSON.stringify(await client['skills.list']({}))).not.toContain('mine')
  await client['skills.setKey']({ id, name: 'OPENAI_API_KEY', value: null })
  expect(await offered()).toEqual(['plain'])
})
