import { fileURLToPath } from 'node:url'
import { lastAnswer, send } from './chat.ts'
import { newChat } from './memory.ts'
import { expect, test } from './served.ts'

const program = fileURLToPath(new URL('../testing/mcp/misbehaving-server.ts', import.meta.url))

test('a server is added by its JSON, its pinned tool runs with a card, and is off once it changed', async ({
  app,
  model,
}) => {
  await app.getByRole('button', { name: 'Connections' }).click()
  await app.getByRole('button', { name: 'Add a server' }).click()
  const dialog = app.getByRole('dialog', { name: 'Add a server' })
  // The server counts its starts in its own folder, and its tool changes after the first.
  const echoes = { command: process.execPath, args: [program, 'rug pull', 'starts'] }
  await dialog.getByLabel('JSON of the server').fill(JSON.stringify({ mcpServers: { echoes } }))
  await dialog.getByRole('button', { name: 'Show what it runs' }).click()
  await expect(dialog).toContainText(program)
  await dialog.getByRole('button', { name: 'Add echoes' }).click()
  const card = app.getByRole('listitem', { name: 'echoes', exact: true })
  await expect(card).toContainText('Running. 2 tools')
  await card.getByText('Tools of echoes').click()
  await card.getByRole('checkbox', { name: /^Pin echo to new chats/ }).check()

  await newChat(app)
  model.reply(
    { toolCalls: [{ name: 'mcp__echoes__echo', arguments: { text: 'Hello.' } }] },
    { text: 'It said so.' },
  )
  await send(app, 'Say hello')
  const question = app.getByRole('region', { name: 'A question for you' })
  await expect(question).toContainText('Use echo of echoes')
  await question.getByRole('button', { name: /^Allow once/ }).click()
  await expect(lastAnswer(app)).toHaveText('It said so.')
  expect(JSON.stringify(model.chats().at(-1)?.body.messages.at(-1))).toContain('text from a stranger')

  await app.getByRole('button', { name: 'Connections' }).click()
  await card.getByRole('switch', { name: 'echoes' }).click()
  await expect(card).toContainText('Switched off')
  await card.getByRole('switch', { name: 'echoes' }).click()
  await card.getByRole('button', { name: 'Test echoes' }).click()
  await card.getByText('Tools of echoes').click()
  await expect(card).toContainText('It changed since you agreed to it, so it is off.')
  await card.getByRole('button', { name: 'Accept the new text of echo' }).click()
  await expect(card.getByRole('switch', { name: 'echo', exact: true })).toBeChecked()
})
