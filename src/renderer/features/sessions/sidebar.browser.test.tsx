import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aTransfer, tellTransfers } from '../../test/a-computer.ts'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { aHistory } from '../../test/messages.ts'
import { button, openWindow, say, showWindow, transcript } from '../../test/show-window.tsx'
import type { PreparedHost } from '../../test/test-host.ts'

const links = () => page.getByRole('navigation', { name: 'Pages' })
const link = (name: string | RegExp) => links().getByRole('button', { name })
const more = () => link(/^More pages/)
const chats = () => page.getByRole('navigation', { name: 'Chats' })
const field = () => page.getByRole('searchbox', { name: 'Search in chats' })
/** The pages that have a row or an icon. */
const named = () =>
  [...links().element().querySelectorAll('button:not([aria-expanded])')].map(
    each => each.getAttribute('aria-label') ?? each.textContent,
  )
const toggleByKey = () => userEvent.keyboard('{Control>}b{/Control}')
const height = () => chats().element().getBoundingClientRect().height

/** A new window: the group of pages is closed, with a chat and two findings waiting in Activity. */
async function showClosed() {
  localStorage.clear()
  return showWindow(({ seed }: PreparedHost) => {
    void seed.chat({ id: 'c1', title: 'Garden', messages: aHistory(2) })
    void seed.review({ id: 'r1', trigger: 'events', sessionId: 'c1', endedAt: Date.now(), outcome: '' })
    void seed.proposal({ id: 'p1', reviewId: 'r1', headline: 'Sows in March.' })
    void seed.proposal({ id: 'p2', reviewId: 'r1', headline: 'Sows in May.' })
    return 'c1'
  })
}

test('three pages are in view, More opens the others, and the window remembers it', async () => {
  const host = await showClosed()
  await expect.element(more()).toHaveAttribute('aria-expanded', 'false')
  expect(named()).toEqual(['Chat', 'Projects', 'Schedules'])
  await more().click()
  await expect.element(link('Memory')).toBeVisible()
  expect(named()).toHaveLength(9)
  await openWindow(host)
  await expect.element(link('Models')).toBeVisible()
  await more().click()
  await openWindow(host)
  await expect.element(more()).toBeVisible()
  expect(named()).toEqual(['Chat', 'Projects', 'Schedules'])
})

test('a page behind More has its row while it is shown', async () => {
  await showClosed()
  await more().click()
  await link('Skills').click()
  await more().click()
  await expect.element(link('Skills')).toHaveAttribute('aria-current', 'page')
  expect(named()).toEqual(['Chat', 'Projects', 'Schedules', 'Skills'])
  await link('Chat').click()
  await expect.element(link('Skills')).not.toBeInTheDocument()
})

test('what waits in Activity and what is downloaded is said on More while it is closed, and then on their rows', async () => {
  const host = await showClosed()
  const tell = tellTransfers(host, [])
  await expect.element(more()).toHaveAccessibleName('More pages 2 waiting for you in Activity')
  tell({ ...aTransfer(), id: 't1', state: 'running', doneBytes: 25, totalBytes: 100 })
  await expect
    .element(more())
    .toHaveAccessibleName('More pages ↓ 25% of the downloads are done 2 waiting for you in Activity')
  await more().click()
  await expect.element(more()).toHaveAccessibleName('More pages')
  await expect.element(link('Activity 2 waiting for you')).toBeVisible()
  await expect.element(link('Models ↓ 25% of the downloads are done')).toBeVisible()
})

test('a search takes the whole column, and Esc in the field or in the results gives it back', async () => {
  await showClosed()
  await expect.element(more()).toBeVisible()
  const before = height()
  await field().fill('question')
  await expect.element(chats().getByText('1 chat found')).toBeVisible()
  await expect.element(links()).not.toBeInTheDocument()
  expect(height()).toBeGreaterThan(before + 120)
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(chats().getByRole('button', { name: 'Garden' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(links()).toBeVisible()
  await expect.element(field()).toHaveFocus()
  await expect.element(field()).toHaveValue('')
  await field().fill('question')
  await expect.element(links()).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.element(links()).toBeVisible()
})

test('the sidebar collapses to icons by its button and by a key, and the window remembers it', async () => {
  const host = await showClosed()
  await button('Collapse the sidebar').click()
  const expand = button('Expand the sidebar')
  await expect.element(expand).toHaveFocus()
  await expect.element(field()).not.toBeInTheDocument()
  expect(named()).toEqual(['Chat', 'Projects', 'Schedules'])
  await expectAccessibleAt(1_280)
  await openWindow(host)
  await expect.element(expand).toBeVisible()
  await expand.click()
  await expect.element(button('Collapse the sidebar')).toHaveFocus()
  await expect.element(chats().getByRole('button', { name: 'Garden', exact: true })).toBeVisible()
  await toggleByKey()
  await expect.element(expand).toBeVisible()
  await toggleByKey()
  await expect.element(button('Collapse the sidebar')).toBeVisible()
})

test('collapsed, a search opens over the page, and the menu of More leads to the other pages', async () => {
  await showClosed()
  await toggleByKey()
  await button('Search in chats').click()
  await expect.element(page.getByRole('dialog').getByRole('searchbox')).toHaveFocus()
  await expect.element(button('Collapse the sidebar')).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await button('More pages 2 waiting for you in Activity').click()
  const menu = page.getByRole('menu', { name: 'More pages' })
  await expect.element(menu.getByRole('menuitem', { name: 'Memory' })).toHaveFocus()
  await expectAccessibleAt(1_280)
  await menu.getByRole('menuitem', { name: 'Activity 2 waiting for you' }).click()
  await expect.element(link('Activity 2 waiting for you')).toHaveAttribute('aria-current', 'page')
  await expect.element(more()).toHaveAccessibleName('More pages')
})

test('where the list of chats is over the page, the same key opens and closes it', async () => {
  await page.viewport(700, 700)
  await showClosed()
  await toggleByKey()
  await expect.element(page.getByRole('dialog', { name: 'Chats' })).toBeVisible()
  await toggleByKey()
  await expect.element(page.getByRole('dialog', { name: 'Chats' })).not.toBeInTheDocument()
})

test('in a low window nothing of the sidebar or of its icons is lost', async () => {
  await showClosed()
  await more().click()
  const isInView = (element: Element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect()
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
  }
  for (const [width, isDrawer] of [
    [1_280, false],
    [320, true],
  ] as const) {
    await page.viewport(width, 500)
    if (isDrawer) await button('Open the list of chats').click()
    await expect.element(more()).toBeVisible()
    const fixed = ['Settings', 'Help', 'Archived', 'New chat'].map(name => button(name).element())
    expect([more().element(), ...fixed].map(isInView)).not.toContain(false)
    // Rows that do not fit are reached by scrolling, and the list keeps some height.
    await expect.element(link('Models')).toBeInTheDocument()
    link('Models').element().scrollIntoView()
    expect(isInView(link('Models').element())).toBe(true)
    expect(height()).toBeGreaterThanOrEqual(120)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  }
  await userEvent.keyboard('{Escape}')
  await page.viewport(700, 500)
  await expect.element(button('Open the list of chats')).toBeVisible()
  const rail = [...document.querySelectorAll('.side-rail button')]
  expect(rail).toHaveLength(9)
  expect(rail.map(isInView)).not.toContain(false)
})

test('a sub-agent stands below its chat while it works, and the card leads to it afterwards', async () => {
  const host = await showWindow()
  await say('Do it')
  const asked = await host.nextAsked()
  await asked.call('delegate', { goal: 'Read the notes' })
  await asked.end()
  const agent = await host.nextAsked()
  await agent.write('I read the first page.')
  const titles = () => [...chats().element().querySelectorAll('[data-row]')].map(each => each.textContent)
  await expect
    .poll(titles)
    .toEqual(['Do itis being answered', 'worker 1: Read the notesSub-agentis being answered'])
  await agent.say('I have read them.')
  const parent = await host.nextAsked()
  await parent.say('It is done.')
  await expect.element(transcript().getByText('It is done.')).toBeVisible()
  await expect.poll(titles).toEqual(['Do it'])
  await button('Open the chat of worker 1').click()
  const row = chats().getByRole('button', { name: 'worker 1: Read the notes Sub-agent', exact: true })
  await expect.element(row).toHaveAttribute('aria-current', 'page')
  await button('Back to that chat').click()
  await expect.element(row).not.toBeInTheDocument()
  await field().fill('first page')
  await expect.element(chats().getByRole('button', { name: /^worker 1: Read the notes/ })).toBeVisible()
})

test('a project in the list offers a new chat in it', async () => {
  const host = await showClosed()
  const { id } = await host.elsewhere['project.create']({ name: 'Thesis' })
  const project = chats().getByRole('region', { name: 'Project Thesis' })
  await project.getByRole('button', { name: 'New chat in the project “Thesis”' }).click()
  await expect.poll(() => location.hash).not.toBe('#chat=c1')
  const chatId = new URLSearchParams(location.hash.slice(1)).get('chat')!
  expect((await host.elsewhere['session.get']({ id: chatId })).projectId).toBe(id)
})
