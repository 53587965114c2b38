import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { button, composer, say, showWindow, transcript } from '../../../test/show-window.tsx'

test('a chat says whom it asks for advice, and folds the advice under the answer', async () => {
  const host = await showWindow(undefined)
  const { models } = await host.elsewhere['model.list']({})
  const served = models.find(({ kind }) => kind === 'server')!
  const { id } = await host.elsewhere['model.setMixture']({
    name: 'Team',
    references: [served.id],
    aggregator: served.id,
  })
  await host.elsewhere['model.setDefault']({ id })
  await button('New chat').first().click()
  await expect.element(composer()).toBeVisible()
  await say('When do I plant beans?')
  const advising = await host.nextAsked()
  await expect.element(transcript()).toMatchTextContent('Asking 1 model for advice…')
  await expect.element(transcript()).toMatchTextContent(`waiting for ${served.name}`)
  await expectAccessibleAt(420)
  await advising.say('Mind the frost.')
  await (await host.nextAsked()).say('Plant in May.')
  await expect.element(transcript()).toMatchTextContent('Plant in May.')
  await expect.element(transcript()).not.toMatchTextContent('Asking 1 model')
  await expect.element(transcript()).not.toMatchTextContent('Mind the frost.')
  await button(`Advice from ${served.name}`).click()
  await expect
    .element(page.getByRole('list', { name: 'Advice in Team' }))
    .toMatchTextContent('Mind the frost.')
  await expectAccessibleAt(420, 1_280)
})
