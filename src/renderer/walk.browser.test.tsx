import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleAt } from './test/accessible.ts'
import { preferMedia } from './test/media.ts'
import { aReply, aUserMessage } from './test/messages.ts'
import { button, showWindow, transcript } from './test/show-window.tsx'
import type { PreparedHost, TestHost } from './test/test-host.ts'

const answer =
  'The area is $\\pi r^2$.\n\n$$\\int_0^1 x\\,dx$$\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```js\nconst a = 1 // one\n```'

/** A window that has been used: chats, memory, a rule, a deleted chat. */
function used(host: PreparedHost) {
  const { seed } = host
  void seed.chat({
    id: 'c1',
    title: 'Circle',
    messages: [aUserMessage({ id: 1 }), aReply({ id: 2, text: answer })],
  })
  void seed.chat({ id: 'c2', title: 'Garden', messages: [aUserMessage({ id: 3 }), aReply({ id: 4 })] })
  void seed.entry({ text: 'Lives in Bergen.' })
  return 'c1'
}
const dialog = () => page.getByRole('dialog')
const inMenu = (name: string | RegExp) => page.getByRole('menuitem', { name })

/** Each page and dialog of the window, opened from the chat as a user opens it. */
const places: Record<string, (host: TestHost) => Promise<unknown>> = {
  'a chat': async () => {
    await expect.element(transcript()).toBeVisible()
    await expect.poll(() => document.querySelector('.katex')).not.toBeNull()
  },
  'the page Projects': () => button('Projects').click(),
  'the page Memory': async () => {
    await page
      .getByRole('button', { name: /^Memory/ })
      .first()
      .click()
    await expect.element(page.getByText('Lives in Bergen.').first()).toBeVisible()
  },
  'the page Skills': () =>
    page
      .getByRole('button', { name: /^Skills/ })
      .first()
      .click(),
  'the page Activity': () =>
    page
      .getByRole('button', { name: /^Activity/ })
      .first()
      .click(),
  'the page Schedules': () => button('Schedules').click(),
  'the page Connections': () => button('Connections').click(),
  'the page Models': () =>
    page
      .getByRole('button', { name: /^Models/ })
      .first()
      .click(),
  'the page Settings': () => button('Settings').click(),
  'the dialog of branches': async host => {
    await host.elsewhere['branch.edit']({ sessionId: 'c1', messageId: 2, text: 'Edited', stopRun: false })
    await button('Branches of this chat').click()
    await expect.element(dialog()).toBeVisible()
  },
  'editing a message': async () => {
    await button('Edit message').click()
    await expect.element(page.getByRole('textbox', { name: 'Your message' })).toBeVisible()
  },
  'the export': async () => {
    await button('More for “Circle”').click()
    await inMenu('Export…').click()
    await expect.element(dialog()).toBeVisible()
  },
  'the import': async () => {
    await button('Settings').click()
    await page.getByRole('button', { name: 'Data', exact: true }).click()
    await button('Import chats and memories…').click()
    await expect.element(dialog()).toBeVisible()
  },
  'the deleted chats': async host => {
    await host.elsewhere['session.remove']({ id: 'c2' })
    await page.getByRole('button', { name: /^Recently deleted/ }).click()
    await expect.element(dialog()).toBeVisible()
  },
  'the shortcuts': async () => {
    await button('Help').click()
    await button('Keyboard shortcuts').click()
    await expect.element(dialog()).toBeVisible()
  },
  'the toolsets of a chat': async () => {
    await page.getByRole('button', { name: /^Tools: / }).click()
    await expect.element(dialog()).toBeVisible()
  },
  'the styles of answering': async () => {
    await page.getByRole('button', { name: /^Answering style/ }).click()
    await expect.element(dialog()).toBeVisible()
  },
  'the folder of a chat': async () => {
    await page.getByRole('button', { name: /^Working folder/ }).click()
    await expect.element(dialog()).toBeVisible()
  },
  'the permissions of a chat': async () => {
    await page
      .getByRole('button', { name: /^Permissions: / })
      .first()
      .click()
    await expect.element(page.getByRole('menu')).toBeVisible()
  },
  'the models of a chat': async () => {
    await page
      .getByRole('button', { name: /^Model: / })
      .first()
      .click()
    await expect.poll(() => document.querySelector(':popover-open')).not.toBeNull()
  },
  'adding a server of tools': async () => {
    await button('Connections').click()
    await button('Add a server').click()
    await expect.element(dialog()).toBeVisible()
  },
  'adding a model': async () => {
    await page
      .getByRole('button', { name: /^Model: / })
      .first()
      .click()
    await page.getByRole('button', { name: 'Add a server…' }).click()
    await expect.element(dialog().last()).toBeVisible()
  },
  'importing skills': async () => {
    await page
      .getByRole('button', { name: /^Skills/ })
      .first()
      .click()
    await page
      .getByRole('button', { name: /^Import/ })
      .first()
      .click()
    await expect.element(dialog()).toBeVisible()
  },
  'what the model sees': async () => {
    await button('Show what the model sees').click()
    await expect.element(button('Close the panel').first()).toBeVisible()
  },
}
for (const section of [
  'General',
  'Chat',
  'Models and engine',
  'Learning and memory',
  'Permissions',
  'Tools',
  'Privacy and network',
  'Usage',
  'Data',
  'Shortcuts',
  'About and diagnostics',
])
  places[`the settings “${section}”`] = async () => {
    await button('Settings').click()
    await page
      .getByRole('button', { name: new RegExp(`^${section}`) })
      .last()
      .click()
  }

const all = Object.entries(places)

// One window for all checks of a place: opening it takes longer than checking it.
test.for(all)(
  '%s: axe finds nothing, nothing moves for those who want no motion, Tab reaches all',
  async ([name, open]) => {
    await preferMedia(
      { name: 'prefers-contrast', value: 'more' },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    )
    const host = await showWindow(used)
    await open(host)
    await host.answered()
    for (const animation of document.getAnimations())
      expect(Number(animation.effect?.getComputedTiming().activeDuration)).toBeLessThanOrEqual(10)
    // With more contrast the same elements have other colours.
    await expectAccessible('colours')
    await preferMedia()
    await expectReachedByTab(name === 'a chat' ? document.body : onTop())
    // 200 % of a window of 1280 pixels. The settings have tests of their own for every width.
    if (!name.startsWith('the settings')) await expectAccessibleAt(640)
  },
)

/**
 * The topmost element: a dialog or a panel, else the page beside the list of chats, which is the same in all
 * places.
 */
const onTop = (): Element | null =>
  [...document.querySelectorAll('dialog[open], :popover-open')].at(-1) ?? document.querySelector('main')

/** The elements that a mouse can press, except those in a list or group with arrow keys. */
function pressable(within: ParentNode): Element[] {
  return [
    ...within.querySelectorAll('button, a[href], input, select, textarea, summary, [role="switch"]'),
  ].filter(
    each =>
      !each.matches(':disabled, [role="tab"], [role^="menuitem"], [type="radio"]') &&
      !each.closest('[role="menu"], [role="toolbar"], [role="listbox"], [hidden], [aria-hidden="true"]') &&
      each.getClientRects().length > 0 &&
      getComputedStyle(each).visibility === 'visible',
  )
}

/** Expect that Tab reaches every pressable element, and that the focus is visible. */
async function expectReachedByTab(within: Element | null) {
  const isMenu = document.querySelector('[role="menu"]:popover-open') !== null
  if (isMenu || !within) return
  const wanted = new Set(pressable(within))
  const lists = (each: Element) => each.closest('li, [role="row"], [role="option"], tr')
  const seen = new Set<Element>()
  const unseen: string[] = []
  let isOver = false
  const look = ({ target: now }: Event) => {
    if (!(now instanceof Element)) return
    // Tab wraps around in a dialog, and leaves a page.
    if (seen.has(now) || !within.contains(now)) return void (isOver = seen.size > 0)
    seen.add(now)
    const { outlineStyle, outlineWidth } = getComputedStyle(now)
    const label = now.closest('label')
    const shows =
      (outlineStyle !== 'none' && outlineWidth !== '0px') ||
      (label !== null && getComputedStyle(label).outlineStyle !== 'none') ||
      now.matches('.composer-field, [tabindex="-1"]')
    if (!shows) unseen.push(now.outerHTML.slice(0, 120))
  }
  // The next Tab goes to the first stop in it.
  const start = document.createElement('span')
  start.tabIndex = -1
  within.prepend(start)
  start.focus()
  document.addEventListener('focusin', look)
  // Five keys at a time, because sending keys takes as long as pressing them.
  for (let at = 0; at < 80; at++) {
    await userEvent.keyboard('{Tab}'.repeat(5))
    if (isOver) break
  }
  document.removeEventListener('focusin', look)
  start.remove()
  // Rows of a list have one stop; arrow keys reach the others.
  const lost = [...wanted].filter(each => !seen.has(each) && !lists(each))
  expect(lost.map(each => each.outerHTML.slice(0, 160))).toEqual([])
  expect(unseen).toEqual([])
}

test('in a low window, as at twice the size, the narrow bar of pages scrolls and covers nothing', async () => {
  await page.viewport(640, 300)
  await showWindow(used)
  await expect.element(transcript()).toBeVisible()
  const bar = document.querySelector('.side-rail')!
  expect(bar.scrollHeight).toBeGreaterThan(bar.clientHeight)
  expect(bar.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight)
  expect(getComputedStyle(bar).overflowY).toBe('auto')
  await expectAccessible()
})
