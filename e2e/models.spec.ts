import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { scriptedModel } from '../testing/gguf/cached.ts'
import { startOpenAiServer } from '../testing/openai-server.ts'
import { expect, test } from './app.ts'
import { approval, card, dialog, lastAnswer, send, transcript } from './chat.ts'
import { addButton, addFrom, pathField, pill } from './models.ts'
import { callOf } from './served.ts'

async function addFile(page: Page, path: string): Promise<void> {
  await addFrom(page, 'file')
  await pathField(page).fill(path)
  await addButton(page).click()
}

async function addServer(page: Page, address: string): Promise<void> {
  await addFrom(page, 'server')
  const field = (name: string) => dialog(page).getByRole('textbox', { name, exact: true })
  await field('Address').fill(address)
  await field('Key').fill('secret-key')
  await field('Model').fill('qwen3-8b')
  await field('Name').fill('My server')
  await addButton(page).click()
}

test('the built-in model is called a demo everywhere', async ({ app }) => {
  await expect(pill(app)).toHaveText('Built-in demo model')
  await expect(app.getByText('Real work needs a bigger model.').first()).toBeVisible()
  await expect(app.getByRole('contentinfo', { name: 'Status' })).toContainText('Built-in demo model')
  await pill(app).click()
  await expect(dialog(app)).toContainText('Tiny, for a first look. Real work needs a bigger model.')
})

test('a GGUF file is added by its path and answers in this chat', async ({ app, folders }) => {
  const path = scriptedModel({ reply: 'I come from a file.', name: 'File model' })
  await addFile(app, path)
  await expect(dialog(app)).toBeHidden()
  await send(app, 'Who are you?')
  await expect(lastAnswer(app)).toHaveText('I come from a file.')
  expect(await readFile(join(folders.home, 'config.yaml'), 'utf8')).toContain(path)
})

test('a file that is missing, damaged or not a model is refused by name, with the next step', async ({
  app,
  folders,
}) => {
  const at = (name: string) => join(folders.home, name)
  writeFileSync(at('letter.gguf'), 'Dear Ada,')
  writeFileSync(at('cut.gguf'), (await readFile(scriptedModel({ reply: 'Hello.' }))).subarray(0, 200_000))
  await addFile(app, at('nowhere.gguf'))
  const field = pathField(app)
  const said = dialog(app).getByRole('alert')
  await expect(said).toContainText('nowhere.gguf')
  for (const name of ['letter.gguf', 'cut.gguf']) {
    await field.fill(at(name))
    await field.press('Enter')
    await expect(said).toContainText(name)
    // One sentence for the error and one for the solution.
    expect((await said.innerText()).match(/\./g)?.length).toBeGreaterThan(2)
  }
  await app.keyboard.press('Escape')
  await expect(pill(app)).toHaveText('Built-in demo model')
})

test('a deleted model file is named in the chat, and another model continues the chat', async ({
  app,
  folders,
}) => {
  const path = join(folders.home, 'gone.gguf')
  writeFileSync(path, await readFile(scriptedModel({ reply: 'Here.' })))
  await addFile(app, path)
  await expect(dialog(app)).toBeHidden()
  writeFileSync(path, 'overwritten')
  await send(app, 'hello')
  await expect(transcript(app)).toContainText('gone.gguf')
  await pill(app).click()
  await dialog(app)
    .getByRole('button', { name: /^Built-in demo model/ })
    .click()
  await transcript(app).getByRole('button', { name: 'Try again' }).click()
  await expect(lastAnswer(app)).toContainText('Hello')
})

test('a server is added, answers and calls tools; its key stays out of the settings', async ({
  app,
  folders,
}) => {
  const server = await startOpenAiServer()
  try {
    server.reply(callOf('echo from the server'), { text: 'It said so.' })
    await addServer(app, server.baseUrl)
    await expect(dialog(app)).toBeHidden()
    await expect(app.getByRole('contentinfo')).toContainText('My server runs on this computer')
    await send(app, 'Say it')
    await approval(app).getByRole('button', { name: 'Allow once' }).click()
    await expect(lastAnswer(app)).toHaveText('It said so.')
    await expect(card(app, /echo from the server/)).toBeVisible()

    const [first, second] = server.chats()
    expect(first?.headers.authorization).toBe('Bearer secret-key')
    expect(first?.body.tools.map((tool: any) => tool.function.name)).toContain('terminal')
    const [call, result] = second!.body.messages.slice(-2)
    expect(result).toMatchObject({ role: 'tool', tool_call_id: call.tool_calls[0].id })
    expect(await readFile(join(folders.home, 'config.yaml'), 'utf8')).not.toContain('secret-key')
    expect(await readFile(join(folders.home, '.env'), 'utf8')).toContain('secret-key')
  } finally {
    await server.close()
  }
})

test('a server that is down is reported in a sentence, and works when it is up again', async ({ app }) => {
  const server = await startOpenAiServer()
  const port = Number(new URL(server.baseUrl).port)
  await addServer(app, server.baseUrl)
  await expect(dialog(app)).toBeHidden()
  await server.close()
  await send(app, 'Anybody there?')
  await expect(transcript(app)).toContainText(`127.0.0.1:${port}`)
  await expect(transcript(app)).not.toContainText('ECONNREFUSED')

  const back = await startOpenAiServer({ port })
  try {
    await transcript(app).getByRole('button', { name: 'Try again' }).click()
    await expect(lastAnswer(app)).toHaveText('Hello.')
  } finally {
    await back.close()
  }
})
