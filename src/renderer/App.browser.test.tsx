import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../shared/rpc.ts'
import { engineEvent } from './test/a-computer.ts'
import { aReply, aUserMessage } from './test/messages.ts'
import { button, composer, openWindow, say, showWindow, startHost, transcript } from './test/show-window.tsx'
import type { PreparedHost, TestHost } from './test/test-host.ts'

const chats = () => page.getByRole('navigation', { name: 'Chats' })
const row = (name: string | RegExp) => chats().getByRole('button', { name, exact: typeof name === 'string' })
const day = 86_400_000

/** Two chats with something in them; the newer one is open. */
function twoChats(host: PreparedHost) {
  const now = Date.now()
  const messages = (id: number, text: string) => [
    aUserMessage({ id, text }),
    aReply({ id: id + 1, text: `About ${text}.` }),
  ]
  void host.seed.chat({
    id: 'c1',
    title: 'Garden',
    updatedAt: now - 40 * day,
    messages: messages(1, 'potatoes'),
  })
  void host.seed.chat({ id: 'c2', title: 'Letter', updatedAt: now, messages: messages(3, 'the landlord') })
  return 'c2'
}
const chatsOf = async (host: TestHost) => (await host.elsewhere['session.list']({})).sessions
const letterOf = (host: TestHost) => host.elsewhere['session.get']({ id: 'c2' })

test('chats are grouped by date, and a click opens another one', async () => {
  await showWindow(twoChats)
  await expect.element(chats().getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect.element(chats().getByRole('heading', { name: 'Older' })).toBeVisible()
  await expect.element(row('Letter')).toHaveAttribute('aria-current', 'page')
  await row('Garden').click()
  await expect.element(transcript().getByText('About potatoes.')).toBeVisible()
  await expect.element(row('Garden')).toHaveAttribute('aria-current', 'page')
  expect(document.title).toBe('Garden – Talaria')
})

test('back and forward go through the chats shown, and the token stays in the address', async () => {
  await showWindow(host => {
    const id = twoChats(host)
    history.replaceState(null, '', '#token=secret')
    return id
  })
  history.replaceState(null, '', `#token=secret&chat=c2`)
  await row('Garden').click()
  await button('New chat').click()
  expect(location.hash).toBe('#token=secret')
  history.back()
  await expect.element(transcript().getByText('About potatoes.')).toBeVisible()
  expect(location.hash).toBe('#token=secret&chat=c1')
  history.forward()
  await expect.element(page.getByText('What can I do for you?')).toBeVisible()
})

test('the arrow keys move through the list of chats, and Enter opens one', async () => {
  await showWindow(twoChats)
  await expect.element(row('Garden')).toBeVisible()
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(row('Garden')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(transcript().getByText('About potatoes.')).toBeVisible()
})

test('F2 renames a chat in the list; Esc cancels and Enter saves', async () => {
  const host = await showWindow(twoChats)
  await expect.element(row('Letter')).toBeVisible()
  ;(row('Letter').element() as HTMLElement).focus()
  await userEvent.keyboard('{F2}')
  const field = page.getByRole('textbox', { name: 'New title' })
  await field.fill('Never mind')
  await userEvent.keyboard('{Escape}')
  await expect.element(row('Letter')).toBeVisible()
  await userEvent.keyboard('{F2}')
  await field.fill('Letter to the landlord')
  await userEvent.keyboard('{Enter}')
  await expect.element(row('Letter to the landlord')).toHaveFocus()
  expect((await letterOf(host)).title).toBe('Letter to the landlord')
})

test('a click on its title renames a chat', async () => {
  const host = await showWindow(twoChats)
  await page.getByTitle('Rename this chat').click()
  await page.getByRole('textbox', { name: 'Chat title' }).fill('Rent')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Rent' })).toBeVisible()
  await expect.poll(() => document.title).toBe('Rent – Talaria')
  expect((await letterOf(host)).title).toBe('Rent')
})

test('a title that the host refuses reverts to the old one', async () => {
  const host = await showWindow(twoChats)
  host.failNext('session.update', new Fault('internal', 'The disk is full.'))
  await page.getByTitle('Rename this chat').click()
  await page.getByRole('textbox', { name: 'Chat title' }).fill('Rent')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('The disk is full.')).toBeVisible()
  await expect.element(row('Letter')).toBeVisible()
})

test('a refused title reverts without losing a change made meanwhile', async () => {
  const host = await showWindow(twoChats)
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>()
  host.answer({
    'session.update': input =>
      input.title === undefined ? host.elsewhere['session.update'](input) : refused,
  })
  await page.getByTitle('Rename this chat').click()
  await page.getByRole('textbox', { name: 'Chat title' }).fill('Rent')
  await userEvent.keyboard('{Enter}')
  await row('More for “Rent”').click()
  await page.getByRole('menuitem', { name: 'Pin' }).click()
  await expect.poll(async () => (await letterOf(host)).pinned).toBe(true)
  await expect.element(chats().getByRole('region', { name: 'Pinned' }).getByText('Rent')).toBeVisible()
  refuse(new Fault('internal', 'The disk is full.'))
  await expect.element(page.getByText('The disk is full.')).toBeVisible()
  await expect.element(chats().getByRole('region', { name: 'Pinned' }).getByText('Letter')).toBeVisible()
})

test('Undo restores a removed chat and shows it again', async () => {
  const host = await showWindow(twoChats)
  await row('Letter').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.element(page.getByText('“Letter” was deleted. It is under Recently deleted.')).toBeVisible()
  await expect.element(row('Letter')).not.toBeInTheDocument()
  expect((await chatsOf(host)).map(({ id }) => id)).toEqual(['c1'])
  await button('Undo').click()
  await expect.element(row('Letter')).toHaveAttribute('aria-current', 'page')
  await expect.element(transcript().getByText('About the landlord.')).toBeVisible()
})

test('a pinned chat moves into the group “Pinned”', async () => {
  await showWindow(twoChats)
  await row('More for “Garden”').click()
  await page.getByRole('menuitem', { name: 'Pin' }).click()
  await expect.element(chats().getByRole('region', { name: 'Pinned' }).getByText('Garden')).toBeVisible()
})

test('a setting changed while the host creates a new chat is not lost', async () => {
  const host = await showWindow()
  const createSession = host.holdNext('session.create')
  const choose = async (mode: RegExp) => {
    await button(/^Permissions:/)
      .first()
      .click()
    await page.getByRole('menuitemradio', { name: mode }).click()
  }
  await choose(/Auto for safe reads/)
  await choose(/Chat only/)
  createSession()
  await expect.element(button('Permissions: Chat only').first()).toBeVisible()
  await expect.poll(async () => (await chatsOf(host)).map(chat => chat.approval)).toEqual(['chat_only'])
})

test('a search highlights its matches in the list of chats, and Esc ends it', async () => {
  await showWindow(twoChats)
  await page.getByRole('searchbox').fill('gard')
  await expect.element(chats().getByText('1 chat found')).toBeVisible()
  expect(chats().element().querySelector('mark')?.textContent).toBe('Garden')
  await page.getByRole('searchbox').fill('quark')
  await expect.element(chats().getByText('Nothing found for “quark”.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(row('Letter')).toBeVisible()
})

test('the draft of a new chat is kept while another chat is open', async () => {
  const host = await showWindow(host => void twoChats(host))
  await composer().fill('Dear')
  await row('Garden').click()
  await expect.element(composer()).toHaveValue('')
  const draft = async () => (await chatsOf(host)).find(session => session.draft === 'Dear')
  await expect.poll(draft).toBeDefined()
  await row(/^New chat/)
    .last()
    .click()
  await expect.element(composer()).toHaveValue('Dear')
})

test('a new chat in which nothing was written is removed on leaving it', async () => {
  const host = await showWindow(twoChats)
  await button('New chat').click()
  await button('Model: Served model').first().click()
  await page.getByRole('button', { name: /^Served model Default/ }).click()
  await expect.poll(() => chatsOf(host)).toHaveLength(3)
  await row('Garden').click()
  await expect.poll(() => chatsOf(host)).toHaveLength(2)
})

test('a chat that another window removes says so', async () => {
  const host = await showWindow(twoChats)
  await expect.element(transcript()).toBeVisible()
  await host.elsewhere['session.remove']({ id: 'c2' })
  await expect.element(page.getByRole('heading', { name: 'This chat was deleted.' })).toBeVisible()
  await button('Start a new chat').click()
  await expect.element(page.getByText('What can I do for you?')).toBeVisible()
})

test('an address of a chat that does not exist says so', async () => {
  await showWindow(() => 'nobody')
  await expect.element(page.getByRole('heading', { name: 'This chat was deleted.' })).toBeVisible()
})

test('a chat with a running answer is marked in the list while another chat is open', async () => {
  const host = await showWindow(twoChats)
  await say('Go on')
  const asked = await host.nextAsked()
  await row('Garden').click()
  await expect.element(row('Letter is being answered')).toBeVisible()
  await asked.say('Dear landlord.')
  await expect.element(row('Letter')).toBeVisible()
  await row('Letter').click()
  await expect.element(transcript().getByText('Dear landlord.')).toBeVisible()
})

test('the theme follows the system until one is chosen', async () => {
  const host = await showWindow()
  await button('Settings').click()
  await page.getByText('Dark', { exact: true }).click()
  await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark')
  expect(getComputedStyle(document.body).backgroundColor).toBe('rgb(26, 26, 28)')
  await page.getByText('Light', { exact: true }).click()
  await expect.poll(() => getComputedStyle(document.body).backgroundColor).toBe('rgb(255, 255, 255)')
  await page.getByText('System', { exact: true }).click()
  await expect.poll(() => document.documentElement.dataset['theme']).toBeUndefined()
  expect(host.asked.filter(each => each.name === 'settings.set')).toHaveLength(3)
})

test('the settings include the list of models and the dialog that adds a server', async () => {
  await showWindow()
  await button('Settings').click()
  await button('Models and engine').click()
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  await expect.element(settings.getByRole('button', { name: /^Built-in demo model/ })).toBeVisible()
  await settings.getByRole('button', { name: 'Add a server…' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Add a model' })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Address' })).toBeVisible()
})

test('with Ctrl+Enter chosen, Enter starts a new line', async () => {
  const host = await showWindow(() => {}, { config: { ui: { send_with: 'mod_enter' } } })
  await composer().fill('One')
  await userEvent.keyboard('{Enter}two')
  await expect.element(composer()).toHaveValue('One\ntwo')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect((await host.nextAsked()).text).toBe('One\ntwo')
})

test('a notice stays until it is dismissed, also in a window that opens later', async () => {
  const host = await showWindow(() => {}, { config: { agent: { max_iterations: 0 } } })
  const notice = page.getByText(/agent\.max_iterations is 0/)
  await expect.element(notice).toBeVisible()
  await button('Dismiss').click()
  await expect.element(notice).not.toBeInTheDocument()
  await openWindow(host)
  await expect.element(page.getByText('What can I do for you?')).toBeVisible()
  await expect.element(notice).not.toBeInTheDocument()
})

test('a host that never answers is reported, and “Try now” connects again', async () => {
  const host = await startHost()
  await host.disconnect()
  await openWindow(host)
  await expect.element(page.getByRole('heading', { name: 'Talaria cannot be reached' })).toBeVisible()
  await button('Try now').click()
  expect(host.asked.some(each => each.name === 'retry')).toBe(true)
  host.reconnect()
  await expect.element(page.getByText('What can I do for you?')).toBeVisible()
})

test('the desktop app has no address to open, so the window says why it has no host', async () => {
  window.desktop = { requestPort() {}, pathOf: () => '' }
  onTestFinished(() => {
    delete window.desktop
  })
  const host = await startHost()
  await host.disconnect()
  await openWindow(host)
  await expect.element(page.getByText('Talaria is not responding.')).toBeVisible()
  await expect.element(page.getByText(/open the address/)).not.toBeInTheDocument()
})

test('a narrow window opens the list of chats from a rail, a very narrow one from a button', async () => {
  await page.viewport(800, 700)
  await showWindow(twoChats)
  await button('Open the list of chats').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Garden', exact: true }).click()
  await expect.element(transcript().getByText('About potatoes.')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await page.viewport(480, 800)
  await expect.element(button('Open the list of chats')).toBeVisible()
  await expect.element(page.getByText('Served model').first()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(480)
})

test('an empty chat names the demo model, and a model file that is added replaces it', async () => {
  const host = await showWindow(({ seed }) => void seed.modelFile({ workspace: 'bigger.gguf' }), {
    config: { models: { default: 'builtin' } },
  })
  await expect.element(button('Model: Built-in demo model').first()).toBeVisible()
  await expect.element(page.getByText(/Real work needs a bigger model/)).toBeVisible()
  await button('Add a model').click()
  const path = page.getByRole('textbox', { name: 'Path of a .gguf file' })
  await path.fill(`${host.workspace}/big.gguf`)
  await button('Add').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/big\.gguf/)
  await path.fill(`${host.workspace}/bigger.gguf`)
  await button('Add').click()
  await expect.element(button('Model: bigger').first()).toBeVisible()
  expect((await chatsOf(host))[0]?.modelId).toBe(`file:${host.workspace}/bigger.gguf`)
})

test('a chat with a server says that messages leave the computer', async () => {
  const host = await startHost()
  const office = { name: 'Office', baseUrl: 'https://llm.example.org/v1', model: 'big', apiKey: '' }
  const { id } = await host.elsewhere['model.addServer'](office)
  await host.elsewhere['model.setDefault']({ id })
  await openWindow(host)
  await expect.element(button('Model: Office. Messages go to another computer')).toBeVisible()
  await expect.element(page.getByText('Messages are sent to the server of Office.')).toBeVisible()
})

test('a stopped engine shows the error and a fix, and can be tried again', async () => {
  const host = await showWindow(() => {}, { config: { models: { default: 'builtin' } } })
  host.answer({ 'model.load': () => ({}) })
  await expect.element(button('Model: Built-in demo model')).toBeVisible()
  const error = 'The model needs more memory.'
  host.publish(engineEvent({ phase: 'failed', modelId: 'builtin', error, fix: 'Choose a smaller one.' }))
  await button('Model: Built-in demo model. The engine stopped').click()
  const panel = page.getByRole('region', { name: 'Engine' })
  await expect.element(panel.getByText('The model needs more memory.')).toBeVisible()
  await expect.element(panel.getByText('Choose a smaller one.')).toBeVisible()
  await panel.getByRole('button', { name: 'Try again' }).click()
  expect(host.asked.at(-1)).toEqual({ name: 'model.load', input: { id: 'builtin' } })
})

test('the permission mode of a chat changes at once', async () => {
  const host = await showWindow(twoChats)
  await button('Permissions: Ask').first().click()
  await page.getByRole('menuitemradio', { name: /Full access/ }).click()
  await expect.element(button('Permissions: Full access').first()).toBeVisible()
  await expect.poll(async () => (await letterOf(host)).approval).toBe('full')
})

test('the working folder of a chat can be changed, and a folder that does not exist is refused at the field', async () => {
  const host = await showWindow(twoChats, { workspaceFiles: { 'garden/plan.md': 'Potatoes.' } })
  await button(`Working folder: ${host.workspace}`).click()
  const field = page.getByRole('textbox', { name: 'Working folder of this chat' })
  await field.fill(`${host.workspace}/nowhere`)
  await userEvent.keyboard('{Enter}')
  const refusal = `There is no folder ${host.workspace}/nowhere.`
  await expect.element(page.getByRole('alert')).toMatchTextContent(refusal)
  await field.fill(`${host.workspace}/garden`)
  await userEvent.keyboard('{Enter}')
  await expect.element(button(`Working folder: ${host.workspace}/garden`)).toBeVisible()
})
