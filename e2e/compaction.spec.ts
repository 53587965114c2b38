import type { Locator, Page } from '@playwright/test'
import { textOf } from '../testing/learning/script.ts'
import type { OpenAiServer, ServedRequest } from '../testing/servers/openai-server.ts'
import { chatList, chatRow, composer, lastAnswer, send, stopButton, transcript } from './chat.ts'
import { expect, test as served } from './scripted-server.ts'

/**
 * The same server with a small context window that a few long messages fill. Reviews are on only where a spec
 * enables them.
 */
const test = served.extend({
  homeFiles: async ({ homeFiles }, use) => {
    const config = JSON.parse(homeFiles['config.yaml'] ?? '{}') as {
      models: { servers: { context_tokens: number }[] }
    }
    for (const server of config.models.servers) server.context_tokens = 12_000
    await use({ ...homeFiles, 'config.yaml': JSON.stringify({ learning: { mode: 'off' }, ...config }) })
  },
})

const summarised = '## Goal\n- Plan the garden\n\n## Decisions\n- The gate opens with 7300'
// In the middle of a turn the request follows the user's text in the same message.
const asksForSummary = ({ body }: ServedRequest) => textOf(body.messages.at(-1)).includes('[Summary]')
type Sent = Parameters<typeof textOf>[0][]
const sentIn = (request: ServedRequest | undefined): string =>
  ((request?.body.messages ?? []) as Sent).map(textOf).join('\n')

/** The first word of the last message. A summary may come before it in the same message. */
const firstWord = (text: string) => text.split('\n\n').at(-1)?.split(' ')[0]

/** A model that repeats the user's first word, summarises on request, and counts tokens. */
const repeats = (model: OpenAiServer) =>
  model.reply(request => {
    const tokens = Math.round(JSON.stringify(request.body).length / 4)
    return {
      text: asksForSummary(request)
        ? summarised
        : `${firstWord(textOf(request.body.messages.at(-1)))} is noted.`,
      usage: { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 },
    }
  })

const plants = ['Alder', 'Birch', 'Cedar', 'Dahlia', 'Elm', 'Fern']
const divider = (page: Page): Locator =>
  transcript(page).getByRole('button', { name: /^Earlier messages are summarised for the model/ })
const summary = (page: Page): Locator =>
  transcript(page).getByRole('region', { name: 'Summary that the model reads' })

async function say(page: Page, word: string, rest: string): Promise<void> {
  await send(page, `${word} ${rest}`)
  await expect(lastAnswer(page)).toContainText(`${word} is noted.`)
  await expect(stopButton(page)).toBeHidden()
}

/** Check that messages which the model no longer reads are still in the chat and in search. */
async function findsAgain(page: Page, word: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search in chats' }).fill(word)
  await chatList(page)
    .getByRole('button', { name: new RegExp(`^You.*${word} stands`) })
    .first()
    .click()
  await expect(transcript(page).getByText(new RegExp(`^${word} stands`))).toBeInViewport()
}

test('“/compact” shows a line where the summary ends, and the chat continues after it, also after the host is killed', async ({
  app,
  model,
  relaunch,
}) => {
  repeats(model)
  for (const plant of plants) await say(app, plant, 'stands in the garden.')
  await send(app, '/compact where the plants stand')
  await expect(divider(app)).toHaveText(/ · [\d.]+k? → [\d.]+k? tokens$/)
  await expect(composer(app)).toHaveValue('')
  expect(sentIn(model.chats().at(-1))).toContain('What must not be lost: where the plants stand')
  await divider(app).press('Enter')
  await expect(summary(app).getByRole('heading', { name: 'Decisions' })).toBeVisible()
  await expect(summary(app)).toContainText('The gate opens with 7300')
  await expect(summary(app)).toContainText('You asked to keep: where the plants stand')
  await expect(transcript(app).getByText('/compact')).toHaveCount(0)

  await say(app, 'Iris', 'stands at the pond.')
  const sent = sentIn(model.chats().at(-1))
  expect(sent).toContain('- The gate opens with 7300')
  expect(sent).toContain('Alder stands')
  expect(sent).not.toContain('Cedar stands')
  await findsAgain(app, 'Cedar')

  const window = await relaunch('kill')
  await chatRow(window, 'Alder stands in the garden.').click()
  await expect(divider(window)).toBeVisible()
  await divider(window).press('Enter')
  await expect(summary(window)).toContainText('The gate opens with 7300')
  await say(window, 'Juniper', 'stands at the door.')
  expect(sentIn(model.chats().at(-1))).toContain('- The gate opens with 7300')
})

test(
  'a chat that fills the context window is summarised before the next answer',
  { tag: '@story' },
  async ({ app, model }) => {
    repeats(model)
    // Each sentence differs, so that the text is not taken for a loop.
    const long = (at: number) =>
      Array.from({ length: 90 }, (_, row) => `Row ${at * 90 + row} of it holds ${row + 3} beds.`).join(' ')
    // How many messages fill the window depends on what the tools take of it.
    let last = ''
    for (const [at, plant] of plants.entries()) {
      last = plant
      await say(app, plant, `stands in the garden. ${long(at)}`)
      if (await divider(app).isVisible()) break
    }
    await expect(divider(app)).toBeVisible()
    const [asked, ...others] = model.chats().filter(asksForSummary)
    expect(sentIn(asked)).toContain('Birch stands')
    expect(others, 'later passes').toEqual([])
    const sent = sentIn(model.chats().at(-1))
    expect(sent).toContain('- The gate opens with 7300')
    expect(sent).toContain(`${last} stands`)
    expect(sent).not.toContain('Birch stands')
    await divider(app).press('Enter')
    await expect(summary(app)).toContainText('The model wrote this summary')
    await expect(summary(app)).toContainText('Plan the garden')

    await say(app, 'Ginkgo', 'stands at the pond.')
    const later = sentIn(model.chats().at(-1))
    expect(later.startsWith(sent), 'what was evaluated stays').toBe(true)
    await findsAgain(app, 'Birch')
  },
)
