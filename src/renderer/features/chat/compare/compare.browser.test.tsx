import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessible.ts'
import { aHistory } from '../../../test/messages.ts'
import type { Asked } from '../../../test/model-script.ts'
import { button, composer, openWindow, say, showWindow, transcript } from '../../../test/show-window.tsx'
import type { TestHost } from '../../../test/test-host.ts'

const lanes = () => transcript().getByRole('region', { name: 'Answers to compare' })

/** Send a message to the two models of the test server; returns their requests. */
async function compare(text: string): Promise<{ host: TestHost; first: Asked; second: Asked }> {
  const host = await showWindow(({ seed }) => {
    void seed.chat({ id: 'c1', title: 'Herons', messages: aHistory(1) })
    return 'c1'
  })
  const { models } = await host.elsewhere['model.list']({})
  const { baseUrl } = models.find(({ id }) => id === 'server:served')!.server!
  const { id } = await host.elsewhere['model.addServer']({ name: 'Second', baseUrl, model: 'second' })
  await composer().fill(text)
  await button('Compare two models').click()
  await page.getByRole('combobox', { name: 'Second model' }).selectOptions(id)
  await button('Send to both').click()
  const both = [await host.nextAsked(), await host.nextAsked()]
  const isSecond = ({ body }: Asked) => (body as { model?: string }).model === 'second'
  return { host, first: both.find(each => !isSecond(each))!, second: both.find(isSecond)! }
}

test('two answers stand side by side, one is kept, and the other is a branch', async () => {
  const { host, first, second } = await compare('Which is better?')
  await first.write('The grey ')
  await second.say('The white one.')
  await expect.element(lanes().getByText('The white one.')).toBeVisible()
  await expect.element(lanes().getByText('The grey')).toBeVisible()
  await first.say('one.')
  await expect.element(lanes().getByRole('button', { name: /^Keep/ }).nth(1)).toBeVisible()
  await expectAccessible()
  await openWindow(host)
  await expect.element(lanes().getByText('The grey one.')).toBeVisible()
  await say('And now?')
  await expect.element(page.getByText(/Keep one of them first/)).toBeVisible()
  await lanes().getByRole('button', { name: /^Keep/ }).nth(1).click()
  await expect.element(lanes()).not.toBeInTheDocument()
  await expect
    .element(transcript().getByText('The white one.').or(transcript().getByText('The grey one.')))
    .toBeVisible()
  await expect.element(button('Branches of this chat')).toBeVisible()
})

test('a model that fails says why, and the other answer can be kept', async () => {
  const { first, second } = await compare('Which is better?')
  await first.fail(401, 'Wrong key.')
  await second.say('The white one.')
  await expect.element(lanes().getByText(/key/i).first()).toBeVisible()
  await lanes().getByRole('button', { name: /^Keep/ }).click()
  await expect.element(transcript().getByText('The white one.')).toBeVisible()
})

test('one answer is stopped while the other goes on', async () => {
  const { first, second } = await compare('Which is better?')
  await first.write('The grey ')
  await second.write('The ')
  await expect.element(lanes().getByText('The grey')).toBeVisible()
  await lanes().getByRole('button', { name: /^Stop/ }).first().click()
  await expect.element(lanes().getByText('This answer was cut short here.')).toBeVisible()
  await second.say('white one.')
  await expect.element(lanes().getByText('The white one.')).toBeVisible()
})
