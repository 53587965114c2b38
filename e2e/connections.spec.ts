import { execFile } from 'node:child_process'

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { approval, lastAnswer, openPage, send } from './chat.ts'
import { newChat } from './memory.ts'
import { expect, test } from './scripted-server.ts'

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const misbehaving = pathOf('testing/mcp/misbehaving-server.ts')
const everything = pathOf('node_modules/@modelcontextprotocol/server-everything/dist/index.js')

const card = (app: Page, name: string): Locator => app.getByRole('listitem', { name, exact: true })

/** Add a program by its JSON, after a look at its command. */
async function addProgram(app: Page, name: string, args: string[]): Promise<void> {
  await openPage(app, 'Connections')
  await app.getByRole('button', { name: 'Add a server' }).click()
  const dialog = app.getByRole('dialog', { name: 'Add a server' })
  const entries = { [name]: { command: process.execPath, args } }
  await dialog.getByLabel('Server JSON').fill(JSON.stringify({ mcpServers: entries }))
  await dialog.getByRole('button', { name: 'Show what it runs' }).click()
  await expect(dialog).toContainText(args[0]!)
  await dialog.getByRole('button', { name: `Add ${name}` }).click()
  await expect(card(app, name)).toContainText('Running')
}

test(
  'a pinned tool of the everything server runs with a card, and its server is switched in a chat',
  { tag: '@story' },
  async ({ app, model }) => {
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
  },
)

test(
  'a tool that changed is off with its difference until it is accepted',
  { tag: '@story' },
  async ({ app }) => {
    // The server counts its starts in its own folder, and changes its tool after the first.
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
  },
)

test('what a terminal adds without a question is told in every open window, one notice for each server', async ({
  app,
  folders,
  secondWindow,
  hosting,
}) => {
  test.skip(hosting === 'desktop', 'the desktop app has one window')
  const other = await secondWindow()
  await openPage(other, 'Connections')
  const mcp = async (...args: string[]) => {
    const words = [pathOf('out/main/cli.js'), '--home', folders.home, 'mcp', ...args]
    return (await promisify(execFile)(process.execPath, words)).stdout
  }
  for (const name of ['echoes', 'others'])
    expect(await mcp('add', name, '--yes', '--', process.execPath, misbehaving)).toContain(`Added ${name}.`)
  for (const window of [app, other]) {
    const notices = window.getByRole('region', { name: 'Notices' })
    await notices.getByRole('button', { name: '1 more' }).click()
    for (const name of ['echoes', 'others'])
      await expect(notices).toContainText(
        `The MCP server ${name} was added in a terminal. It runs: ${process.execPath} ${misbehaving}`,
      )
    await expect(notices).toContainText('If that was not you, undo it on Connections.')
  }
  await expect(card(other, 'echoes')).toBeVisible()

  await other.keyboard.press('Escape')
  const all = app.getByRole('list', { name: 'All notices' })
  await all.getByRole('button', { name: 'Dismiss' }).first().click()
  await expect(all.getByRole('button', { name: 'Dismiss' })).toHaveCount(1)
  await app.keyboard.press('Escape')
  await mcp('remove', 'echoes')
  await expect(card(other, 'echoes')).toHaveCount(0)
  await expect(card(other, 'others')).toBeVisible()
})

test(
  'a server of a project waits for trust and agreement, is used, and is off once its file changed',
  { tag: '@story' },
  async ({ app, model, folders }) => {
    const file = join(folders.workspace, '.mcp.json')
    const write = (...args: string[]) =>
      writeFileSync(
        file,
        JSON.stringify({
          mcpServers: { notes: { command: process.execPath, args: [misbehaving, ...args] } },
        }),
      )
    write('good')
    await newChat(app)
    model.reply({ text: 'Hello.' })
    await send(app, 'Hello')
    await expect(lastAnswer(app)).toHaveText('Hello.')
    await openPage(app, 'Connections')
    await expect(
      app.getByText(/lists servers in its \.mcp\.json\. Talaria does not read the file/),
    ).toBeVisible()
    await expect(card(app, 'notes')).toHaveCount(0)
    await app.getByRole('button', { name: /^Trust this folder…/ }).click()
    await app.getByRole('dialog').getByRole('button', { name: 'Trust this folder' }).click()
    const notes = card(app, 'notes')
    await expect(notes).toContainText('Waiting for you')
    await expect(notes).toContainText(`${misbehaving} good`)
    await notes.getByRole('button', { name: 'Agree to notes' }).click()
    await notes.getByRole('button', { name: /^notes Starts when used/ }).click()
    await notes.getByRole('button', { name: 'Test notes' }).click()
    await notes.getByRole('checkbox', { name: /^In every new chat .*: echo$/ }).click()

    await newChat(app)
    model.reply(
      { toolCalls: [{ name: 'mcp__notes__echo', arguments: { text: 'Milk.' } }] },
      { text: 'Milk it is.' },
    )
    await send(app, 'What is noted?')
    await approval(app)
      .getByRole('button', { name: /^Allow once/ })
      .click()
    await expect(lastAnswer(app)).toHaveText('Milk it is.')
    expect(String(model.chats().at(-1)?.body.messages.at(-1)?.content)).toContain('Milk.')

    await openPage(app, 'Connections')
    await expect(notes).toContainText('Running')
    write('good', 'and more')
    await expect(notes).toContainText('Waiting for you')
    await expect(notes).toContainText('and more')
    const notice = app.getByText(/The MCP server notes (was added|changed) in the \.mcp\.json/)
    await expect(notice).toBeVisible()
    await notes.getByRole('button', { name: 'Agree to notes' }).click()
    await expect(notice).toBeHidden()
  },
)
