import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../shared/rpc.ts'
import { demoModel, type FakeHost } from './test/fake-host.ts'
import { aReply, aUserMessage } from './test/messages.ts'
import { button, composer, say, showApp, transcript } from './test/show-app.tsx'

const chats = () => page.getByRole('navigation', { name: 'Chats' })
const row = (name: string | RegExp) => chats().getByRole('button', { name, exact: typeof name === 'string' })
const day = 86_400_000

/** Two chats with something in them; the newer one is open. */
function twoChats(host: FakeHost) {
  const messages = (text: string) => [aUserMessage({ text }), aReply({ text: `About ${text}.` })]
  host.addSession({ id: 'c1', title: 'Garden', updatedAt: Date.now() - 40 * day }, messages('potatoes'))
  return host.addSession({ id: 'c2', title: 'Letter' }, messages('the landlord')).id
}

test('chats stand in groups, and a click shows another one', async () => {
  await showApp(twoChats)
  await expect.element(chats().getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect.element(chats().getByRole('heading', { name: 'Older' })).toBeVisible()
  await expect.element(row('Letter')).toHaveAttribute('aria-current', 'page')
  await row('Garden').click()
  await expect.element(transcript().getByText('About potatoes.')).toBeVisible()
  await expect.element(row('Garden')).toHaveAttribute('aria-current', 'page')
  expect(document.title).toBe('Garden – Talaria')
})

test('back and forward go through the chats that were shown, and the token stays in the address', async () => {
  await showApp(host => {
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

test('the arrows move in the list of chats, and Enter opens one', async () => {
  await showApp(twoChats)
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}')
  await expect.element(page.getByRole('searchbox')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(row('Garden')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(transcript().getByText('About potatoes.')).toBeVisible()
})

test('a chat is renamed in the list, with Esc to take it back', async () => {
  const host = await showApp(twoChats)
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
  expect(host.sessions.get('c2')?.title).toBe('Letter to the landlord')
})

test('a chat is renamed by a click on its title', async () => {
  const host = await showApp(twoChats)
  await page.getByTitle('Rename this chat').click()
  await page.getByRole('textbox', { name: 'Title of the chat' }).fill('Rent')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Rent' })).toBeVisible()
  expect(host.sessions.get('c2')?.title).toBe('Rent')
})

test('a title that the host refuses goes back to what it was', async () => {
  const host = await showApp(twoChats)
  host.failNext('session.update', new Fault('bad_input', 'This title is too long.'))
  await page.getByTitle('Rename this chat').click()
  await page.getByRole('textbox', { name: 'Title of the chat' }).fill('Rent')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('This title is too long.')).toBeVisible()
  await expect.element(row('Letter')).toBeVisible()
})

test('a removed chat comes back with Undo, and is shown again if it was shown', async () => {
  const host = await showApp(twoChats)
  await row('Letter').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect.element(page.getByText('“Letter” was removed.')).toBeVisible()
  await expect.element(row('Letter')).not.toBeInTheDocument()
  expect(host.sessions.has('c2')).toBe(false)
  await button('Undo').click()
  await expect.element(row('Letter')).toHaveAttribute('aria-current', 'page')
  await expect.element(transcript().getByText('About the landlord.')).toBeVisible()
})

test('a pinned chat stands above all others', async () => {
  await showApp(twoChats)
  await row('More for “Garden”').click()
  await page.getByRole('menuitem', { name: 'Pin' }).click()
  await expect.element(chats().getByRole('region', { name: 'Pinned' }).getByText('Garden')).toBeVisible()
})

test('a search marks what it found, and Esc ends it', async () => {
  await showApp(twoChats)
  await page.getByRole('searchbox').fill('gard')
  await expect.element(chats().getByText('1 chat found')).toBeVisible()
  expect(chats().element().querySelector('mark')?.textContent).toBe('Gard')
  await page.getByRole('searchbox').fill('quark')
  await expect.element(chats().getByText('Nothing was found for “quark”.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(row('Letter')).toBeVisible()
})

test('what was written in a new chat waits there while another chat is looked at', async () => {
  const host = await showApp(host => void twoChats(host))
  await composer().fill('Dear')
  await row('Garden').click()
  await expect.element(composer()).toHaveValue('')
  const draft = () => [...host.sessions.values()].find(session => session.draft === 'Dear')
  await expect.poll(draft).toBeDefined()
  await row(/^New chat/)
    .last()
    .click()
  await expect.element(composer()).toHaveValue('Dear')
})

test('a new chat that was only looked at leaves nothing behind', async () => {
  const host = await showApp(twoChats)
  await button('New chat').click()
  await button('Model: Built-in demo model').first().click()
  await page.getByRole('button', { name: /^Built-in demo model Default/ }).click()
  await expect.poll(() => host.sessions.size).toBe(3)
  await row('Garden').click()
  await expect.poll(() => host.sessions.size).toBe(2)
})

test('a chat that another window removed says so', async () => {
  const host = await showApp(twoChats)
  await expect.element(transcript()).toBeVisible()
  await host.link.client['session.remove']({ id: 'c2' })
  await expect.element(page.getByRole('heading', { name: 'This chat was removed.' })).toBeVisible()
  await button('Start a new chat').click()
  await expect.element(page.getByText('What can I do for you?')).toBeVisible()
})

test('an address of a chat that does not exist says so', async () => {
  await showApp(() => 'nobody')
  await expect.element(page.getByRole('heading', { name: 'This chat was removed.' })).toBeVisible()
})

test('a chat that runs on is marked in the list while another one is shown', async () => {
  const host = await showApp(twoChats)
  await say('Go on')
  const run = await host.nextRun()
  await row('Garden').click()
  await expect.element(row('Letter is being answered')).toBeVisible()
  run.reply({ text: 'Dear landlord.' })
  run.end()
  await expect.element(row('Letter')).toBeVisible()
  await row('Letter').click()
  await expect.element(transcript().getByText('Dear landlord.')).toBeVisible()
})

test('the theme is the system’s until one is chosen', async () => {
  const host = await showApp()
  await button('Settings').click()
  await button('Appearance').click()
  await page.getByText('Dark', { exact: true }).click()
  await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark')
  expect(getComputedStyle(document.body).backgroundColor).toBe('rgb(26, 26, 28)')
  await page.getByText('Light', { exact: true }).click()
  await expect.poll(() => getComputedStyle(document.body).backgroundColor).toBe('rgb(255, 255, 255)')
  await page.getByText('As the system').click()
  await expect.poll(() => document.documentElement.dataset['theme']).toBeUndefined()
  expect(host.asked.filter(each => each.name === 'settings.set')).toHaveLength(3)
})

test('the models are in the settings too', async () => {
  await showApp()
  await button('Settings').click()
  await button('Models and engine').click()
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  await expect.element(settings.getByText('Tiny, for a first look.', { exact: false })).toBeVisible()
  await settings.getByRole('button', { name: 'Add a server…' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Add a model' })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Address' })).toBeVisible()
})

test('with Ctrl+Enter chosen, Enter starts a new line', async () => {
  const host = await showApp(() => {}, { hello: { settings: { theme: 'system', sendWith: 'mod_enter' } } })
  await composer().fill('One')
  await userEvent.keyboard('{Enter}two')
  await expect.element(composer()).toHaveValue('One\ntwo')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect((await host.nextRun()).text).toBe('One\ntwo')
})

test('notices stand until they are dismissed', async () => {
  const notice = {
    id: 'n1',
    level: 'warning',
    text: 'The settings could not be read.',
    fix: 'A copy was kept.',
  } as const
  const host = await showApp(() => {}, { hello: { notices: [notice] } })
  await expect.element(page.getByText(/The settings could not be read/)).toBeVisible()
  await button('Dismiss').click()
  await expect.element(page.getByText(/The settings could not be read/)).not.toBeInTheDocument()
  expect(host.asked.at(-1)).toEqual({ name: 'app.dismissNotice', input: { id: 'n1' } })
})

test('a host that never answers is named, and can be tried again', async () => {
  const host = await showApp(() => {}, { connection: 'lost' })
  await expect.element(page.getByRole('heading', { name: 'Talaria cannot be reached' })).toBeVisible()
  await button('Try now').click()
  expect(host.asked.some(each => each.name === 'retry')).toBe(true)
  host.reconnect()
  await expect.element(page.getByText('What can I do for you?')).toBeVisible()
})

test('a narrow window has a rail, and a very narrow one a button, to the list of chats', async () => {
  await page.viewport(800, 700)
  await showApp(twoChats)
  await button('Open the list of chats').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Garden', exact: true }).click()
  await expect.element(transcript().getByText('About potatoes.')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await page.viewport(480, 800)
  await expect.element(button('Open the list of chats')).toBeVisible()
  await expect.element(page.getByText('Built-in demo model').first()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(480)
})

test('the demo model is named wherever a model is shown, and a file of one’s own takes its place', async () => {
  const host = await showApp()
  await expect.element(button('Model: Built-in demo model').first()).toBeVisible()
  await expect.element(page.getByText(/Real work needs a bigger model/)).toBeVisible()
  await button('Add a model').click()
  host.failNext('model.add', new Fault('bad_input', 'There is no file at this path.'))
  const path = page.getByRole('textbox', { name: 'Path of a .gguf file' })
  await path.fill('/models/big.gguf')
  await button('Add').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('There is no file at this path.')
  await path.fill('/models/bigger.gguf')
  await button('Add').click()
  await expect.element(button('Model: bigger.gguf').first()).toBeVisible()
  expect([...host.sessions.values()][0]?.modelId).toBe('/models/bigger.gguf')
})

test('a chat with a server says that words leave the computer', async () => {
  const server = { ...demoModel, id: 's', name: 'Office', kind: 'server', demo: false } as const
  await showApp(() => {}, { models: [server] })
  await expect.element(page.getByText('Online: messages go to Office')).toBeVisible()
  await expect.element(page.getByText('Answers come from a server')).toBeVisible()
})

test('an engine that stopped says why and what to do', async () => {
  const host = await showApp()
  host.engine({
    phase: 'failed',
    modelId: 'builtin',
    error: 'The model needs more memory.',
    fix: 'Choose a smaller one.',
  })
  await button('Engine stopped').click()
  const panel = page.getByRole('dialog', { name: 'Engine' })
  await expect.element(panel.getByText('The model needs more memory.')).toBeVisible()
  await expect.element(panel.getByText('Choose a smaller one.')).toBeVisible()
  await panel.getByRole('button', { name: 'Try again' }).click()
  expect(host.asked.at(-1)).toEqual({ name: 'model.load', input: { id: 'builtin' } })
})

test('what may run without a question is changed at once, and full access is framed', async () => {
  const host = await showApp(twoChats)
  await button('Permissions: Ask').first().click()
  await page.getByRole('menuitemradio', { name: /Full access/ }).click()
  await expect.element(button('Permissions: Full access').first()).toBeVisible()
  await expect.poll(() => host.sessions.get('c2')?.approval).toBe('full')
})

test('the folder of a chat is changed, and a bad one is refused beside the field', async () => {
  const host = await showApp(twoChats)
  await button('Working folder: /home/ada/notes').click()
  const field = page.getByRole('textbox', { name: 'Folder that this chat works in' })
  host.failNext('session.update', new Fault('bad_input', 'There is no folder at this path.'))
  await field.fill('/nowhere')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toMatchTextContent('There is no folder at this path.')
  await field.fill('/home/ada/garden')
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Working folder: /home/ada/garden')).toBeVisible()
})
