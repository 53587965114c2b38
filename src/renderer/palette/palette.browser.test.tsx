import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { actionTable, type ActionText } from '../action-table.ts'
import { expectAccessibleAt } from '../test/accessible.ts'
import { aHistory } from '../test/messages.ts'
import { composer, showWindow, transcript } from '../test/show-window.tsx'
import { aSkill } from '../test/skills.ts'
import type { PreparedHost } from '../test/test-host.ts'

const palette = () => page.getByRole('dialog', { name: 'Command palette' })
const field = () => palette().getByRole('combobox')
const options = () => palette().getByRole('option')
const titles = () =>
  options()
    .elements()
    .map(option => option.querySelector('.truncate')?.textContent)

/** Two chats, of which one is archived and one is open, and a skill. */
function prepare({ seed }: PreparedHost) {
  void seed.chat({ id: 'c1', title: 'Garden plans', messages: aHistory(2) })
  void seed.chat({ id: 'c2', title: 'Rent of May', archived: true, messages: aHistory(1, 100) })
  void seed.skill(aSkill({ name: 'tidy-csv', description: 'Sort tables.' }))
  return 'c1'
}

async function openPalette(typed = '') {
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(field()).toHaveFocus()
  if (typed !== '') await field().fill(typed)
}

test('Ctrl+K, a few letters and Enter lead to a page, and what is chosen most is first the next time', async () => {
  await showWindow(prepare)
  await openPalette('conn')
  await expect.element(options().first()).toMatchTextContent(/^Connections/)
  await userEvent.keyboard('{Enter}')
  await expect.element(palette()).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible()
  await openPalette()
  await expect.element(palette().getByText('Most used')).toBeVisible()
  await expect.element(options().first()).toMatchTextContent(/^Connections/)
})

const headings = () =>
  [...palette().element().querySelectorAll('.pick-heading')].map(each => each.textContent)

test('it lists new chats, chats and pages first and permissions last', async () => {
  await page.viewport(1_280, 2_600)
  await showWindow(prepare)
  await expect.element(transcript().getByText('Question 1')).toBeVisible()
  await openPalette()
  await expect.element(palette().getByRole('option', { name: /^Garden plans/ })).toBeVisible()
  await expect.poll(() => titles()[0]).toBe('New chat')
  await expect.poll(() => headings().slice(0, 4)).toEqual(['Start', 'Chats', 'Pages', 'Commands'])
  await userEvent.keyboard('{End}')
  await expect.poll(() => headings().at(-1)).toBe('Permissions')
})

test('what is chosen more often stands before what was chosen later', async () => {
  await showWindow(prepare)
  for (const wanted of ['memory', 'memory', 'connections']) {
    await openPalette(wanted)
    await expect.element(options().first()).toMatchTextContent(new RegExp(`^${wanted}`, 'i'))
    await userEvent.keyboard('{Enter}')
    await expect.element(palette()).not.toBeInTheDocument()
  }
  await openPalette()
  await expect.poll(() => titles().slice(0, 2)).toEqual(['Memory', 'Connections'])
})

test('an archived chat is found, marked and opened, with its record', async () => {
  await showWindow(prepare)
  await openPalette('rent')
  await expect.element(options().first()).toMatchTextContent(/^Rent of Mayarchived · /)
  await userEvent.keyboard('{Enter}')
  await expect.element(transcript().getByText('Question 1')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Rent of May' })).toBeVisible()
})

test('a setting leads to its field, which has the focus', async () => {
  await showWindow(prepare)
  await openPalette('send with')
  // The settings are read when the palette opens.
  await expect.element(options().first()).toMatchTextContent(/^Send with/)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('group', { name: 'Chat', exact: true })).toBeVisible()
  await expect
    .poll(() => document.activeElement?.closest('[data-setting]')?.getAttribute('data-setting'))
    .toBe('ui.send_with')
})

test('in a chat a skill is attached and a model answers from now on; Ctrl+Enter opens them', async () => {
  const host = await showWindow(prepare)
  await composer().fill('these rows')
  await openPalette('tidy')
  await expect.element(palette().getByText(/attaches it to the message/)).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(composer()).toHaveValue('/tidy-csv these rows')
  await expect.element(composer()).toHaveFocus()
  await openPalette('demo model')
  await userEvent.keyboard('{Enter}')
  await expect.poll(async () => (await host.elsewhere['session.get']({ id: 'c1' })).modelId).toBe('builtin')
  await openPalette('demo model')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .element(page.getByRole('button', { name: /^Built-in demo model/, expanded: true }))
    .toBeVisible()
  await openPalette('tidy')
  await expect.element(palette().getByText(/opens the skill/)).toBeVisible()
})

/** Press Enter for a model while the models are still loading; `go` releases them. */
async function enterWhileReading() {
  let go = () => {}
  const host = await showWindow(each => {
    go = each.holdNext('model.list')
    return prepare(each)
  })
  await openPalette('demo model')
  await expect.element(palette().getByText('Reading…')).toBeVisible()
  await expect
    .element(palette().getByText('Press Enter to open the first match as soon as it is found. Esc closes.'))
    .toBeVisible()
  await userEvent.keyboard('{Enter}')
  return { host, go: () => go() }
}

test('Enter for what is not read yet waits for it', async () => {
  const { host, go } = await enterWhileReading()
  go()
  await expect.poll(async () => (await host.elsewhere['session.get']({ id: 'c1' })).modelId).toBe('builtin')
  await expect.element(palette()).not.toBeInTheDocument()
})

test('another name drops the Enter that waited', async () => {
  const { host, go } = await enterWhileReading()
  await field().fill('conn')
  await expect.element(options().first()).toMatchTextContent(/^Connections/)
  await field().fill('demo model')
  go()
  await expect.element(options().first()).toMatchTextContent(/^Built-in demo model/)
  expect(host.asked.map(({ name }) => name)).not.toContain('session.update')
  await expect.element(palette()).toBeVisible()
})

test('every action of the table can be done somewhere, and what needs a chat is left out where there is none', async () => {
  await showWindow(prepare)
  const isDone = ([id, { isOnlyKey }]: [string, ActionText]) =>
    // These actions are possible only at times: during an answer, after file changes, at a question, with a
    // process, or in another state.
    !isOnlyKey &&
    ![
      'palette.open',
      'chat.stop',
      'chat.keep',
      'chat.end',
      'chat.question',
      'chat.takeBack',
      'processes.open',
      'chat.unpin',
      'chat.unarchive',
      'network.unlock',
      'theme.system',
      'mode.ask',
    ].includes(id)
  const expected = (Object.entries(actionTable) as [string, ActionText][]).filter(isDone)
  await expect.element(transcript().getByText('Question 1')).toBeVisible()
  await openPalette()
  for (const [, { label }] of expected) {
    await field().fill(label)
    await expect.poll(titles).toContain(label)
  }
  await userEvent.keyboard('{Escape}')
  await openPalette('memory page')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading', { name: 'Memory', level: 1 })).toBeVisible()
  await openPalette('this chat')
  const ofChat = expected.filter(([, { place }]) => place === 'chat').map(([, { label }]) => label)
  expect(titles().filter(title => ofChat.includes(title ?? ''))).toEqual([])
})

test('a name that nothing has is searched for in all messages', async () => {
  await showWindow(prepare)
  await openPalette('Question 2')
  await expect.element(palette().getByText('Nothing matches.')).toBeVisible()
  await palette()
    .getByRole('button', { name: /^Search all messages/ })
    .click()
  await expect.element(page.getByRole('searchbox', { name: 'Search in chats' })).toHaveValue('Question 2')
  await expect.element(page.getByText('2 chats found')).toBeVisible()
})

test('arrows, Home, End and the pages move, and Esc gives the focus back', async () => {
  await showWindow(prepare)
  await composer().click()
  await openPalette()
  const selected = () =>
    palette().getByRole('option', { selected: true }).element().getAttribute('aria-posinset')
  for (const [key, expected] of [
    ['ArrowDown', '2'],
    ['ArrowUp', '1'],
    ['PageDown', '11'],
    ['Home', '1'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`)
    await expect.poll(selected).toBe(expected)
  }
  await userEvent.keyboard('{End}')
  await expect
    .poll(
      () =>
        selected() ===
        palette().getByRole('option', { selected: true }).element().getAttribute('aria-setsize'),
    )
    .toBe(true)
  await userEvent.keyboard('{Escape}')
  await expect.element(composer()).toHaveFocus()
})

const openDialogs = () => document.querySelectorAll('dialog[open]').length

test('it takes the place of what only shows something, and leaves a dialog alone that waits for an answer', async () => {
  await showWindow(prepare)
  await expect.element(transcript().getByText('Question 1')).toBeVisible()
  const timeline = page.getByRole('dialog', { name: 'Timeline of this chat' })
  await userEvent.keyboard('{Alt>}t{/Alt}')
  await expect.element(timeline.getByRole('combobox')).toHaveFocus()
  await openPalette()
  await expect.element(timeline).not.toBeInTheDocument()
  await openPalette()
  expect(openDialogs()).toBe(1)
  await userEvent.keyboard('{Alt>}t{/Alt}')
  await expect.element(timeline.getByRole('combobox')).toHaveFocus()
  await expect.element(palette()).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await openPalette('export this chat')
  await userEvent.keyboard('{Enter}')
  const question = page.getByRole('dialog', { name: 'Export “Garden plans”' })
  await expect.element(question).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}{Alt>}t{/Alt}')
  await expect.element(question).toBeVisible()
  expect(openDialogs()).toBe(1)
})

test('the palette is accessible in wide and narrow windows', async () => {
  await showWindow(prepare)
  await openPalette('e')
  await expect.element(options().first()).toBeVisible()
  await expectAccessibleAt(1_280, 420)
})
