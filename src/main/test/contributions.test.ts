import { expect, test } from 'vitest'
import { aHome, aHost, aServer, turn } from '../../../testing/host/a-host.ts'
import { z } from 'zod'
import type { PromptSection } from '../agent/prompt.ts'
import type { OtherOption } from '../projects/other-options.ts'
import type { StepSource } from '../runs/turn-runner.ts'

/** A section of a feature that does not exist: the weather of a chat's folder. */
function aSection(more: Partial<PromptSection> = {}) {
  const weather = { text: 'It rains.', unread: '' }
  const stored: string[] = []
  const section: PromptSection = {
    name: 'weather',
    title: 'The weather',
    order: 650,
    text: ({ session, edition, tools }) => ({
      text: weather.text && `## Weather\n${weather.text} ${edition}, ${tools.length > 0}, ${session.origin}.`,
      leftOut: weather.unread === '' ? undefined : { text: weather.unread, untrusted: false },
      onStored: () => stored.push(weather.text),
    }),
    ...more,
  }
  return { weather, stored, section }
}

async function aTalk(home: string, section: PromptSection) {
  const host = await aHost(home, { coreTools: true, contributions: { sections: [section] } })
  const server = await aServer(host.client, 'qwen3')
  const create = () => host.client['session.create']({ modelId: server.modelId })
  return {
    host,
    create,
    /** The prompt of the next request of a chat. */
    async sent(id: string) {
      server.reply({ text: 'Fine.' })
      await turn(host, id, 'How is it?')
      return String(server.chats().at(-1)!.body.messages[0].content)
    },
    async shown(id: string) {
      const { sections } = await host.client['session.context']({ id })
      return sections.find(({ name }) => name === section.name)
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await host[Symbol.asyncDispose]()
    },
  }
}

test('a section from one file is sent in its place, is shown with its title, and is stale once it would say something else', async () => {
  using home = aHome()
  const { weather, stored, section } = aSection()
  await using talk = await aTalk(home.path, section)
  const { id } = await talk.create()
  const said = '## Weather\nIt rains. full, true, window.'
  const prompt = await talk.sent(id)
  expect(prompt).toMatch(/## Skills[^]*\n\n## Weather\nIt rains\. full, true, window\.\n\n[^]*Today is /)
  expect(await talk.shown(id)).toMatchObject({ title: 'The weather', text: said, stale: false })

  weather.text = 'It snows.'
  weather.unread = 'tomorrow, because nobody knows it.'
  expect(await talk.shown(id)).toMatchObject({
    title: 'The weather',
    text: said,
    stale: true,
    leftOut: { text: weather.unread },
  })
  expect(await talk.sent(id)).toBe(prompt)
  await talk.host.client['session.refreshPrompt']({ id })
  expect(await talk.sent(id)).toContain('It snows.')
  expect(await talk.shown(id)).toMatchObject({ stale: false })
  expect(stored).toEqual(['It rains.', 'It snows.'])
})

test('a section that has nothing to say is not sent, and is shown where it left something out or is new', async () => {
  using home = aHome()
  const { weather, section } = aSection()
  weather.text = ''
  await using talk = await aTalk(home.path, section)
  const { id } = await talk.create()
  expect(await talk.sent(id)).not.toContain('Weather')
  expect(await talk.shown(id)).toBeUndefined()
  weather.unread = 'all of it.'
  expect(await talk.shown(id)).toMatchObject({ title: 'The weather', text: '', stale: false })
  weather.text = 'It rains.'
  expect(await talk.shown(id)).toMatchObject({ title: 'The weather', text: '', tokens: 0, stale: true })
})

test('what a section says of itself holds: ignored when stale, and stored texts that may not be sent', async () => {
  using home = aHome()
  const { weather, section } = aSection({
    ignoredWhenStale: true,
    isSafe: text => !text.includes('hail') || weather.text === 'Hail: hail.',
  })
  await using talk = await aTalk(home.path, section)
  const { id } = await talk.create()
  weather.text = 'Hail: hail.'
  expect(await talk.sent(id)).toContain('Hail')
  weather.text = 'It is dry.'
  // The stored text may not be sent any more, so the prompt is built again.
  expect(await talk.sent(id)).toContain('It is dry.')
  weather.text = 'It is wet.'
  expect(await talk.shown(id)).toMatchObject({ stale: false })
})

test('the built-in model gets only sections that it was trained on', async () => {
  using home = aHome()
  const { section } = aSection()
  await using talk = await aTalk(home.path, section)
  const { id } = await talk.host.client['session.create']({ modelId: 'builtin' })
  expect(await talk.shown(id)).toBeUndefined()
  expect(await talk.shown((await talk.create()).id)).toBeDefined()
})

/** A limit of calls a minute: an option of the chat, a line of its prompt, and a step that keeps to it. */
function aLimit() {
  const minutes = { now: 0 }
  const option: OtherOption = {
    name: 'most_calls',
    schema: z.int().min(1).max(60),
    default: 60,
    precedence: ['chat', 'project'],
    namesPrompt: true,
  }
  const section: PromptSection = {
    name: 'most_calls',
    title: 'Most calls',
    order: 310,
    text: ({ options }) =>
      options['most_calls'] === 60
        ? ''
        : `## Limit\nAt most ${String(options['most_calls'])} calls a minute.`,
  }
  const step: StepSource = () => {
    const ran: number[] = []
    return {
      name: 'most_calls',
      check({ turn }, verdict) {
        const most = Number(turn.options?.['most_calls'])
        const recent = ran.filter(minute => minute === minutes.now).length
        if (verdict.verdict === 'deny') return verdict
        if (recent >= most)
          return { verdict: 'deny', by: 'policy', reason: `This chat may make ${most} calls a minute.` }
        ran.push(minutes.now)
        return verdict
      },
    }
  }
  return { contributions: { options: [option], sections: [section], steps: [step] } }
}

test('an option, a line of the prompt and a step around calls come from one file', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true, ...aLimit() })
  await using server = await aServer(host.client, 'qwen3')
  const { id } = await host.client['session.create']({ modelId: server.modelId, options: { most_calls: 1 } })
  const list = { name: 'list_files', arguments: { path: '.' } }
  server.reply({ toolCalls: [list, list] }, { text: 'Done.' })
  await turn(host, id, 'What is there, twice?')
  const [first] = server.chats()
  expect(String(first!.body.messages[0].content)).toContain('At most 1 calls a minute.')
  const { messages } = await host.client['session.messages']({ id, limit: 10 })
  const records = messages.flatMap(message => (message.role === 'tool' ? [message.record] : []))
  expect(records).toEqual([
    { decision: 'ran', by: 'policy', how: 'reads_folder' },
    { decision: 'denied', by: 'policy', why: 'This chat may make 1 calls a minute.' },
  ])
  const { sections } = await host.client['session.context']({ id })
  expect(sections.find(({ name }) => name === 'most_calls')).toMatchObject({
    title: 'Most calls',
    stale: false,
  })
})

test('a step begins a turn once, also when the server then refuses tools and is asked again in text', async () => {
  using home = aHome()
  const begun: string[] = []
  const step: StepSource = () => ({
    name: 'beginning',
    begin({ sessionId }) {
      begun.push(sessionId)
      return Promise.resolve({ id: 'call_begin', name: 'list_files', arguments: { path: '.' } })
    },
  })
  await using host = await aHost(home.path, { coreTools: true, contributions: { steps: [step] } })
  await using server = await aServer(host.client)
  const { id } = await host.client['session.create']({ modelId: server.modelId })
  const refusal = { status: 400, body: { error: { message: 'This model does not support tools' } } }
  server.reply(refusal, { text: 'Hello.' })
  await turn(host, id, 'What is there?')
  const { messages } = await host.client['session.messages']({ id, limit: 10 })
  expect([begun, messages.map(({ role }) => role)]).toEqual([
    [id],
    ['user', 'assistant', 'tool', 'assistant'],
  ])
})
