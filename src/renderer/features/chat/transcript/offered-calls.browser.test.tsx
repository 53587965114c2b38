import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { button, composer, say, showWindow, transcript } from '../../../test/show-window.tsx'

const about = () => page.getByRole('region', { name: 'About this answer' })

test('an answer for which nothing was looked at says so, and its button reads the file', async () => {
  const host = await showWindow(undefined)
  await button('New chat').first().click()
  await expect.element(composer()).toBeVisible()
  await say('read notes.txt')
  await (await host.nextAsked()).say('It is about the sea.')
  await expect.element(about()).toMatchTextContent('Nothing was looked at for this answer.')
  await expectAccessibleAt(400)
  await button('Read notes.txt').click()
  await (await host.nextAsked()).say('There is no such file.')
  await expect.element(transcript()).toMatchTextContent('There is no such file.')
  await expect.element(transcript()).toMatchTextContent('Chosen by you')
  // The button is gone, but the note that nothing was checked is still there.
  await expect.element(button('Read notes.txt')).not.toBeInTheDocument()
  await expect.element(about()).toMatchTextContent('Nothing was looked at for this answer.')
})

test('the settings of a chat say whether the decider is on, and why', async () => {
  await showWindow(undefined)
  await button('New chat').first().click()
  await expect.element(composer()).toBeVisible()
  await say('/context')
  const panel = page.getByRole('complementary', { name: 'Context' })
  await panel.getByText('Settings for this chat').click()
  await expect
    .element(panel.getByRole('status').first())
    .toMatchTextContent('The decider is off in this chat')
  await panel.getByRole('combobox', { name: 'Decider' }).selectOptions('on')
  await expect
    .element(panel.getByRole('status').first())
    .toMatchTextContent('The decider is on in this chat.')
  await expectAccessibleAt(400)
})
