import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { button } from '../../test/show-window.tsx'
import {
  changes,
  choose,
  fill,
  group,
  headline,
  headlines,
  press,
  propose,
  rewrite,
  showActivity,
  statesOf,
} from '../../test/activity.ts'
import { keepElsewhere } from '../../test/keep-elsewhere.ts'

const waiting = 'Waiting for you'
const pnpm = 'Uses pnpm for packages.'
const select = (name: string) => page.getByRole('checkbox', { name: `Select “${name}”` })
const bar = () => page.getByRole('toolbar', { name: 'Selected cards' })

test('“Keep all” asks for confirmation, and one Undo reverses all of it', async () => {
  const host = await showActivity()
  await button('Keep all').click()
  await expect.element(page.getByText('Keep 3 cards?').first()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Keep all')).toHaveFocus()
  expect(changes(host)).toEqual([])
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Keep all')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('3 cards were kept.')).toBeVisible()
  expect(await statesOf(host)).toMatchObject({ pnpm: 'kept', bern: 'kept', report: 'kept' })
  await button('Undo').click()
  await expect
    .poll(() => statesOf(host))
    .toMatchObject({ pnpm: 'undone', bern: 'undone', report: 'undone', short: 'kept' })
})

test('“Keep all” skips a card whose target has changed, and says so', async () => {
  const host = await showActivity()
  await expect.element(headline(pnpm)).toBeVisible()
  await rewrite(host, 'bern', 'Lives in Bern.', 'Lives in Biel.')
  await expect.element(page.getByText('The text that this would change has been edited since.')).toBeVisible()
  await button('Keep all').click()
  await button('Keep all').click()
  await expect
    .element(page.getByText('1 card was skipped, because the text it would change has been edited.'))
    .toBeVisible()
  await expect.poll(() => headlines(waiting)).toEqual(['Lives in Basel.'])
})

test('“Reject all” asks for confirmation', async () => {
  const host = await showActivity()
  await button('Reject all').click()
  await button('Reject all').click()
  await expect.element(page.getByText('3 cards were rejected.')).toBeVisible()
  await expect.element(group(waiting)).not.toBeInTheDocument()
  expect(await statesOf(host)).toMatchObject({ pnpm: 'rejected', bern: 'rejected', report: 'rejected' })
})

test('several selected cards are kept together', async () => {
  const host = await showActivity()
  await select(pnpm).click()
  await select('Lives in Basel.').click()
  await expect.element(bar().getByText('2 selected')).toBeVisible()
  // What is decided elsewhere is not selected any more.
  await keepElsewhere(host, ['bern'])
  await expect.element(bar().getByText('1 selected')).toBeVisible()
  await select('Change of the skill “weekly-report”').click()
  await bar().getByRole('button', { name: 'Keep' }).click()
  await expect.element(page.getByText('2 cards were kept.')).toBeVisible()
  await expect.element(bar()).not.toBeInTheDocument()
  expect(changes(host).at(-1)?.input).toMatchObject({ ids: ['pnpm', 'report'] })
})

test('everything from one review can be undone, with a count to confirm', async () => {
  const host = await showActivity(fill, {
    async before(host) {
      await keepElsewhere(host, ['pnpm', 'bern'])
    },
  })
  await choose('Lives in Basel.', 'Undo everything from this review')
  const box = page.getByRole('group', { name: 'Undo everything from this review' })
  await expect.element(box.getByText('Undo 2 changes from this review?')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(box).not.toBeInTheDocument()
  await choose(pnpm, 'Undo everything from this review')
  await button('Undo now').click()
  await expect.element(page.getByText('2 changes were undone.')).toBeVisible()
  await expect.element(box).not.toBeInTheDocument()
  expect(changes(host)).toEqual([{ name: 'learning.undo', input: { what: { by: 'review', id: 'r1' } } }])
  expect(await statesOf(host)).toMatchObject({ pnpm: 'undone', bern: 'undone', short: 'kept' })
})

test('everything from one chat can be undone, and what stays is listed', async () => {
  const host = await showActivity()
  const { entries } = await host.elsewhere['memory.view']({})
  const short = entries.find(({ text }) => text === 'Prefers short answers.')!
  await rewrite(host, short.id, short.text, 'Prefers long answers.')
  await choose('Prefers short answers.', 'Undo everything from this chat')
  await expect.element(page.getByText('Undo 2 changes from this chat?')).toBeVisible()
  await button('Undo now').click()
  await expect
    .element(page.getByText('“Prefers short answers.” has been changed again since, so it stays unchanged.'))
    .toBeVisible()
  expect(changes(host).at(-1)?.input).toEqual({ what: { by: 'chat', id: 'c1' } })
  await button('Close').first().click()
  await expect.element(page.getByText(/was changed again since/)).not.toBeInTheDocument()
})

test('when there is nothing to undo from a chat, the menu says so without asking', async () => {
  await showActivity()
  await choose('Change of the skill “weekly-report”', 'Undo everything from this chat')
  await expect.element(page.getByText('There is nothing to undo from this chat.')).toBeVisible()
  await expect.element(button('Undo now')).not.toBeInTheDocument()
})

test('everything since a chosen day can be undone, and the count follows the day', async () => {
  const host = await showActivity(host => {
    fill(host)
    void host.seed.entry({ text: 'Has a garden.', origin: 'agent', sessionId: 'c1', messageId: 2 })
  })
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Undo everything since…' }).click()
  await expect.element(page.getByText('Undo 1 change since then?')).toBeVisible()
  await page.getByLabelText('Since the start of').fill('2020-01-01')
  await expect.element(page.getByText('Undo 3 changes since then?')).toBeVisible()
  host.failNext('learning.undo', new Fault('internal', 'The disk is full.'))
  await button('Undo now').click()
  await expect.element(page.getByText('The disk is full.')).toBeVisible()
  await button('Undo now').click()
  await expect.element(page.getByText('3 changes were undone.')).toBeVisible()
  expect(changes(host).at(-1)?.input).toEqual({ what: { by: 'since', at: new Date(2020, 0, 1).getTime() } })
})

test('older cards load on demand, without losing any with the same time, and stay loaded after a change', async () => {
  const at = Date.now() - 40 * 86_400_000
  const host = await showActivity(host => {
    for (let index = 0; index < 120; index++)
      void host.seed.proposal({
        headline: `Thing ${index}`,
        state: 'kept',
        at,
        decidedAt: at - Math.floor(index / 40),
      })
  })
  await expect.element(group('Older')).toBeVisible()
  // The fiftieth is of the same moment as the eightieth.
  await expect.poll(() => headlines('Older')).toHaveLength(80)
  await button('Show more').click()
  await expect.poll(() => headlines('Older').length).toBeGreaterThan(80)
  const known = headlines('Older').length
  await propose(host, { headline: 'Has a garden.' })
  await expect.element(headline('Has a garden.')).toBeVisible()
  expect(headlines('Older').length).toBeGreaterThanOrEqual(known)
  for (const more = page.getByRole('button', { name: 'Show more' }); more.elements().length > 0;) {
    const before = headlines('Older').length
    await more.click()
    await expect.poll(() => headlines('Older').length).toBeGreaterThan(before)
  }
  expect(new Set(headlines('Older')).size).toBe(120)
  expect(headlines('Older')).toHaveLength(120)
})

test('the whole page works by keyboard: arrows, Home, End and the letters on the buttons', async () => {
  const host = await showActivity()
  await expect.element(headline(pnpm)).toBeVisible()
  ;(document.activeElement as HTMLElement | null)?.blur()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(headline(pnpm)).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  await expect.element(headline('Prefers short answers.')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(headline('Prefers short answers.')).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{Home}')
  await expect.element(headline(pnpm)).toHaveFocus()
  await userEvent.keyboard('r')
  await expect.element(page.getByText('Rejected.')).toBeVisible()
  await expect.element(headline('Lives in Basel.')).toHaveFocus()
  await userEvent.keyboard('k')
  await expect.element(page.getByText('Kept: Lives in Basel.')).toBeVisible()
  await expect.element(press('Undo', 'Lives in Basel.')).toBeVisible()
  await userEvent.keyboard('{ArrowDown}u')
  await expect.element(page.getByText('Undone.')).toBeVisible()
  expect(await statesOf(host)).toMatchObject({ pnpm: 'rejected', bern: 'undone' })
})

test('letters typed into a text field do not trigger actions', async () => {
  const host = await showActivity()
  await press('Edit and keep', pnpm).click()
  await userEvent.keyboard('kr')
  await expect.element(page.getByRole('textbox', { name: 'Text to keep' })).toHaveValue(`${pnpm}kr`)
  expect(changes(host)).toEqual([])
})
