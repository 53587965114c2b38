import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleAt } from '../../test/accessible.ts'
import { button, showWindow, transcript } from '../../test/show-window.tsx'
import type { TestHost } from '../../test/test-host.ts'

// The page over a real host, whose “Telegram” is a folder. People write with phones of their own.

const ADA = { id: '7', name: 'Ada' }
const BOB = { id: '8', name: 'Bob' }

const main = () => page.getByRole('region', { name: 'Messengers' })
const telegram = () => page.getByRole('listitem', { name: 'Telegram', exact: true })
const dialog = () => page.getByRole('dialog')
const contact = (name: string) => page.getByRole('listitem', { name, exact: true })
const question = () => page.getByRole('region', { name: 'A question for you' })

async function showMessengers(): Promise<TestHost> {
  const host = await showWindow(undefined, { messenger: true })
  await button('Messengers').click()
  return host
}

/** Connect the messenger without the window. */
async function connected(): Promise<TestHost> {
  const host = await showWindow(undefined, { messenger: true })
  await host.elsewhere['gateway.connect']({ platform: 'telegram', key: '1:key' })
  await button('Messengers').click()
  await expect.element(telegram()).toMatchTextContent('Connected')
  return host
}

type Person = typeof ADA

/** Pair somebody without the window. */
async function pair({ elsewhere, phone }: TestHost, who: Person, as: 'you' | 'other', rights = 'deny') {
  const steps = elsewhere['gateway.pair']({ platform: 'telegram' })
  const { value: first } = await steps.next()
  if (first?.step !== 'code') throw new Error('It shows a code.')
  await phone({ who, writes: `/start ${first.code}` })
  const { value: asks } = await steps.next()
  if (asks?.step !== 'asks') throw new Error('It asks who this is.')
  const { pairingId, seen } = asks
  const { contactId } = await elsewhere['gateway.decide']({ pairingId, seen, as })
  await steps.return(undefined)
  const known = (await elsewhere['gateway.state']({})).contacts.find(({ id }) => id === contactId)!
  if (rights === 'ask') await elsewhere['gateway.change']({ id: known.id, seen: known.seen, rights })
  return known.id
}

const says = (host: TestHost, who: Person) =>
  expect.poll(async () => (await host.phone({ who })).at(-1) ?? '', { timeout: 15_000 })

test('three steps connect it: the key, the code, and who it is', async () => {
  const host = await showMessengers()
  await expect.element(telegram()).toMatchTextContent('Not connected')
  await expect.element(telegram()).toMatchTextContent('Telegram’s servers can read your messages')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  const key = telegram().getByLabelText('Key of your Telegram bot')
  await expect.element(button('Connect')).toBeDisabled()
  await key.fill('wrong')
  await button('Connect').click()
  await expect.element(telegram()).toMatchTextContent('Telegram does not know this key.')
  await key.fill('123:right')
  await userEvent.keyboard('{Enter}')
  await expect.element(telegram()).toMatchTextContent('Connected')
  await expect.element(key).not.toBeInTheDocument()
  // Messages from unpaired people are ignored.
  await host.phone({ who: ADA, writes: 'hello?' })

  await button('Pair your phone…').click()
  const code = dialog().getByText(/^\/start [a-z2-7]{26}$/)
  await expect.element(code).toBeVisible()
  await expect.element(dialog().getByRole('img', { name: 'QR code of the link below' })).toBeVisible()
  await expect.element(dialog()).toMatchTextContent(/The code works once, for (10|9) min/)
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await host.phone({ who: ADA, writes: code.element().textContent })
  await expect.element(dialog()).toMatchTextContent('Ada wants to write to your agent.')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await button('This is me').click()
  await expect.element(dialog()).toMatchTextContent('Write to your bot now.')
  await button('Done').click()
  await expect.element(contact('Ada')).toMatchTextContent('Telegram 7')
  await expect.element(button('Pair another…')).toBeVisible()

  // A second phone of the same person, whom the page offers by name.
  await button('Pair another…').click()
  await expect.element(code).toBeVisible()
  await host.phone({ who: BOB, writes: code.element().textContent })
  await expect.element(dialog()).toMatchTextContent('Bob wants to write to your agent.')
  await dialog().getByLabelText('Another account of').selectOptions('Ada')
  await button('Add this account').click()
  await button('Done').click()
  await expect.element(contact('Ada')).toMatchTextContent('Telegram 7, Telegram 8')
})

test('nobody is paired where the answer is no, or after the dialog was closed', async () => {
  const host = await connected()
  await button('Pair your phone…').click()
  const code = dialog().getByText(/^\/start [a-z2-7]{26}$/)
  await expect.element(code).toBeVisible()
  const first = code.element().textContent
  await button('Close').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await host.phone({ who: BOB, writes: first })
  await button('Pair your phone…').click()
  await expect.element(code).toBeVisible()
  expect(code.element().textContent).not.toBe(first)
  await host.phone({ who: BOB, writes: code.element().textContent })
  await button('Nobody I know').click()
  await expect.element(dialog()).toMatchTextContent('Nobody was paired.')
  await button('Show a new code').click()
  await expect.element(code).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect((await host.elsewhere['gateway.state']({})).contacts).toEqual([])
})

test('a contact is renamed, may be asked, gets a model, a folder and a limit, and is removed', async () => {
  const host = await connected()
  await pair(host, BOB, 'other')
  await contact('Bob').getByRole('button', { expanded: false }).first().click()
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await contact('Bob').getByLabelText('Ask on the phone').click()
  await expect.element(contact('Bob')).toMatchTextContent('May be asked')
  await contact('Bob').getByRole('switch', { name: 'May read what is remembered about you' }).click()
  await contact('Bob').getByLabelText('Maximum tokens per day').fill('50000')
  await userEvent.keyboard('{Enter}')
  await contact('Bob').getByLabelText('Folder').fill(host.workspace)
  await userEvent.keyboard('{Tab}')
  await contact('Bob').getByLabelText('Model').selectOptions('Served model')
  await expect
    .poll(async () => (await host.elsewhere['gateway.state']({})).contacts)
    .toMatchObject([
      {
        rights: 'ask',
        readsMemory: true,
        folder: host.workspace,
        modelId: 'server:served',
        limits: { tokensADay: 50_000 },
      },
    ])
  // Text that is not a number, or a number that is too low, is not saved, and an error is shown.
  const limit = contact('Bob').getByLabelText('Maximum tokens per day')
  await limit.fill('many')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(contact('Bob'))
    .toMatchTextContent('Enter a whole number of at least 1,000, or leave this empty.')
  await limit.fill('')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(async () => (await host.elsewhere['gateway.state']({})).contacts[0]?.limits.tokensADay)
    .toBe(null)
  await contact('Bob').getByLabelText('Folder').fill(host.home)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/belongs to Talaria itself/)).toBeVisible()

  await contact('Bob').getByRole('button', { name: 'Rename' }).click()
  await userEvent.keyboard('{Control>}a{/Control}Robert{Enter}')
  await button('More for Robert').click()
  await page.getByRole('menuitem', { name: /^Remove/ }).click()
  await expect.element(contact('Robert')).not.toBeInTheDocument()
  await expect
    .element(page.getByText('Robert can no longer write to your agent. The chats stay.'))
    .toBeVisible()
})

test('a question stands in the window and on the phone: who is faster answers, and the other card says who', async () => {
  const host = await connected()
  await pair(host, ADA, 'you', 'ask')
  await host.phone({ who: ADA, writes: 'write a list' })
  const asked = await host.nextAsked()
  await asked.call('write_file', { path: 'list.txt', content: 'Milk' })
  await asked.end()
  const row = button(/^write a list/)
  await expect.element(row).toMatchTextContent('Messenger')
  await row.click()
  await expect.element(question()).toMatchTextContent('list.txt')
  await says(host, ADA).toContain('Question 1')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await host.phone({ who: ADA, presses: 'Allow once' })
  await expect.element(question()).not.toBeInTheDocument()
  await (await host.nextAsked()).say('It is written.')
  await expect.element(transcript()).toMatchTextContent('It is written.')
  await expect.element(transcript()).toMatchTextContent('Answered by you on Telegram')
  await says(host, ADA).toBe('It is written.')

  await host.phone({ who: ADA, writes: 'one more' })
  const next = await host.nextAsked()
  await next.call('write_file', { path: 'more.txt', content: 'Bread' })
  await next.end()
  await expect.element(question()).toMatchTextContent('more.txt')
  await says(host, ADA).toContain('Question 1')
  await button('Deny').click()
  await (await host.nextAsked()).say('Then not.')
  await says(host, ADA).toBe('Then not.')
  await expect
    .poll(async () => (await host.phone({ who: ADA })).join('\n'))
    .toContain('Denied at the computer')
})

test('a group is answered once it is allowed', async () => {
  const host = await connected()
  const group = { key: '-100', title: 'Family' }
  await pair(host, ADA, 'you')
  await host.phone({ who: ADA, group, writes: 'are you there?' })
  const family = main().getByRole('switch', { name: 'Family' })
  await expect.element(family).not.toBeChecked()
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  expect(await host.phone({ who: ADA, group })).toEqual([])
  await family.click()
  await expect.element(family).toBeChecked()
  await host.phone({ who: ADA, group, writes: 'and now?' })
  await (await host.nextAsked()).say('Yes.')
  await expect.poll(() => host.phone({ who: ADA, group })).toContain('Yes.')
  await main().getByRole('button', { name: 'Open the chat of Family' }).click()
  await expect.element(transcript()).toMatchTextContent('and now?')
})

test('it is switched off, held by the offline lock, written from, and forgotten with who was paired', async () => {
  const host = await connected()
  const contactId = await pair(host, ADA, 'you')
  await host.elsewhere['gateway.disconnect']({ platform: 'telegram' })
  await expect.element(telegram()).toMatchTextContent('Off')
  await expect.element(button('Turn on')).toBeVisible()
  await host.elsewhere['settings.set']({ path: 'network.offline', value: true })
  await button('Turn on').click()
  await expect.element(telegram()).toMatchTextContent('Stopped by the offline lock')
  await expectAccessible()
  await host.elsewhere['settings.set']({ path: 'network.offline', value: false })
  await expect.element(telegram()).toMatchTextContent('Connected')
  expect(await host.elsewhere['gateway.send']({ contactId, text: 'Dinner is ready.' })).toMatchObject({
    state: 'sent',
  })
  await says(host, ADA).toBe('Dinner is ready.')

  await button('More for Telegram').click()
  await page.getByRole('menuitem', { name: /^Disconnect and forget/ }).click()
  await expect.element(dialog()).toMatchTextContent('its paired contacts')
  await expectAccessible()
  await button('Forget it').click()
  await expect.element(telegram()).toMatchTextContent('Not connected')
  await expect.element(telegram().getByLabelText('Key of your Telegram bot')).toBeVisible()
  await expect.element(contact('Ada')).not.toBeInTheDocument()
})

test('the palette opens the page, also by other words for it', async () => {
  const host = await showWindow(undefined, { messenger: true })
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('combobox').fill('telegram')
  await page.getByRole('option', { name: /^Messengers/ }).click()
  await expect.element(telegram()).toBeVisible()
  await host.answered()
})
