import { answers, chatRow, lastAnswer, send } from './chat.ts'
import { chips, known, newChat, openMemory, promptOf, remember } from './memory.ts'
import { expect, test } from './scripted-server.ts'

const fact = 'User says: My dog is called Rex.'

test(
  'a claim to have saved something is checked against what was saved',
  { tag: '@story' },
  async ({ app, model, relaunch }) => {
    let window = app
    await test.step('an answer that claims to have saved something gets a card, and “Save it now” saves it', async () => {
      model.reply({ text: "I've saved that to memory." }, { text: 'Rex.' })
      await send(window, 'Remember that my dog is called Rex')
      const claim = window.getByRole('region', {
        name: 'The answer claims it saved something, but nothing was saved.',
      })
      await expect(claim.getByRole('blockquote')).toHaveText("“I've saved that to memory.”")
      await expect(claim.getByRole('textbox', { name: 'What to save' })).toHaveValue(fact)
      await openMemory(window)
      await expect(window.getByText('Nothing is known about you yet.')).toBeVisible()
      await window.reload()
      await window.goBack()

      await claim.getByRole('button', { name: 'Save it now' }).click()
      await expect(chips(window)).toContainText([`Saved: ${fact}`])
      await expect(claim).toBeHidden()
      await openMemory(window)
      await expect(known(window)).toContainText([fact])
      await expect(known(window)).toContainText('from “Remember that my dog is called Rex”')

      window = await relaunch('kill')
      await chatRow(window, 'Remember that my dog is called Rex').click()
      await expect(chips(window)).toContainText([`Saved: ${fact}`])
      await window.reload()
      await expect(chips(window)).toContainText([`Saved: ${fact}`])
      await expect(window.getByRole('button', { name: 'Save it now' })).toHaveCount(0)

      await newChat(window)
      await send(window, 'What is my dog called?')
      await expect(lastAnswer(window)).toHaveText('Rex.')
      expect(promptOf(model.chats().at(-1))).toContain(`- ${fact}`)
    })

    await test.step('the text of a claimed save can be edited first, or dismissed', async () => {
      await newChat(window)
      model.reply({ text: 'Noted, I will remember that.' }, { text: 'I have stored this in my memory.' })
      await send(window, 'Remember that I am a baker')
      const save = window.getByRole('button', { name: 'Save it now' })
      const field = window.getByRole('textbox', { name: 'What to save' })
      await field.fill('The pin is 4711.')
      await save.click()
      await expect(field).toHaveAccessibleDescription(
        '“The pin is 4711.” was not saved: it looks like a password or a key.',
      )
      await field.fill('Is a baker.')
      await save.click()
      await expect(chips(window)).toContainText(['Saved: Is a baker.'])
      await expect(save).toBeHidden()

      await send(window, 'Remember that I get up at four')
      await expect(save).toBeVisible()
      await window.getByRole('button', { name: 'Dismiss' }).click()
      await expect(save).toBeHidden()
      await window.reload()
      await expect(lastAnswer(window)).toContainText('I have stored this')
      await expect(save).toBeHidden()
      await openMemory(window)
      await expect(known(window)).toHaveCount(2)
    })

    await test.step('an answer after a real save, or about a file, gets no card', async () => {
      await newChat(window)
      model.reply(
        remember('Has a bakery.'),
        { text: "I've saved that to memory." },
        { text: 'I have saved the recipe to bread.md.' },
      )
      await send(window, 'Remember that I have a bakery')
      await expect(chips(window)).toHaveCount(1)
      await send(window, 'Did you write the recipe down?')
      await expect(answers(window)).toHaveCount(2)
      await expect(lastAnswer(window)).toContainText('bread.md')
      await expect(window.getByRole('button', { name: 'Stop', exact: true })).toBeHidden()
      await expect(window.getByRole('button', { name: 'Save it now' })).toHaveCount(0)
    })
  },
)
