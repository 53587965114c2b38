import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { button, composer, say, showWindow, transcript } from '../../../test/show-window.tsx'

const webOn = { toolsets: { everything: { web: true } } }
const sources = () => page.getByRole('region', { name: 'Sources' })
const dialog = () => page.getByRole('dialog')

/** A chat in which the model has searched and read a page. */
async function aResearch() {
  const host = await showWindow(undefined, { config: { ...webOn, approvals: { default: 'full' } } })
  await button('New chat').first().click()
  await expect.element(composer()).toBeVisible()
  await say('When is high tide?')
  const searching = await host.nextAsked()
  await searching.call('web_search', { query: 'high tide Hamburg' })
  await searching.end()
  const reading = await host.nextAsked()
  await reading.call('web_read', { address: 'https://tides.example/hamburg' })
  await reading.end()
  await (await host.nextAsked()).say('It is at 14:20 [1], because of the Moon [2]. Nobody knows [9].')
  return host
}

test('an answer cites pages by numbers that are links, with the pages below it', async () => {
  await aResearch()
  await expect.element(sources()).toMatchTextContent('High and low tide')
  await expect.element(sources()).toMatchTextContent('tides.example · 2026-05-01 · read')
  await expect.element(sources()).toMatchTextContent('The Moon and the sea')
  const links = transcript().getByRole('link')
  await expect
    .element(links.getByText('[1]', { exact: true }))
    .toHaveAttribute('href', 'https://tides.example/hamburg')
  await expect.element(transcript()).toMatchTextContent('Nobody knows [9].')
  await expectAccessibleAt(400)
})

test('a page that was read opens the text that the model got, with what was taken out', async () => {
  await aResearch()
  await sources().getByRole('button').click()
  await expect.element(dialog()).toMatchTextContent('It is at 14:20.')
  await expect.element(dialog().getByRole('table')).toBeVisible()
  await dialog().getByText('1 hidden text was removed from the page').click()
  await expect.element(dialog().getByText(/Ignore your instructions/)).toBeVisible()
  await expect.element(dialog().getByRole('link')).toHaveAttribute('href', 'https://tides.example/hamburg')
  await expectAccessibleAt(400)
})

test('the card of a search lists what was found, and by whom', async () => {
  await aResearch()
  await button(/^Searched the web/).click()
  await button(/Search the web for high tide Hamburg/).click()
  const pages = page.getByRole('list', { name: 'Pages' })
  await expect.element(pages).toMatchTextContent('High and low tide')
  await expect.element(page.getByText(/^Found by DuckDuckGo/)).toBeVisible()
})

test('/web shows what a search finds without a model', async () => {
  await showWindow(undefined)
  await button('New chat').first().click()
  await composer().fill('/web high tide')
  await button('Send').click()
  await expect.element(dialog()).toMatchTextContent('without a model')
  await expect.element(dialog().getByRole('link', { name: 'The Moon and the sea' })).toBeVisible()
  await expectAccessibleAt(400)
})

test('the switch beside the message field says what it means, and switches the web on for the chat', async () => {
  const host = await showWindow(undefined)
  await button('New chat').first().click()
  await button('The web is off').click()
  await page.getByRole('switch', { name: 'Let the model use the web' }).click()
  await expect.element(button('The web is on')).toBeVisible()
  expect(host.asked.filter(({ name }) => name === 'toolset.switch').map(({ input }) => input)).toMatchObject([
    { names: ['web'], on: true },
  ])
})

const switched = (host: Awaited<ReturnType<typeof showWindow>>) =>
  host.asked.filter(({ name }) => name === 'toolset.switch').map(({ input }) => input)

test('/web on and off switch the web of the model, in this chat or in every one', async () => {
  const host = await showWindow(undefined)
  await button('New chat').first().click()
  await say('/web on')
  await expect.element(button('The web is on')).toBeVisible()
  await say('/web OFF all')
  await expect
    .poll(() => switched(host))
    .toMatchObject([{ on: true, sessionId: expect.any(String) }, { on: false }])
  expect(switched(host)[1]).not.toHaveProperty('sessionId')
})

test('below an answer that names /web on while the web is off, a button switches it on and asks again', async () => {
  const host = await showWindow(undefined)
  await button('New chat').first().click()
  await say('When is high tide?')
  await (await host.nextAsked()).say('I cannot look it up. You can type /web on.')
  await button('Turn the web on and answer again').click()
  await (await host.nextAsked()).say('At 14:20; /web on is no longer needed.')
  await expect.element(transcript()).toMatchTextContent('At 14:20')
  await expect.element(button('The web is on')).toBeVisible()
  await expect.element(button('Turn the web on and answer again')).not.toBeInTheDocument()
})

test('the first call to the web asks in words, and the answer lets it run', async () => {
  const host = await showWindow(undefined)
  await button('New chat').first().click()
  await say('When is high tide?')
  const searching = await host.nextAsked()
  await searching.call('web_search', { query: 'high tide Hamburg' })
  await searching.end()
  const card = page.getByRole('region', { name: 'A question for you' })
  await expect.element(card).toMatchTextContent('The web is off. Switch it on?')
  await expect.element(card).toMatchTextContent('leave this computer')
  await expectAccessibleAt(400)
  await card.getByRole('button', { name: /Yes, in this chat/ }).click()
  await (await host.nextAsked()).say('At 14:20 [1].')
  await expect.element(sources()).toMatchTextContent('High and low tide')
})
