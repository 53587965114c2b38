import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chatRow, lastAnswer, send, transcript } from './chat.ts'
import {
  changes,
  chips,
  context,
  corner,
  detail,
  known,
  newChat,
  openMemory,
  promptOf,
  remember,
  tab,
} from './memory.ts'
import { expect, test } from './scripted-server.ts'

const pnpm = 'User prefers pnpm over npm.'
const fileIn = (home: string, name = 'USER.md') => join(home, 'memories', name)

test('what is saved in a chat is shown, known in new chats, edited, undone, and kept when the host is killed', async ({
  app,
  folders,
  model,
  relaunch,
}) => {
  const said = 'I prefer pnpm, not npm'
  await test.step('the card of a saved entry opens the entry, and the entry opens the message it came from', async () => {
    model.reply(remember(pnpm), { text: 'I will use pnpm.' })
    await send(app, said)
    await expect(lastAnswer(app)).toContainText('I will use pnpm.')
    await expect(chips(app)).toContainText(`Saved: ${pnpm}`)
    await expect(app.getByRole('button', { name: 'Save it now' })).toBeHidden()

    await chips(app)
      .getByRole('button', { name: /^View in memory/ })
      .click()
    await expect(app).toHaveTitle('Memory – Talaria')
    await expect(known(app)).toHaveCount(1)
    await expect(detail(app)).toContainText(pnpm)
    await expect(detail(app)).toContainText('The agent saved it.')
    await expect(detail(app).getByRole('blockquote')).toHaveText('I prefer pnpm, not npm')

    await detail(app).getByRole('button', { name: 'Open the chat at this message' }).click()
    await expect(transcript(app).getByText('I prefer pnpm, not npm')).toBeInViewport()
    await app.goBack()
    await expect(detail(app)).toContainText(pnpm)
    await known(app).getByRole('button', { name: 'from “I prefer pnpm, not npm”' }).click()
    await expect(lastAnswer(app)).toContainText('I will use pnpm.')
  })

  await test.step('a new chat begins with the memory', async () => {
    model.reply({ text: 'Still here.' }, { text: 'A new one.' })
    await send(app, 'Go on')
    await expect(lastAnswer(app)).toContainText('Still here.')
    await newChat(app)
    await send(app, 'Which one do I use?')
    await expect(lastAnswer(app)).toContainText('A new one.')
    const [begun, ...later] = model.chats().map(promptOf)
    expect(begun).not.toContain('pnpm')
    expect(later.slice(0, 2), 'the chat in which it was saved').toEqual([begun, begun])
    expect(later[2]).toContain(`- ${pnpm}`)
  })

  const corrected = 'User prefers yarn over npm.'
  await test.step('an entry is edited in the list', async () => {
    await openMemory(app)
    await known(app).getByRole('button', { name: pnpm, exact: true }).click()
    const editor = app.getByRole('textbox', { name: 'Text of the entry' })
    await expect(editor).toBeFocused()
    await editor.fill(corrected)
    await editor.press('Enter')
    await expect(editor).toBeHidden()
    expect(await readFile(fileIn(folders.home), 'utf8')).toBe(`${corrected}\n`)
  })

  const window = await relaunch('kill')
  await test.step('the edit is kept when the host is killed, and undone', async () => {
    await openMemory(window)
    await expect(known(window)).toContainText([corrected])
    await tab(window, 'History').click()
    await expect(changes(window)).toContainText([/^Changed by you/, /^Added by the agent/])
    await expect(changes(window).first().locator('del')).toHaveText('pnpm')
    await expect(changes(window).first().locator('ins')).toHaveText('yarn')
    await changes(window).first().getByRole('button', { name: /^Undo/ }).click()
    await expect(corner(window)).toContainText('Undone.')
    await expect(changes(window)).toHaveCount(3)
    expect(await readFile(fileIn(folders.home), 'utf8')).toBe(`${pnpm}\n`)
    await window.reload()
    await expect(known(window)).toContainText([pnpm])
    await chatRow(window, said).click()
    await expect(chips(window)).toContainText([`Saved: ${pnpm}`])
  })

  await test.step('an old chat keeps its prompt until the user refreshes it', async () => {
    model.reply({ text: 'As before.' }, { text: 'As told.' })
    await send(window, 'And now?')
    await expect(lastAnswer(window)).toHaveText('As before.')
    expect(promptOf(model.chats().at(-1))).toBe(promptOf(model.chats()[0]))

    await window.getByRole('button', { name: 'Show what the model sees' }).click()
    await expect(context(window)).toContainText(/changes? (applies|apply) to new chats: About you\./)
    await context(window).getByRole('button', { name: 'Apply here now' }).click()
    await expect(context(window)).not.toContainText('to new chats')
    await send(window, 'And after that?')
    await expect(lastAnswer(window)).toHaveText('As told.')
    expect(promptOf(model.chats().at(-1))).toContain(`- ${pnpm}`)
  })
})
