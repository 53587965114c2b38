import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleAt } from '../../test/accessible.ts'
import { aHistory } from '../../test/messages.ts'
import { button, showWindow } from '../../test/show-window.tsx'
import type { PreparedHost } from '../../test/test-host.ts'

const SUNDAY = '2026-11-22T12:00:00Z'

const chats = () => page.getByRole('navigation', { name: 'Chats' })
const group = (name: string) => chats().getByRole('region', { name: `Schedule ${name}` })
const head = (name: string) => group(name).getByRole('button', { name: new RegExp(`^${name} ·`) })
const rows = (name: string) =>
  group(name)
    .getByRole('listitem')
    .elements()
    .map(each => each.textContent)

/** Twelve chats of a deleted schedule, and one chat of the user. */
function prepare({ seed }: PreparedHost) {
  const now = Date.now()
  for (let day = 0; day < 12; day++)
    void seed.chat({
      id: `run${day}`,
      title: `Morning notes · ${20 - day} Nov 2026, 08:00`,
      origin: 'schedule',
      originId: 'gone',
      messages: aHistory(1, 100 + day * 10),
      updatedAt: now - 60_000 - day * 86_400_000,
    })
  void seed.chat({ id: 'own', title: 'Herons', messages: aHistory(1, 1), updatedAt: now })
}

test('the chats of a schedule are one row, which opens; a pinned one and an archived one leave it', async () => {
  await showWindow(prepare)
  await expect.element(head('Morning notes')).toMatchTextContent('12 runs')
  expect(
    chats()
      .getByRole('button', { name: /Nov 2026/ })
      .elements(),
  ).toEqual([])
  await head('Morning notes').click()
  await expect
    .poll(() => rows('Morning notes').slice(0, 2))
    .toEqual(['20 Nov 2026, 08:00', '19 Nov 2026, 08:00'])
  await button('Show all 12 runs').click()
  await expect.poll(() => rows('Morning notes')).toHaveLength(12)
  await expectAccessible()

  await button('More for “Morning notes · 20 Nov 2026, 08:00”').click()
  await page.getByRole('menuitem', { name: 'Pin' }).click()
  await expect.element(head('Morning notes')).toMatchTextContent('11 runs')
  const pinned = chats().getByRole('region', { name: 'Pinned' })
  await expect
    .element(pinned.getByRole('button', { name: /^Morning notes · 20 Nov 2026, 08:00/ }))
    .toMatchTextContent('Scheduled')
  await button('More for “Morning notes · 19 Nov 2026, 08:00”').click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect.element(head('Morning notes')).toMatchTextContent('10 runs')
  await page.getByRole('button', { name: 'Archived', exact: true }).click()
  await expect.element(chats().getByText('Morning notes · 19 Nov 2026, 08:00')).toBeVisible()
  await page.getByRole('button', { name: 'Archived', exact: true }).click()

  await page.getByRole('searchbox', { name: 'Search in chats' }).fill('Morning')
  await expect.element(chats().getByRole('button', { name: /18 Nov 2026/ })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search in chats' }).fill('')
  // It is still open, and the arrows walk through it.
  await expect.element(head('Morning notes')).toHaveAttribute('aria-expanded', 'true')
  ;(head('Morning notes').element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(page.getByRole('heading', { name: /18 Nov 2026/ })).toBeVisible()
  await head('Morning notes').click()
  await expect.element(head('Morning notes')).toHaveAttribute('tabindex', '0')
  await expectAccessibleAt(420)
})

test('a run is in the group with how it ended, and a toast opens it unless its chat is open', async () => {
  const host = await showWindow(({ seed }) => void seed.clock(SUNDAY))
  const { id } = await host.elsewhere['schedule.add']({ text: 'every day at 8 look at the garden' })
  const toast = page.getByRole('status', { name: 'What just happened' })
  const run = async (answer: string) => {
    await host.elsewhere['schedule.run']({ id, seen: (await host.elsewhere['schedule.get']({ id })).seen })
    await expect.element(head('Look at the garden').getByText('is being answered')).toBeInTheDocument()
    await (await host.nextAsked()).say(answer)
    await expect.poll(async () => (await host.elsewhere['schedule.get']({ id })).last?.state).toBe('done')
  }
  await run('The heron is there.')
  await expect
    .element(toast.getByText('Look at the garden: Answered without checking anything.'))
    .toBeVisible()
  await toast.getByRole('button', { name: 'Open' }).click()
  await expect.element(page.getByLabelText('Conversation').getByText('The heron is there.')).toBeVisible()
  await head('Look at the garden').click()
  await expect
    .poll(() => rows('Look at the garden'))
    .toEqual([expect.stringMatching(/^22 Nov 2026, 13:00.*Answered without checking anything$/)])

  await head('Look at the garden').click()
  await host.seed.clock('2026-11-22T12:05:00Z')
  await run('[SILENT]')
  await head('Look at the garden').click()
  await expect.element(head('Look at the garden')).toMatchTextContent('2 runs')
  await expect
    .poll(() => rows('Look at the garden'))
    .toEqual([expect.stringMatching(/Nothing to report$/), expect.stringMatching(/checking anything$/)])
  await expect.element(toast.getByText('Look at the garden')).not.toBeInTheDocument()
  // A user who is looking at the chat gets no toast.
  await host.elsewhere['schedule.update']({
    id,
    seen: (await host.elsewhere['schedule.get']({ id })).seen,
    deliver: 'content',
  })
  await host.seed.clock('2026-11-22T12:10:00Z')
  await host.elsewhere['schedule.run']({ id, seen: (await host.elsewhere['schedule.get']({ id })).seen })
  const asked = await host.nextAsked()
  const { last } = await host.elsewhere['schedule.get']({ id })
  await group('Look at the garden')
    .getByRole('button', { name: /^22 Nov 2026, 13:10/ })
    .click()
  await expect.poll(() => location.hash).toContain(last!.sessionId)
  await asked.say('A second heron.')
  await expect.poll(async () => (await host.elsewhere['schedule.get']({ id })).last?.state).toBe('done')
  await expect.element(page.getByLabelText('Conversation').getByText('A second heron.')).toBeVisible()
  expect(toast.element().textContent).toBe('')

  await button('Show the schedule “Look at the garden”').click()
  await expect
    .element(page.getByRole('main').getByRole('listitem', { name: 'Look at the garden', exact: true }))
    .toMatchTextContent('History')
})
