import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { card, showModels } from '../../../test/models.tsx'
import { button } from '../../../test/show-window.tsx'

const dialog = () => page.getByRole('dialog')
const form = () => page.getByRole('region', { name: 'The models of this mixture' })

test('a mixture is made, changed, chosen and removed on the Models page, and a model of it that is gone is named', async () => {
  const host = await showModels()
  const mixtures = async () =>
    (await host.elsewhere['model.list']({})).models.filter(({ kind }) => kind === 'mixture')
  await button('Add').click()
  await page.getByRole('menuitem', { name: /A mixture of models/ }).click()
  await expect.element(dialog().getByRole('button', { name: 'Add the mixture' })).toBeDisabled()
  // The built-in model knows only its own prompt.
  await expect.element(dialog()).not.toMatchTextContent('Built-in')
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Team')
  await dialog()
    .getByRole('checkbox', { name: /big-8b/ })
    .click()
  await dialog()
    .getByRole('combobox', { name: /answers, with tools/ })
    .selectOptions('Served model')
  await expect
    .element(dialog())
    .toMatchTextContent(
      'At least 2 requests for each message. The reference reads the chat and writes at most 1,200 tokens of advice, which Served model reads too.',
    )
  await expectAccessibleAt(420, 1_280)
  await dialog().getByRole('button', { name: 'Add the mixture' }).click()
  await expect.element(card('Team')).toMatchTextContent('asks big-8b; Served model answers')
  expect((await mixtures()).map(({ name }) => name)).toEqual(['Team'])

  await card('Team').getByRole('button', { name: /Team/ }).first().click()
  await form()
    .getByRole('checkbox', { name: /huge-70b/ })
    .click()
  await form().getByRole('button', { name: 'Save the mixture' }).click()
  await expect.element(card('Team')).toMatchTextContent('at least 3 requests')
  expect((await mixtures())[0]?.mixture?.references).toHaveLength(2)

  // A member that is gone is named, and can be left out.
  await host.elsewhere['model.forget']({ id: host.huge })
  await expect.element(form()).toMatchTextContent('no longer in the list')
  await form()
    .getByRole('checkbox', { name: /no longer in the list/ })
    .click()
  await form().getByRole('button', { name: 'Save the mixture' }).click()
  await expect.poll(async () => (await mixtures())[0]?.mixture?.references.length).toBe(1)

  await button('Use for new chats: Team').click()
  await expect.element(button('Used for new chats: Team')).toBeVisible()
  expect((await host.elsewhere['session.create']({})).modelId).toBe((await mixtures())[0]?.id)

  await button('More for Team').click()
  await page.getByRole('menuitem', { name: 'Remove from the list' }).click()
  await dialog().getByRole('button', { name: 'Remove from the list' }).click()
  await expect.poll(mixtures).toEqual([])
  await expect.element(card('Team')).not.toBeInTheDocument()
})
