import type { Page } from '@playwright/test'
import { approval, card, dialog, lastAnswer, openPage, send, stopButton } from './chat.ts'
import { changes, chips, known, newChat, remember, tab } from './memory.ts'
import { modelTab, openModels } from './models.ts'
import { findViolations, silenceObservers, unreachable } from './accessibility.ts'
import { callOf, expect, test } from './scripted-server.ts'
import { openSettings, settings } from './settings.ts'

const code =
  'Here:\n\n```ts\nconst answer: number = 42 // always\n```\n\n| a | b |\n|---|---|\n| 1 | [two](https://example.com/) |\n\n- [x] done\n'

/** How much wider the page is than its window, in pixels. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

for (const [theme, width] of [
  ['light', 1_280],
  ['dark', 480],
] as const) {
  test.describe(`${theme}, ${width} pixels wide`, { tag: theme === 'light' ? ['@story'] : [] }, () => {
    test.use({ config: { ui: { theme } } })

    test('the window has no accessibility errors and no overflow', async ({ app, model }) => {
      await test.step('the start page and a chat have no accessibility errors and no overflow', async () => {
        await app.setViewportSize({ width, height: 820 })
        await expect(app.locator('html')).toHaveAttribute('data-theme', theme)
        expect(await findViolations(app), 'a new chat').toEqual([])

        model.reply(callOf('echo one'), { text: code }, callOf('echo two'))
        await send(app, 'Show me code')
        await approval(app).getByRole('button', { name: 'Allow once' }).click()
        await card(app, /echo one/).click()
        // If it was sent before the turn has ended, the message would be read in the same turn.
        await expect(lastAnswer(app)).toContainText('Here:')
        await expect(stopButton(app)).toBeHidden()
        await send(app, 'And again')
        await expect(approval(app)).toBeVisible()
        expect(await findViolations(app), 'a chat with code, an open tool card and a question').toEqual([])

        await app
          .getByRole('button', { name: /^Model: / })
          .first()
          .click()
        expect(await findViolations(app, ':popover-open'), 'the models').toEqual([])
        await dialog(app).getByRole('button', { name: 'Add a server…' }).click()
        expect(await findViolations(app, 'dialog'), 'adding a server').toEqual([])
        await app.keyboard.press('Escape')
        expect(await overflow(app), 'nothing sticks out').toBeLessThanOrEqual(0)
      })

      await test.step('Memory, the search and the side panel have no accessibility errors and no overflow', async () => {
        await app.setViewportSize({ width: 1_280, height: 820 })
        await newChat(app)
        await app.setViewportSize({ width, height: 820 })
        model.reply(
          remember('User is a baker.'),
          { text: 'Good to know.' },
          { text: 'I have saved that to memory.' },
        )
        await send(app, 'I am a baker')
        await expect(chips(app)).toHaveCount(1)
        await send(app, 'Remember that my bread needs two days')
        await expect(app.getByRole('button', { name: 'Save it now' })).toBeVisible()
        await app.getByRole('button', { name: 'Show what the model sees' }).click()
        await expect(app.getByRole('button', { name: 'Apply here now' })).toBeVisible()
        await app.getByRole('list', { name: 'Parts' }).getByRole('button').first().click()
        expect(
          await findViolations(app),
          'a chat that saved something, a false claim and the context',
        ).toEqual([])
        await app.getByRole('button', { name: 'Close the panel' }).last().click()

        await app.keyboard.press('ControlOrMeta+Shift+f')
        await app.getByRole('searchbox', { name: 'Search in chats' }).fill('bakers and bread')
        await expect(app.locator('mark').first()).toBeVisible()
        expect(await findViolations(app), 'the search').toEqual([])
        // The search has replaced the links to pages.
        await app.getByRole('searchbox', { name: 'Search in chats' }).press('Escape')
        await openPage(app, 'Memory')
        await expect(known(app)).toHaveCount(1)
        expect(await findViolations(app), 'the memory').toEqual([])
        await known(app).getByRole('button', { name: 'Details of “User is a baker.”' }).click()
        await expect(app.getByText('The agent saved it.')).toBeVisible()
        expect(await findViolations(app), 'an entry in full').toEqual([])
        await app.getByRole('button', { name: 'Close', exact: true }).click()
        await tab(app, 'History').click()
        await expect(changes(app)).toHaveCount(1)
        expect(await findViolations(app), 'the history').toEqual([])
        expect(await overflow(app), 'nothing sticks out').toBeLessThanOrEqual(0)
      })
      await test.step('Models and Settings have no accessibility errors and no overflow', async () => {
        await app.setViewportSize({ width: 1_280, height: 820 })
        await newChat(app)
        model.reply({ text: 'Counted.' })
        await send(app, 'So that there is something to count')
        await expect(lastAnswer(app)).toHaveText('Counted.')
        await app.setViewportSize({ width, height: 820 })
        await openModels(app)
        for (const name of ['Installed', 'Discover', 'Downloads', 'Engine']) {
          await modelTab(app, name).click()
          await expect(app.getByRole('tabpanel')).not.toBeEmpty()
          expect(await findViolations(app), name).toEqual([])
          expect(await overflow(app), `${name} does not stick out`).toBeLessThanOrEqual(0)
        }
        for (const name of ['General', 'Models and engine', 'Privacy and network', 'Usage', 'Data']) {
          await openSettings(app, name)
          await expect(settings(app).getByRole('heading', { level: 2, name })).toBeVisible()
          expect(await findViolations(app), name).toEqual([])
          expect(await overflow(app), `${name} does not stick out`).toBeLessThanOrEqual(0)
        }
      })
    })
  })
}

test('every scrollable region is reached by keyboard in a narrow window, and a click opens the list of chats', async ({
  app,
  model,
}) => {
  await test.step('in a narrow window one click opens the list of chats', async () => {
    await app.setViewportSize({ width: 480, height: 820 })
    model.reply({ text: 'Narrow.' })
    await send(app, 'First')
    await expect(lastAnswer(app)).toHaveText('Narrow.')
    await app.getByRole('button', { name: 'Open the list of chats' }).click()
    await dialog(app).getByRole('button', { name: 'New chat', exact: true }).click()
    await expect(dialog(app)).toHaveCount(0)
    await app.getByRole('button', { name: 'Open the list of chats' }).click()
    await dialog(app).getByRole('button', { name: 'First', exact: true }).click()
    await expect(lastAnswer(app)).toHaveText('Narrow.')
  })

  await test.step('every scrollable region is reached by keyboard from the first paint, in a very narrow window', async () => {
    await app.setViewportSize({ width: 1_280, height: 820 })
    await newChat(app)
    model.reply({ text: code })
    await send(app, 'Show me code')
    await expect(lastAnswer(app)).toContainText('done')
    await app.setViewportSize({ width: 320, height: 480 })
    expect(await unreachable(app), 'a chat').toEqual([])
    await app.getByRole('button', { name: 'Show what the model sees' }).click()
    await expect(app.getByRole('list', { name: 'Parts' })).toBeVisible()
    expect(await unreachable(app), 'the context').toEqual([])

    await silenceObservers(app)
    await app.reload()
    for (const name of ['Memory', 'Skills', 'Activity']) {
      await openPage(app, name)
      await expect(app.getByRole('heading', { level: 1, name })).toBeVisible()
      expect(await unreachable(app), name).toEqual([])
    }
    await openModels(app)
    for (const name of ['Installed', 'Discover', 'Downloads', 'Engine']) {
      await modelTab(app, name).click()
      await expect(app.getByRole('tabpanel', { name })).not.toBeEmpty()
      expect(await unreachable(app), name).toEqual([])
    }
    await openSettings(app)
    const sections = settings(app).getByRole('combobox', { name: 'Section' })
    for (const name of await sections.getByRole('option').allTextContents()) {
      await sections.selectOption(name)
      await expect(settings(app).getByRole('heading', { level: 2, name })).toBeVisible()
      expect(await unreachable(app), name).toEqual([])
    }
  })
})
