import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { startAnthropicServer } from '../testing/servers/anthropic-server.ts'
import { startOpenAiServer } from '../testing/servers/openai-server.ts'
import { expect, test } from './app.ts'
import { card, chatRow, dialog, lastAnswer, send, transcript } from './chat.ts'
import { newChat } from './memory.ts'
import {
  addButton,
  addFrom,
  expectOfModel,
  isWritten,
  modelCard,
  openDetails,
  openModels,
  pill,
} from './models.ts'

test.use({ workspaceFiles: { 'todo.txt': 'oolong\n' } })

const key = 'sk-one-two-three'
const field = (page: Page, name: string): Locator => dialog(page).getByRole('textbox', { name, exact: true })
const config = (home: string) => readFile(join(home, 'config.yaml'), 'utf8')
const readsTodo = { name: 'read_file', arguments: { path: 'todo.txt' } }

/** Enter an address and a key, and test the server. */
async function testServer(page: Page, address: string): Promise<void> {
  await addFrom(page, 'server')
  await field(page, 'Address').fill(address)
  await field(page, 'Key').fill(key)
  await dialog(page).getByRole('button', { name: 'Test', exact: true }).click()
}

test('servers are added by address and key, their models use a tool, and all of it is kept when the host is killed', async ({
  app,
  folders,
  relaunch,
}) => {
  const models = [{ id: 'qwen3-4b' }, { id: 'qwen3-32b', context_length: 65_536 }]
  const anthropic = await startAnthropicServer({ models: [{ id: 'claude-one' }, { id: 'claude-two' }] })
  const server = await startOpenAiServer({ models })
  try {
    server.reply({ toolCalls: [readsTodo] }, { text: 'You need oolong.' })
    await testServer(app, server.baseUrl)
    await expect(dialog(app)).toContainText('Its 2 models')
    await expect(dialog(app)).toContainText('It runs on this computer')
    await dialog(app)
      .getByRole('radio', { name: /qwen3-32b/ })
      .check()
    await expect(field(app, 'Model')).toHaveValue('qwen3-32b')
    await field(app, 'Name').fill('My server')
    await addButton(app).click()
    await expect(dialog(app)).toHaveCount(0)
    await expect(pill(app)).toHaveText('My server')
    await expectOfModel(app, 'goes to My server, a server on this computer')
    await send(app, 'What do I need?')
    await expect(card(app, /^Read todo\.txt/)).toBeVisible()
    await expect(lastAnswer(app)).toHaveText('You need oolong.')
    expect(server.chats()[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(server.chats()[0]?.body.model).toBe('qwen3-32b')

    await isWritten(() => config(folders.home), 'qwen3-32b')

    await test.step('an Anthropic server is tested and chosen, uses a tool, and reads its prompt from the cache', async () => {
      await newChat(app)
      anthropic.reply(
        { content: [{ tool: 'read_file', input: { path: 'todo.txt' } }] },
        { content: [{ text: 'It says oolong.' }] },
      )
      await addFrom(app, 'server')
      await dialog(app).getByText('Anthropic', { exact: true }).last().click()
      await field(app, 'Address').fill(anthropic.baseUrl)
      await field(app, 'Key').fill(key)
      await dialog(app).getByRole('button', { name: 'Test', exact: true }).click()
      await dialog(app)
        .getByRole('radio', { name: /claude-two/ })
        .check()
      await addButton(app).click()
      await expect(pill(app)).toHaveText('claude-two')
      await send(app, 'What does it say?')
      await expect(card(app, /^Read todo\.txt/)).toBeVisible()
      await expect(lastAnswer(app)).toHaveText('It says oolong.')
      const [first] = anthropic.requests.filter(({ path }) => path === '/v1/messages')
      expect(first?.headers['x-api-key']).toBe(key)
      expect(first?.body.model).toBe('claude-two')
      await app.getByRole('button', { name: /^Context .* used/ }).click()
      await expect(dialog(app)).toContainText(/new, [\d,]+ reused/)
      await app.keyboard.press('Escape')
    })

    const window = await relaunch('kill')
    await chatRow(window, 'What do I need?').click()
    await expect(lastAnswer(window)).toHaveText('You need oolong.')
    server.reply({ text: 'Still oolong.' })
    await send(window, 'And now?')
    await expect(lastAnswer(window)).toHaveText('Still oolong.')
    expect(server.chats().at(-1)?.headers.authorization).toBe(`Bearer ${key}`)
    expect(await config(folders.home)).not.toContain(key)
    expect(await readFile(join(folders.home, '.env'), 'utf8')).toContain(key)

    await test.step('the Anthropic server answers after the restart too', async () => {
      await chatRow(window, 'What does it say?').click()
      anthropic.reply({ content: [{ text: 'Oolong, still.' }] })
      await send(window, 'And now?')
      await expect(lastAnswer(window)).toHaveText('Oolong, still.')
    })
    await newChat(window)
    await expect(pill(window)).toHaveText('My server')
  } finally {
    await anthropic.close()
    await server.close()
  }
})

test(
  'a wrong key and a server that is down are reported in plain words, before and after adding the server, until it is up',
  { tag: '@story' },
  async ({ app }) => {
    const right = 'sk-the-right-one'
    const server = await startOpenAiServer({ models: [{ id: 'only-one' }], key: right })
    const { port } = new URL(server.baseUrl)
    await testServer(app, server.baseUrl)
    await expect(dialog(app)).toContainText(`127.0.0.1:${port} did not accept the API key.`)
    await expect(field(app, 'Model')).toHaveValue('')
    await field(app, 'Key').fill(right)
    await dialog(app).getByRole('button', { name: 'Test', exact: true }).click()
    await expect(field(app, 'Model')).toHaveValue('only-one')
    // A server that does not work yet can still be added.
    await field(app, 'Key').fill(key)
    await addButton(app).click()
    await expect(pill(app)).toHaveText('only-one')
    await send(app, 'May I?')
    await expect(transcript(app)).toContainText('did not accept the API key.')
    await expect(transcript(app)).not.toContainText(key)

    await server.close()
    await transcript(app).getByRole('button', { name: 'Try again' }).click()
    await expect(transcript(app)).toContainText(`127.0.0.1:${port}`)
    await expect(transcript(app)).not.toContainText('ECONNREFUSED')
    await openModels(app)
    await openDetails(app, 'only-one')
    const card = modelCard(app, 'only-one')
    await card.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(card.getByRole('status').filter({ hasText: `127.0.0.1:${port}` })).toBeVisible()
    await expect(card).not.toContainText('ECONNREFUSED')

    const back = await startOpenAiServer({ port: Number(port) })
    try {
      await chatRow(app, 'May I?').click()
      await transcript(app).getByRole('button', { name: 'Try again' }).click()
      await expect(lastAnswer(app)).toHaveText('Hello.')
    } finally {
      await back.close()
    }
  },
)
