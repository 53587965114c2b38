import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { approval, chatList, composer, denyAndExplain, lastAnswer, send } from './chat.ts'
import { queryDatabase } from './query-database.ts'
import { callOf, expect, talk, test, words } from './scripted-server.ts'

test.beforeEach(({ hosting }) => test.skip(hosting === 'desktop', 'a desktop window ends with its host'))

const lost = (page: Page) => page.getByText(/connection to Talaria was lost/)

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const openChat = (page: Page, title: string) =>
  chatList(page)
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .first()
    .click()

test('a reason that was typed on a card outlives three restarts of the server', async ({
  app,
  model,
  endHost,
  startHost,
}) => {
  model.reply(callOf('echo x > made.txt'))
  await send(app, 'Do it')
  await denyAndExplain(app)
  await approval(app).getByRole('textbox').fill('a reason that took a while')
  for (const how of ['kill', 'close', 'kill'] as const) {
    await endHost(how)
    await expect(lost(app)).toBeVisible()
    await startHost()
    await expect(lost(app)).toBeHidden()
  }
  await expect(approval(app)).toBeHidden()
  await expect(composer(app)).toHaveValue('a reason that took a while')
  model.reply({ text: 'Fine.' })
  await composer(app).press('Enter')
  await expect(lastAnswer(app)).toContainText('Fine.')
})

test('when the server starts again at another port, the page comes back by itself with what was typed meanwhile', async ({
  app,
  model,
  endHost,
  startHost,
}) => {
  await talk(app, model, 'Hello')
  await endHost('kill')
  await expect(lost(app)).toBeVisible()
  await composer(app).fill('typed while it was gone')
  const address = await startHost(await aFreePort())
  expect(new URL(address).port).not.toBe(new URL(app.url()).port)
  await expect(lost(app)).toBeHidden()
  await app.reload()
  await expect(composer(app)).toHaveValue('typed while it was gone')
  model.reply({ text: 'There you are.' })
  await composer(app).press('Enter')
  await expect(lastAnswer(app)).toContainText('There you are.')
})

test('a page that the server does not know any more says so, and a new address in its tab lets it in', async ({
  app,
  folders,
  model,
  endHost,
  startHost,
}) => {
  await talk(app, model, 'Hello')
  await endHost()
  await composer(app).fill('typed while it was gone')
  rmSync(join(folders.home, 'page-entry.json'))
  const address = await startHost(Number(new URL(app.url()).port))
  const unknown = app.getByText(/no longer recognises this page/)
  await expect(unknown).toBeVisible()
  // Only the fragment differs, so the page does not load again.
  await app.goto(address)
  await expect(unknown).toBeHidden()
  expect(app.url()).not.toContain('code=')
  await openChat(app, 'Hello')
  await expect(composer(app)).toHaveValue('typed while it was gone')
})

test('messages that were sent while the server was gone are there afterwards', async ({
  app,
  model,
  endHost,
  startHost,
}) => {
  model.reply(words(2_000, 20))
  await send(app, 'Count')
  await expect(lastAnswer(app)).toContainText('word20 ')
  await endHost('kill')
  await expect(lost(app)).toBeVisible()
  for (const text of ['the first of two', 'the second of two']) await send(app, text)
  await startHost()
  await expect(lost(app)).toBeHidden()
  await app.reload()
  await expect(composer(app)).toHaveValue(/the first of two[^]*the second of two/)
})

test('a deletion that fails leaves everything where it was', async ({
  app,
  folders,
  model,
  endHost,
  startHost,
}) => {
  for (const title of ['Tides', 'Winds']) {
    if (title === 'Winds')
      await app
        .getByRole('button', { name: /New chat/ })
        .first()
        .click()
    model.reply({ text: `All about ${title}.` })
    await send(app, title)
    await expect(lastAnswer(app)).toContainText(`All about ${title}.`)
  }
  await composer(app).fill('half a thought')
  const row = (title: string) =>
    chatList(app)
      .getByRole('button', { name: new RegExp(`^${title}`) })
      .first()
  await expect
    .poll(() => queryDatabase(folders.home, "select draft from sessions where draft <> ''"))
    .toEqual(['half a thought'])
  const url = app.url()
  const isAsBefore = async () => {
    await expect(app.getByText(/not connected right now/).first()).toBeVisible()
    expect(app.url()).toBe(url)
    await expect(lastAnswer(app)).toContainText('All about Winds.')
    await expect(composer(app)).toHaveValue('half a thought')
  }
  await endHost('kill')
  await expect(lost(app)).toBeVisible()
  await test.step('the open chat', async () => {
    await row('Winds').focus()
    await app.keyboard.press('Delete')
    await isAsBefore()
  })
  await test.step('several chats, the open one among them', async () => {
    await row('Winds').click({ modifiers: ['ControlOrMeta'] })
    await row('Tides').click({ modifiers: ['ControlOrMeta'] })
    await row('Tides').focus()
    await app.keyboard.press('Delete')
    await isAsBefore()
  })
  await startHost()
  await expect(lost(app)).toBeHidden()
  for (const title of ['Tides', 'Winds']) await expect(row(title)).toBeVisible()
})
