import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { scriptedModel } from '../testing/gguf/cached.ts'
import { expect, pastFirstRun, test } from './app.ts'
import { lastAnswer, send } from './chat.ts'
import { expectOfModel, isWritten, modelCard, openDetails, openModels } from './models.ts'

// Real files and a real engine, with a model that says one sentence.

const path = scriptedModel({ reply: 'I am small.' })
const name = basename(path, '.gguf')
const linked = { 'config.yaml': pastFirstRun({ models: { default: `file:${path}`, files: [path] } }) }

test.describe('a model that is linked', () => {
  test.use({ homeFiles: linked })

  test.describe('and whose engine loads slowly', () => {
    test.use({
      homeFiles: { ...linked, 'hold-engines': '' },
      nodeSwitches: ['--import', pathToFileURL(join(rootFolder(), 'testing/hold-engine.ts')).href],
    })

    test(
      'loading is cancelled and starts again at once',
      { tag: '@story' },
      async ({ app, folders, hosting }) => {
        test.skip(hosting === 'desktop', 'the engine of the desktop application cannot be held')
        test.skip(process.platform === 'win32', 'Windows cannot hold a process')
        await openModels(app)
        const card = modelCard(app, name)
        const stop = card.getByRole('button', { name: 'Stop loading' })
        await card.getByRole('button', { name: /^Load/ }).click()
        await stop.click()
        await expect(stop).toBeHidden()
        await expect(card).not.toContainText('In memory')
        await expect(card.getByRole('alert')).toHaveCount(0)

        await rm(join(folders.home, 'hold-engines'))
        await card.getByRole('button', { name: /^Load/ }).click()
        await expect(card).toContainText('In memory')
        await card.getByRole('button', { name: /^Unload/ }).click()
        await expect(card).not.toContainText('In memory')
      },
    )
  })

  test(
    'its settings are kept, apply at the next load and can be reset',
    { tag: '@story' },
    async ({ app, folders, relaunch }) => {
      const config = () => readFile(join(folders.home, 'config.yaml'), 'utf8')
      await openModels(app)
      await openDetails(app, name)
      await modelCard(app, name).getByRole('textbox', { name: 'Temperature' }).fill('0,5')
      await app.keyboard.press('Enter')
      await isWritten(config, 'temperature')
      await modelCard(app, name).getByRole('slider', { name: 'Context' }).press('Home')
      await modelCard(app, name).getByRole('button', { name: 'Use for this model' }).click()
      await isWritten(config, 'context_tokens')

      const window = await relaunch('kill')
      await openModels(window)
      const card = modelCard(window, name)
      await openDetails(window, name)
      await expect(card.getByRole('textbox', { name: 'Temperature' })).toHaveValue('0.5')
      await expect(card).toContainText('1,024 tokens are now set for this model.')
      await card.getByRole('button', { name: 'Load with 1,024 tokens' }).click()
      await expect(card).toContainText('In memory')
      await expectOfModel(window, 'It reads up to 1,024 tokens at once.')
      await openModels(window)

      await card.getByRole('button', { name: 'Back to automatic' }).click()
      await card.getByRole('button', { name: 'Use the setting' }).click()
      await expect.poll(config).not.toMatch(/temperature|context_tokens/)
    },
  )

  test.describe('on a computer without free memory', () => {
    test.skip(({ hosting }) => hosting === 'desktop', 'Electron takes no switches for Node')
    test.use({
      nodeSwitches: ['--import', pathToFileURL(join(rootFolder(), 'testing/memory/little-memory.ts')).href],
    })

    test(
      'is reported as too large, in the chat too, and loads anyway when the user insists',
      { tag: '@story' },
      async ({ app }) => {
        await send(app, 'Hello')
        const conversation = app.getByRole('region', { name: 'Conversation' })
        await expect(conversation).toContainText(/of memory, but only .* free/)
        await openModels(app)
        const card = modelCard(app, name)
        await expect(card).toContainText(/Too big: .* missing/)
        await app.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Chat' }).click()
        await conversation.getByRole('button', { name: 'Load anyway', exact: true }).click()
        await expectOfModel(app, 'is in memory and answers at once')
        await conversation.getByRole('button', { name: 'Try again' }).click()
        await expect(lastAnswer(app)).toHaveText('I am small.')
      },
    )
  })
})
