import { answers, chatList, chatRow, composer, lastAnswer, send, transcript } from './chat.ts'
import { expect, test } from './scripted-server.ts'

test(
  'a person finds their way: palette, find in chat, timeline, archive, and all of it after a reload',
  { tag: '@story' },
  async ({ app, model }) => {
    model.reply(
      { text: 'Sow **tomatoes** in March.' },
      { text: 'And beans in May.' },
      { text: 'The rent is due.' },
    )
    await send(app, 'What do I sow first?')
    await expect(lastAnswer(app)).toHaveText(/Sow tomatoes/)
    await send(app, 'And then?')
    await expect(lastAnswer(app)).toHaveText(/And beans/)
    const palette = app.getByRole('dialog', { name: 'Command palette' })
    const field = app.getByRole('combobox')

    await test.step('the palette starts a chat, and finds the first one by a few letters', async () => {
      await app.keyboard.press('ControlOrMeta+k')
      await field.fill('new ch')
      await app.keyboard.press('Enter')
      await expect(composer(app)).toBeFocused()
      await expect(answers(app)).toHaveCount(0)
      await send(app, 'When is the rent due?')
      await expect(lastAnswer(app)).toHaveText(/The rent is due/)
      await app.keyboard.press('ControlOrMeta+k')
      await field.fill('sow fi')
      await app.keyboard.press('Enter')
      await expect(app).toHaveTitle('What do I sow first? – Talaria')
    })

    await test.step('Ctrl+F counts and marks over what Markdown hides, and Esc gives the place back', async () => {
      await app.keyboard.press('ControlOrMeta+f')
      await app.getByRole('searchbox', { name: 'Find in this chat' }).fill('sow tomatoes')
      await expect(app.getByText('1 of 1')).toBeVisible()
      await expect
        .poll(() => app.evaluate(`[...(CSS.highlights.get('find-at') ?? [])].map(String)`))
        .toEqual(['Sow tomatoes'])
      await app.keyboard.press('Escape')
      await expect(app.getByText('1 of 1')).toBeHidden()
    })

    await test.step('the timeline lists both questions', async () => {
      await app.keyboard.press('Alt+t')
      await expect(app.getByRole('option')).toHaveCount(2)
      await app.keyboard.press('Home')
      await app.keyboard.press('Enter')
      await expect(transcript(app).getByText('What do I sow first?')).toBeInViewport()
    })

    await test.step('an archived chat stays away after a reload, the palette opens it, and a message brings it back', async () => {
      await app.keyboard.press('ControlOrMeta+k')
      await field.fill('archive this')
      await app.keyboard.press('Enter')
      await expect(chatRow(app, 'What do I sow first?')).toBeHidden()
      await app.reload()
      await expect(chatRow(app, 'When is the rent due?')).toBeVisible()
      await expect(chatRow(app, 'What do I sow first?')).toBeHidden()
      await app.keyboard.press('ControlOrMeta+k')
      await field.fill('sow first')
      await expect(palette.getByText(/^archived/)).toBeVisible()
      await app.keyboard.press('Enter')
      await expect(palette).toBeHidden()
      model.reply({ text: 'Peas.' })
      await send(app, 'What else?')
      await expect(lastAnswer(app)).toHaveText(/Peas/)
      await expect(
        chatList(app).getByRole('button', { name: 'What do I sow first?', exact: true }),
      ).toBeVisible()
    })
  },
)
