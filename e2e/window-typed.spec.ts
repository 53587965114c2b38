import { approval, chatRow, composer, denyAndExplain, lastAnswer, send, transcript } from './chat.ts'
import { newChat } from './memory.ts'
import { callOf, expect, talk, test, words } from './scripted-server.ts'

test.use({ workspaceFiles: { 'plan.md': 'The meeting is on Tuesday.' } })

/** The text of the message field must be there after a reload, without waiting for the host. */
test('the first words of a new chat and a correction outlive a reload at once', async ({ app, model }) => {
  await composer(app).fill('first words')
  await app.reload()
  await expect(composer(app)).toHaveValue('first words')
  await composer(app).fill('')

  await talk(app, model, 'Hello')
  await transcript(app).getByRole('button', { name: 'Edit message' }).first().click()
  await app.getByRole('textbox', { name: 'Your message' }).fill('a careful correction')
  await app.reload()
  await expect(app.getByRole('textbox', { name: 'Your message' })).toHaveValue('a careful correction')
})

test('reasons and answers on cards outlive another chat', async ({ app, model }) => {
  await talk(app, model, 'Other')
  await newChat(app)
  model.reply(callOf('echo x > made.txt'))
  await send(app, 'Card chat')
  await denyAndExplain(app)
  await approval(app).getByRole('textbox').fill('a reason')
  await chatRow(app, 'Other').click()
  await expect(approval(app)).toBeHidden()
  await chatRow(app, 'Card chat waiting for your answer').click()
  await expect(approval(app).getByRole('textbox')).toHaveValue('a reason')
})

test('two windows of a chat keep a draft each', async ({ app, model, secondWindow }) => {
  await talk(app, model, 'Tides')
  const two = await secondWindow()
  await composer(app).fill('text of window one')
  await composer(two).fill('text of window two')
  await app.reload()
  await expect(composer(app)).toHaveValue('text of window one')
  await two.reload()
  await expect(composer(two)).toHaveValue('text of window two')
})

test('undo goes on after a choice of the slash menu', async ({ app }) => {
  await composer(app).focus()
  await app.keyboard.type('/con')
  await expect(composer(app)).toHaveAttribute('aria-controls', /./)
  await app.keyboard.press('Tab')
  await expect(composer(app)).toHaveValue('/context')
  await app.keyboard.press('Control+z')
  await expect(composer(app)).toHaveValue('/con')
})

test('undo leads back to what was typed, whatever was put into the field', async ({ app, model }) => {
  await talk(app, model, 'A question')
  const field = composer(app)
  const undo = () => app.keyboard.press('Control+z')

  await test.step('a request of a button', async () => {
    await field.pressSequentially('my own words')
    await transcript(app).getByRole('button', { name: 'Make a skill from this' }).last().press('Enter')
    await expect(field).toHaveValue(/^my own words\n\n./)
    await field.focus()
    await undo()
    await expect(field).toHaveValue('my own words')
    await app.keyboard.press('Control+Shift+z')
    await expect(field).toHaveValue(/^my own words\n\n./)
    await field.fill('')
  })
  await test.step('a template', async () => {
    await field.pressSequentially('/translate Guten Tag')
    await field.press('Enter')
    await expect(field).toHaveValue(/^[^/][^]*Guten Tag$/)
    await undo()
    await expect(field).toHaveValue('/translate Guten Tag')
    await field.fill('')
  })
  await test.step('a file that is named with @', async () => {
    await field.pressSequentially('See @pla')
    await expect(app.getByRole('listbox', { name: 'Files in this folder' }).getByRole('option')).toHaveCount(
      1,
    )
    await field.press('Enter')
    await expect(field).toHaveValue('See plan.md ')
    await undo()
    await expect(field).toHaveValue('See @pla')
    await field.fill('')
  })
  await test.step('the last message', async () => {
    await field.press('ArrowUp')
    await expect(field).toHaveValue('A question')
    await undo()
    await expect(field).toHaveValue('')
  })
})

test('an answer in own words outlives a reload, and is then sent', async ({ app, model }) => {
  const question = { question: 'Which colour?', choices: ['red', 'blue'] }
  model.reply({ toolCalls: [{ name: 'ask_user', arguments: question }] }, { text: 'Thanks.' })
  await send(app, 'Ask me')
  await approval(app).getByRole('textbox').fill('a green like moss')
  await app.reload()
  await expect(approval(app).getByRole('textbox')).toHaveValue('a green like moss')
  await approval(app).getByRole('textbox').press('Enter')
  await expect(lastAnswer(app)).toContainText('Thanks.')
  expect(JSON.stringify(model.chats().at(-1)?.body.messages)).toContain('a green like moss')
  await app.reload()
  await expect(lastAnswer(app)).toContainText('Thanks.')
  await expect(composer(app)).toHaveValue('')
})

test('what one window sends leaves the draft of another one, and what a closed window typed is taken over', async ({
  app,
  model,
  secondWindow,
}) => {
  await talk(app, model, 'Tides')
  const two = await secondWindow()
  await composer(app).fill('text of window one')
  await composer(two).fill('text of window two')
  model.reply({ text: 'Read.' })
  await composer(two).press('Enter')
  await expect(lastAnswer(app)).toContainText('Read.')
  await expect(composer(app)).toHaveValue('text of window one')
  await app.reload()
  await expect(composer(app)).toHaveValue('text of window one')

  await composer(two).fill('left behind')
  await two.close()
  // The browser may take a moment to notice that the window was closed.
  const windows = 'navigator.locks.query().then(({ held }) => held.length)'
  await expect.poll(() => app.evaluate(windows)).toBe(1)
  const three = await secondWindow()
  await expect(composer(three)).toHaveValue(/left behind/)
  await expect(composer(app)).toHaveValue('text of window one')
})

test('a page that was hidden for an hour while an answer was written has all of it, and the draft', async ({
  app,
  model,
}) => {
  const answer = words(400, 5)
  model.reply(answer)
  await app.clock.install()
  await app.reload()
  await send(app, 'Count')
  await expect(lastAnswer(app)).toContainText('word5 ')
  await composer(app).fill('written before')
  const hide = (hidden: boolean) =>
    app.evaluate(`(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} })
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${hidden ? 'hidden' : 'visible'}' })
      document.dispatchEvent(new Event('visibilitychange'))
    })()`)
  await hide(true)
  // Browsers stop the timers and frames of such a page, but its socket stays open.
  await app.clock.pauseAt(new Date(Date.now() + 60_000))
  answer.goOn()
  await app.clock.fastForward('01:00:00')
  await app.clock.resume()
  await hide(false)
  await expect(lastAnswer(app)).toContainText('word400')
  await expect(composer(app)).toHaveValue('written before')
  await app.reload()
  await expect(lastAnswer(app)).toContainText('word400')
  await expect(composer(app)).toHaveValue('written before')
})
