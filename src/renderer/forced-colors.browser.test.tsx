import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { preferMedia } from './test/media.ts'
import { aHistory } from './test/messages.ts'
import { button, composer, showWindow, transcript } from './test/show-window.tsx'

/** The width of the visible border around an element, in pixels; 0 if it has none. */
function lineOf(element: Element): number {
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
  const behind = getComputedStyle(document.body).backgroundColor
  return outlineStyle === 'none' || outlineColor === behind ? 0 : Number.parseFloat(outlineWidth)
}

const focused = () => document.activeElement!

async function aForcedWindow() {
  await preferMedia({ name: 'forced-colors', value: 'active' })
  const host = await showWindow(({ seed }) => {
    void seed.chat({ id: 'c1', title: 'Herons', messages: aHistory(3) })
    return 'c1'
  })
  expect(matchMedia('(forced-colors: active)').matches).toBe(true)
  await expect.element(transcript().getByText('Question 1')).toBeVisible()
  return host
}

test.for([
  ['the command palette', '{Control>}k{/Control}', 'Command palette'],
  ['the timeline', '{Alt>}t{/Alt}', 'Timeline of this chat'],
] as const)('in %s a line tells what is chosen', async ([, keys, name]) => {
  await aForcedWindow()
  await userEvent.keyboard(keys)
  const dialog = page.getByRole('dialog', { name })
  await expect.element(dialog.getByRole('combobox')).toHaveFocus()
  const options = () => dialog.getByRole('option').elements()
  await expect.poll(() => options().length).toBeGreaterThan(1)
  const chosen = () => options().filter(each => each.getAttribute('aria-selected') === 'true')
  await userEvent.keyboard('{Home}')
  await expect.poll(chosen).toEqual([options()[0]])
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(chosen).toEqual([options()[1]])
  expect(options().map(each => lineOf(each) >= 2)).toEqual(options().map((_, at) => at === 1))
})

test('in the find bar the focus, what is on and what is found can be told', async () => {
  await aForcedWindow()
  await userEvent.keyboard('{Control>}f{/Control}')
  const field = page.getByRole('searchbox', { name: 'Find in this chat' })
  await expect.element(field).toHaveFocus()
  expect(lineOf(field.element().closest('search')!)).toBeGreaterThanOrEqual(2)
  await field.fill('Question')
  await expect.poll(() => CSS.highlights.get('find-at')?.size).toBe(1)
  const found = getComputedStyle(transcript().element(), '::highlight(find-at)').backgroundColor
  expect(found).not.toBe(getComputedStyle(document.body).backgroundColor)
  await userEvent.keyboard('{Tab}')
  await expect.element(button('Include tool results')).toHaveFocus()
  const off = lineOf(focused())
  expect(off).toBeGreaterThanOrEqual(2)
  await userEvent.keyboard(' ')
  await expect.element(button('Include tool results')).toHaveAttribute('aria-pressed', 'true')
  expect(lineOf(focused())).toBeGreaterThan(off)
  await userEvent.keyboard('{Tab}')
  const pressed = lineOf(button('Include tool results').element())
  expect([pressed >= 2, lineOf(focused()) >= 2]).toEqual([true, true])
})

test('the arrows between versions show the focus, and which of them leads nowhere', async () => {
  const host = await aForcedWindow()
  const { messages } = await host.elsewhere['session.messages']({ id: 'c1' })
  await host.elsewhere['branch.edit']({
    sessionId: 'c1',
    messageId: messages.at(-1)!.id,
    text: 'Edited',
    stopRun: false,
  })
  const previous = button('Previous version')
  await expect.element(previous).toBeVisible()
  await composer().click()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  previous.element().focus()
  await expect.element(previous).toHaveFocus()
  expect(lineOf(focused())).toBeGreaterThanOrEqual(2)
  const colour = (name: string) => getComputedStyle(button(name).element()).color
  await expect.element(button('Next version')).toBeDisabled()
  expect(colour('Next version')).not.toBe(colour('Previous version'))
})
