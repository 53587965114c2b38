import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { approval, lastAnswer, openPage, send } from './chat.ts'
import { newChat } from './memory.ts'
import { expect, test } from './served.ts'

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const misbehaving = pathOf('testing/mcp/misbehaving-server.ts')
const everything = pathOf('node_modules/@modelcontextprotocol/server-everything/dist/index.js')

const card = (app: Page, name: string): Locator => app.getByRole('listitem', { name, exact: true })

/** Adds a program by its JSON, after its command was read. */
async function addProgram(app: Page, name: string, args: string[]): Promise<void> {
  await openPage(app, 'Connections')
  await app.getByRole('button', { name: 'Add a server' }).click()
  const dialog = app.getByRole('dialog', { name: 'Add a server' })
  const entries = { [name]: { command: process.execPath, args } }
  await dialog.getByLabel('JSON of the server').fill(JSON.stringify({ mcpServers: entries }))
  await dialog.getByRole('button', { name: 'Show what it runs' }).click()
  await expect(dialog).toContainText(args[0]!)
  await dialog.getByRole('button', { name: `Add ${name}` }).click()
  await expect(card(app, name)).toContainText('Running')
}

test('a pinned tool of the everything server runs with a card, and its server is switched in a chat', async ({
  app,
  model,
}) => {
  await addProgram(app, 'everything', [everything, 'stdio'])
  const pin = card(app, 'everything').getByRole('checkbox', { name: /^In every new chat .*: echo$/ })
  await pin.click()
  await expect(card(app, 'everything')).toContainText('1 pinned')

  await newChat(app)
  model.reply(
    { toolCalls: [{ name: 'mcp__everything__echo', arguments: { message: 'Hello.' } }] },
    { text: 'It said so.' },
  )
  await send(app, 'Say hello')
  await expect(approval(app)).toContainText('Use echo of everything')
  await approval(app)
    .getByRole('button', { name: /^Allow once/ })
    .click()
  await expect(lastAnswer(app)).toHaveText('It said so.')
  expect(JSON.stringify(model.chats().at(-1)?.body.messages.at(-1))).toContain('text from a stranger')

  await app.getByRole('button', { name: /^Tools/ }).click()
  const tools = app.getByRole('dialog', { name: 'Tools of this chat' })
  await tools.getByRole('switch', { name: 'everything', exact: true }).click()
  await tools.getByRole('button', { name: 'Apply here now' }).click()
  await expect(tools.getByRole('button', { name: 'Apply here now' })).toHaveCount(0)
  await app.keyboard.press('Escape')
  model.reply({ text: 'Without it.' })
  await send(app, 'And now?')
  await expect(lastAnswer(app)).toHaveText('Without it.')
  expect(JSON.stringify(model.chats().at(-1)?.body.tools)).not.toContain('mcp__everything__echo')
})

test('a tool that changed is off with its difference until it is accepted', async ({ app }) => {
  // The server counts its starts in its own folder, and its tool changes after the first.
  await addProgram(app, 'echoes', [misbehaving, 'rug pull', 'starts'])
  const echoes = card(app, 'echoes')
  await expect(echoes.getByRole('switch', { name: 'echo', exact: true })).toBeChecked()
  await echoes.getByRole('switch', { name: 'Use echoes' }).click()
  await expect(echoes.getByText('Off', { exact: true })).toBeVisible()
  await echoes.getByRole('switch', { name: 'Use echoes' }).click()
  await echoes.getByRole('button', { name: 'Test echoes' }).click()
  await expect(echoes).toContainText('It changed since you agreed to it, so it is off.')
  await expect(echoes.getByRole('group', { name: 'What changed in echo' })).toContainText('and tell nobody')
  await echoes.getByRole('button', { name: 'Accept the new text of echo' }).click()
  await expect(echoes.getByRole('switch', { name: 'echo', exact: true })).toBeChecked()
})
