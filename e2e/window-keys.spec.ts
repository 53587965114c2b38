import type { Page } from '@playwright/test'
import {
  approval,
  composer,
  denyAndExplain,
  dialog,
  lastAnswer,
  send,
  stopButton,
  transcript,
} from './chat.ts'
import { orders, typeComposing } from './input-method-keys.ts'
import { callOf, expect, test, words } from './scripted-server.ts'

/** Whether an element of the page has the focus, and not the page itself. */
const hasFocus = (page: Page) => page.evaluate<boolean>('document.activeElement !== document.body')

for (const order of orders)
  test(`keys of an input method act on nothing, ${order}`, async ({ app, model }) => {
    await test.step('in the card of a question', async () => {
      const call = { name: 'ask_user', arguments: { question: 'Which colour?', choices: ['red', 'blue'] } }
      model.reply({ toolCalls: [call] }, { text: 'Thanks.' })
      await send(app, 'Ask me')
      const field = approval(app).getByRole('textbox')
      await field.fill('緑のような青')
      for (const key of ['Escape', 'Enter'] as const) await typeComposing(field, key, order)
      await expect(field).toHaveValue('緑のような青')
      expect(model.chats()).toHaveLength(1)
      await field.press('Enter')
      await expect(lastAnswer(app)).toContainText('Thanks.')
    })
    await test.step('in the reason for a denial', async () => {
      model.reply(callOf('echo x > made.txt'), { text: 'Fine.' })
      await send(app, 'Do it')
      await denyAndExplain(app)
      const field = approval(app).getByRole('textbox')
      await field.fill('長い説明')
      for (const key of ['Escape', 'Enter'] as const) await typeComposing(field, key, order)
      await expect(field).toHaveValue('長い説明')
      await test.step('Escape then leads back to the button', async () => {
        await field.press('Escape')
        await expect(
          approval(app).getByRole('button', { name: /More answers|Deny and explain/ }),
        ).toBeFocused()
      })
      await approval(app).getByRole('button', { name: /^Deny/ }).first().click()
      await expect(lastAnswer(app)).toContainText('Fine.')
    })
    await test.step('in a search, in the title, in a message that is edited and in the message field', async () => {
      const search = app.getByRole('searchbox').first()
      await search.fill('とうきょう')
      await typeComposing(search, 'Escape', order)
      await expect(search).toHaveValue('とうきょう')
      await search.fill('')

      await app.locator('.title-btn').click()
      const title = app.getByRole('textbox', { name: 'Chat title' })
      await title.fill('にほん')
      for (const key of ['Enter', 'Escape'] as const) await typeComposing(title, key, order)
      await expect(title).toHaveValue('にほん')
      await title.press('Escape')

      await transcript(app).getByRole('button', { name: 'Edit message' }).first().click()
      const message = app.getByRole('textbox', { name: 'Your message' })
      await message.fill('ねこ')
      await typeComposing(message, 'Escape', order)
      await expect(message).toHaveValue('ねこ')
      await message.press('Escape')

      const before = model.chats().length
      await composer(app).fill('かんじ')
      for (const key of ['Enter', 'Escape', 'ArrowUp'] as const)
        await typeComposing(composer(app), key, order)
      await expect(composer(app)).toHaveValue('かんじ')
      expect(model.chats()).toHaveLength(before)
    })
    await test.step('in a dialog, which stays open', async () => {
      await composer(app).fill('')
      await app.keyboard.press('Control+k')
      const field = dialog(app).getByRole('combobox')
      await field.fill('せってい')
      for (const key of ['Escape', 'Enter'] as const) await typeComposing(field, key, order)
      await expect(field).toHaveValue('せってい')
      await app.keyboard.press('Escape')
      await expect(dialog(app)).toBeHidden()
    })
  })

test('Esc closes one thing at a time, and stops an answer only from the conversation', async ({
  app,
  model,
}) => {
  const story = words(400, 3)
  model.reply({ text: 'Hello.' }, story)
  await send(app, 'Hello')
  await expect(lastAnswer(app)).toContainText('Hello.')
  await send(app, 'Write')
  await expect(lastAnswer(app)).toContainText('word3')
  const panel = app.getByRole('complementary', { name: 'Context' })

  await test.step('in the panel it closes the panel, and the focus goes back', async () => {
    const opener = app.getByRole('button', { name: 'Show what the model sees' })
    await opener.focus()
    await app.keyboard.press('Enter')
    await panel.getByRole('button', { name: 'Close the panel' }).focus()
    await app.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(opener).toBeFocused()
  })
  await test.step('in the list of chats and in the header it stops nothing', async () => {
    for (const place of [app.getByRole('button', { name: /^New chat/ }).first(), app.locator('.title-btn')]) {
      await place.focus()
      await app.keyboard.press('Escape')
    }
    await expect(stopButton(app)).toBeVisible()
  })
  await test.step('a menu closes first', async () => {
    await app
      .locator('.composer')
      .getByRole('button', { name: /^Permissions/ })
      .focus()
    await app.keyboard.press('Enter')
    await expect(app.getByRole('menu')).toBeVisible()
    await app.keyboard.press('Escape')
    await expect(app.getByRole('menu')).toBeHidden()
    await expect(app.locator('.composer').getByRole('button', { name: /^Permissions/ })).toBeFocused()
    await expect(stopButton(app)).toBeVisible()
  })
  await test.step('from the messages it stops', async () => {
    await transcript(app).focus()
    await app.keyboard.press('Escape')
    await expect(app.getByText('This answer was cut short here.')).toBeVisible()
  })
})

test('the focus goes back when a field, a dialog or a menu closes', async ({ app, model }) => {
  model.reply({ text: 'Hello.' })
  await send(app, 'Hello')
  await expect(lastAnswer(app)).toContainText('Hello.')
  await expect(stopButton(app)).toBeHidden()

  for (const key of ['Escape', 'Enter'])
    await test.step(`the title, by ${key}`, async () => {
      await app.locator('.title-btn').focus()
      await app.keyboard.press('Enter')
      await app.getByRole('textbox', { name: 'Chat title' }).fill(`New ${key}`)
      await app.keyboard.press(key)
      await expect(app.locator('.title-btn')).toBeFocused()
    })
  for (const name of ['Edit message', 'Edit answer'])
    await test.step(name, async () => {
      const button = transcript(app).getByRole('button', { name })
      await button.focus()
      await app.keyboard.press('Enter')
      await expect(app.getByRole('button', { name: 'Cancel' })).toBeVisible()
      await app.keyboard.press('Escape')
      await expect(button).toBeFocused()
    })
  for (const keys of ['Control+k', 'Control+/'])
    await test.step(`the dialog of ${keys}`, async () => {
      await composer(app).focus()
      await app.keyboard.press(keys)
      await expect(dialog(app)).toBeVisible()
      await app.keyboard.press('Escape')
      await expect(dialog(app)).toBeHidden()
      await expect(composer(app)).toBeFocused()
    })
  await test.step('a dialog that its button closes', async () => {
    await composer(app).focus()
    await app.keyboard.press('Control+/')
    await dialog(app).getByRole('button', { name: 'Close' }).click()
    await expect(dialog(app)).toBeHidden()
    await expect(composer(app)).toBeFocused()
  })
  await test.step('what has it goes by itself', async () => {
    await transcript(app).getByRole('button', { name: 'Edit message' }).click()
    await app.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => hasFocus(app)).toBe(true)
  })
})

test('Up in the empty field brings messages back, and Down takes them away', async ({ app, model }) => {
  for (const text of ['My first question', 'Two\nlines']) {
    model.reply({ text: `Answer to ${text}` })
    await send(app, text)
    await expect(lastAnswer(app)).toContainText('Answer to')
    await expect(stopButton(app)).toBeHidden()
  }
  await composer(app).focus()
  await app.keyboard.press('ArrowDown')
  await expect(composer(app)).toHaveValue('')
  for (const [key, value] of [
    ['ArrowUp', 'Two\nlines'],
    ['ArrowUp', 'My first question'],
    ['ArrowUp', 'My first question'],
    ['ArrowDown', 'Two\nlines'],
    ['ArrowDown', ''],
    ['ArrowUp', 'Two\nlines'],
  ] as const) {
    await app.keyboard.press(key)
    await expect(composer(app)).toHaveValue(value)
  }
  await test.step('what was changed is never replaced', async () => {
    await app.keyboard.type('!')
    await app.keyboard.press('ArrowUp')
    await app.keyboard.press('ArrowUp')
    await expect(composer(app)).toHaveValue('Two\nlines!')
  })
  await test.step('what was brought can be undone', async () => {
    await composer(app).fill('')
    await app.keyboard.press('ArrowUp')
    await expect(composer(app)).toHaveValue('Two\nlines')
    await app.keyboard.press('Control+z')
    await expect(composer(app)).toHaveValue('')
  })
})

test('other scripts are typed as they are, and shortcuts work with their keyboards', async ({ app }) => {
  const cdp = await app.context().newCDPSession(app)
  await composer(app).focus()
  await test.step('dead keys and AltGr write', async () => {
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Dead', code: 'Equal' })
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Dead', code: 'Equal' })
    await cdp.send('Input.insertText', { text: 'é' })
    // On Windows, AltGr counts as Ctrl and Alt.
    for (const [code, text, modifiers] of [
      ['KeyQ', '@', 3],
      ['KeyN', 'ń', 0],
      ['KeyT', 'þ', 3],
    ] as const) {
      await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key: text, code, text, modifiers })
      await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key: text, code })
    }
    await expect(composer(app)).toHaveValue(/^é.*ń/)
    await expect(dialog(app)).toBeHidden()
  })
  await test.step('Hebrew and Arabic stand right, Ctrl+K works with a Cyrillic keyboard', async () => {
    await composer(app).fill('')
    await app.keyboard.type('שלום עולם')
    await expect(composer(app)).toHaveValue('שלום עולם')
    await app.keyboard.press('ArrowUp')
    await expect(composer(app)).toHaveValue('שלום עולם')
    expect(await composer(app).evaluate((field: any) => field.matches(':dir(rtl)'))).toBe(true)
    const key = { key: 'л', code: 'KeyK', windowsVirtualKeyCode: 75, modifiers: 2 }
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
    await expect(dialog(app)).toBeVisible()
    await app.keyboard.press('Escape')
    await expect(composer(app)).toBeFocused()
  })
})
