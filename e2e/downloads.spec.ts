import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startFileServer, type FileServer } from '../testing/servers/file-server.ts'
import { scriptedModel } from '../testing/gguf/cached.ts'
import { expect, pastFirstRun, test as base } from './app.ts'
import { dialog, lastAnswer, send, transcript } from './chat.ts'
import { corner, newChat } from './memory.ts'
import { lockSign, modelCard, modelTab, openModels, pill, transfers } from './models.ts'
import { openSettings, settings } from './settings.ts'

const source = scriptedModel({ reply: 'I came over the wire.' })
const name = 'wire.gguf'
const path = `/models/${name}`

/** A file server on this computer that offers a model. */
const test = base.extend<{ files: FileServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  files: async ({}, use) => {
    const files = await startFileServer()
    files.put(path, await readFile(source))
    await use(files)
    await files.close()
  },
})

const button = (page: Page, action: string) =>
  transfers(page).getByRole('button', { name: `${action}: ${name}`, exact: true })

/** Download a file from an address on the Models page. */
async function download(page: Page, address: string): Promise<void> {
  await openModels(page, 'Discover')
  await page.getByRole('textbox', { name: 'Address of a .gguf file' }).fill(address)
  await page
    .getByRole('region', { name: 'From an address' })
    .getByRole('button', { name: 'Download', exact: true })
    .click()
  await modelTab(page, 'Downloads').click()
}

/** Check that a new chat can use the downloaded model. */
async function chatsWithIt(page: Page): Promise<void> {
  await modelTab(page, 'Installed').click()
  await expect(
    modelCard(page, 'wire').getByRole('button', { name: 'Used for new chats: wire' }),
  ).toBeVisible()
  await newChat(page)
  await expect(pill(page)).toHaveText('wire')
  await send(page, 'Hello')
  await expect(lastAnswer(page)).toHaveText('I came over the wire.')
}

test('a download that was paused or running when the host was killed is completed on request, and becomes a model', async ({
  app,
  files,
  folders,
  relaunch,
}) => {
  files.replies.set(path, [{ holdAfter: 1_000_000 }, { holdAfter: 1_000_000 }])
  await download(app, files.origin + path)
  await expect(transfers(app)).toContainText('In progress · 1 MB of 4.')
  await expect(app.getByRole('navigation', { name: 'Pages' })).toContainText('↓ 23%')
  await button(app, 'Pause').click()
  await expect(transfers(app)).toContainText('Paused · 1 MB of 4.')

  let window = await relaunch('kill')
  await openModels(window, 'Downloads')
  await expect(transfers(window)).toContainText('Paused · 1 MB of 4.')
  await button(window, 'Resume').click()
  await expect(transfers(window)).toContainText('In progress · 2 MB of 4.')
  expect(await readdir(join(folders.home, 'models'))).not.toContain(name)

  window = await relaunch('kill')
  await openModels(window, 'Downloads')
  // A restart sends no requests, because downloads wait for the user.
  await expect(transfers(window)).toContainText('Paused')
  expect(files.requests.map(({ range }) => range)).toEqual([undefined, 'bytes=1000000-'])
  await button(window, 'Resume').click()
  await expect(transfers(window)).toContainText('Done')
  await expect(corner(window)).toContainText(`${name} is ready to use.`)
  const [come, sent] = await Promise.all([readFile(join(folders.home, 'models', name)), readFile(source)])
  expect(come.equals(sent)).toBe(true)
  await chatsWithIt(window)
})

test(
  'after a broken connection only the rest is requested, and a missing file is reported',
  { tag: '@story' },
  async ({ app, files }) => {
    files.replies.set(path, [{ cutAfter: 3_000_000 }])
    await download(app, files.origin + path)
    await expect(transfers(app)).toContainText('Done')
    // Data that was in transit at the interruption may be lost.
    const from = Number(/^bytes=(\d+)-$/.exec(files.requests.at(-1)?.range ?? '')?.[1])
    expect(from).toBeGreaterThan(0)
    expect(from).toBeLessThanOrEqual(3_000_000)

    const host = new URL(files.origin).host
    await download(app, `${files.origin}/models/none.gguf`)
    const said = transfers(app).filter({ hasText: 'none.gguf' }).getByRole('alert')
    await expect(said).toContainText(`${host} has no file at this address.`)
    await expect(said).toContainText('Check the address, or choose another file.')

    await openSettings(app, 'Privacy and network')
    const hosts = settings(app).getByRole('table', { name: 'Who was contacted' })
    await expect(hosts.getByRole('row', { name: new RegExp(host) })).toContainText('this computer')
    await expect(hosts.getByRole('row', { name: new RegExp(host) })).toContainText('Download')
    const requests = settings(app).getByRole('table', { name: 'Each request' })
    await expect(requests.getByRole('row', { name: /wire\.gguf/ })).toHaveCount(2)
    await expect(requests).toContainText('none.gguf')
  },
)

base.describe('with a server on another computer', () => {
  const far = { id: 'far', name: 'Far away', base_url: 'http://192.0.2.1/v1', model: 'big' }
  base.use({
    homeFiles: {
      'config.yaml': pastFirstRun({
        network: { offline: true },
        models: { default: 'server:far', servers: [{ ...far, context_tokens: 32_768 }] },
      }),
    },
  })

  base(
    'the offline lock keeps everything back, says so, and writes it down',
    { tag: '@story' },
    async ({ app, folders, relaunch }) => {
      await expect(lockSign(app)).toHaveAccessibleName('Offline lock: blocked. Far away is another computer')
      await send(app, 'Hello out there')
      await expect(transcript(app)).toContainText('The offline lock is on, so nothing was sent to 192.0.2.1.')
      await expect(transcript(app)).toContainText('Switch the offline lock off under Settings')
      await openModels(app, 'Discover')
      await expect(app.getByText('The offline lock is on: nothing can be downloaded.')).toBeVisible()
      for (const each of await app.getByRole('button', { name: /^Download/ }).all())
        if ((await each.innerText()) === 'Download') await expect(each).toBeDisabled()

      await app.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Chat' }).click()
      await lockSign(app).click()
      await dialog(app).getByRole('button', { name: 'What was sent' }).click()
      const row = settings(app)
        .getByRole('table', { name: 'Each request' })
        .getByRole('row', { name: /192\.0\.2\.1/ })
      await expect(row.first()).toContainText('Blocked')
      await expect(settings(app).getByRole('table', { name: 'Who was contacted' })).toContainText(
        'all blocked',
      )

      // With a local model, the network lock does not block chats.
      await newChat(app)
      await pill(app).click()
      await dialog(app)
        .getByRole('button', { name: /^Built-in demo model/ })
        .click()
      await expect(lockSign(app)).toHaveAccessibleName('Offline lock: nothing can leave this computer')
      await send(app, 'hello')
      await expect(lastAnswer(app)).toContainText('Hello')
      await lockSign(app).click()
      await dialog(app).getByRole('switch', { name: 'Offline lock' }).click()
      await expect(lockSign(app)).toHaveCount(0)
      const kept = () => readFile(join(folders.home, 'config.yaml'), 'utf8')
      await expect.poll(kept).toMatch(/offline"?: false/)

      const window = await relaunch()
      await expect(pill(window)).toHaveAccessibleName('Model: Far away. Messages go to another computer')
    },
  )
})
