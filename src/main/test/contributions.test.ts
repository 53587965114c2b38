import { expect, test } from 'vitest'
import { aHome, aHost, aServer, turn } from '../../../testing/host/a-host.ts'
import type { PromptSection } from '../agent/prompt.ts'

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
