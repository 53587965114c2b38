import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, expectAccessibleAt } from '../../test/accessible.ts'
import { aSkill } from '../../test/skills.ts'
import { button, showWindow } from '../../test/show-window.tsx'

const SUNDAY = '2026-11-22T12:00:00Z'
const EIGHT = '2026-11-23T07:00:00Z'

/** The page of schedules over a real host, whose clock stands still on a Sunday. */
async function showSchedules() {
  const host = await showWindow(({ seed }) => {
    void seed.clock(SUNDAY)
    void seed.skill(aSkill({ name: 'tidy-csv', description: 'Sort tables.' }))
  })
  await button('Schedules').click()
  await expect.element(page.getByRole('heading', { name: 'Schedules' })).toBeVisible()
  return host
}

const dialog = () => page.getByRole('dialog')
const card = (name: string) => page.getByRole('listitem', { name, exact: true })

/** Adds a schedule in words. */
async function add(words: string) {
  await button('Add a schedule').click()
  await dialog().getByLabelText('When, and what').fill(words)
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
}

test('a schedule is made in words, runs at its time, and its chat opens; what it changed is undone', async () => {
  const host = await showSchedules()
  await expect.element(page.getByText('No schedules yet')).toBeVisible()
  await expectAccessible()
  await button('Add your first schedule').click()
  const words = dialog().getByLabelText('When, and what')
  const understood = dialog().getByLabelText('What was understood')
  await words.fill('every weekday summarise my notes')
  await expect.element(understood).toMatchTextContent('At what time? The text names none.')
  await expect.element(dialog().getByRole('button', { name: 'Add', exact: true })).toBeDisabled()
  await words.fill('every weekday at 8 summarise my notes')
  await expect.element(understood).toMatchTextContent('every weekday at 08:00 (Europe/Berlin)')
  await expect.element(understood).toMatchTextContent('23 November 2026 at 08:00')
  await expect.element(dialog().getByLabelText('Task')).toHaveValue('summarise my notes')
  await expectAccessible()
  // A trial run with somebody to ask grants the one file.
  await dialog()
    .getByRole('switch', { name: /^Trial run now/ })
    .click()
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(card('Summarise my notes')).toMatchTextContent('every weekday at 08:00')

  const { schedules } = await host.elsewhere['schedule.list']({})
  const { id } = schedules[0]!
  const write = async (content: string) => {
    const asked = await host.nextAsked()
    await asked.call('write_file', { path: 'sum.md', content })
    await asked.end()
  }
  await write('one')
  await expect
    .poll(async () => {
      const { last } = await host.elsewhere['schedule.get']({ id })
      return last?.sessionId ? (await host.elsewhere['session.get']({ id: last.sessionId })).waiting : false
    })
    .toBe(true)
  await button(/^Open the chat: /).click()
  await expect.element(page.getByText(/^This is a trial run. From now on the schedule may do/)).toBeVisible()
  await expect.element(button(/^Allow once/)).not.toBeInTheDocument()
  await button('Schedules').click()
  await expect.element(card('Summarise my notes')).toMatchTextContent('Waiting for you')
  await card('Summarise my notes').getByRole('button', { expanded: false }).first().click()
  await button(/^Open the chat: /).click()
  await button(/^Always allow in this schedule/).click()
  await (await host.nextAsked()).say('Written.')
  await expect.poll(async () => (await host.elsewhere['schedule.get']({ id })).last?.state).toBe('done')

  await host.seed.clock(EIGHT)
  await write('two')
  await (await host.nextAsked()).say('Two notes are new.')
  await expect
    .poll(async () => (await host.elsewhere['schedule.get']({ id })).last)
    .toMatchObject({ kind: 'planned', state: 'done', denied: [] })
  expect(await host.readFile('workspace', 'sum.md')).toBe('two')
  await button('Schedules').click()
  await card('Summarise my notes').getByRole('button', { expanded: false }).first().click()
  const row = page.getByRole('listitem', { name: /^Monday,? 23 November 2026 at 08:00: Done$/ })
  await expect.element(row).toMatchTextContent('sum.md')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await row.getByRole('button', { name: /^Undo/ }).click()
  await expect.element(row.getByRole('button', { name: /^Undo/ })).not.toBeInTheDocument()
  expect(await host.readFile('workspace', 'sum.md')).toBe('one')
  await row.getByRole('button', { name: /^Open the chat: / }).click()
  await expect.element(page.getByLabelText('Conversation').getByText('Two notes are new.')).toBeVisible()
})

test('a schedule is paused, resumed, copied, edited and deleted, and a deleted one comes back', async () => {
  const host = await showSchedules()
  await add('every day at 9 look at the garden')
  const menu = async (entry: RegExp) => {
    await button('More for Look at the garden').click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await menu(/^Pause/)
  await expect.element(card('Look at the garden')).toMatchTextContent('Paused')
  await menu(/^Resume/)
  await expect.element(card('Look at the garden')).toMatchTextContent(/Next: Monday,? 23 November 2026/)
  await menu(/^Copy/)
  await expect.element(card('Look at the garden (copy)')).toMatchTextContent('Paused')
  await menu(/^Edit/)
  await dialog().getByLabelText('When, and what').fill('every day at 10')
  await expect
    .element(dialog().getByLabelText('What was understood'))
    .toMatchTextContent('every day at 10:00')
  await dialog().getByLabelText('Maximum tokens per run').fill('none')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog().getByText(/“none” is not a valid limit for tokens per run/)).toBeVisible()
  await dialog().getByLabelText('Maximum tokens per run').fill('2000')
  await dialog().getByText('Skills: as the task needs').click()
  await dialog().getByRole('checkbox', { name: 'tidy-csv' }).click()
  await expectAccessible()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect.element(card('Look at the garden')).toMatchTextContent('every day at 10:00')
  await expect.element(card('Look at the garden')).toMatchTextContent('2,000 tokens per run')
  const { schedules } = await host.elsewhere['schedule.list']({})
  expect(schedules.find(each => each.limits.runTokens === 2_000)?.skills).toEqual([
    expect.stringContaining('tidy-csv'),
  ])
  await menu(/^Delete/)
  await expect.element(card('Look at the garden')).not.toBeInTheDocument()
  await button('Undo').click()
  await expect.element(card('Look at the garden')).toBeVisible()
})

test('/schedule in the message field opens the form with what stands behind it', async () => {
  const host = await showWindow(prepared => void prepared.seed.clock(SUNDAY))
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill('/schedule every Monday at 9 plan the week')
  await button('Send').click()
  await expect
    .element(dialog().getByLabelText('What was understood'))
    .toMatchTextContent('every Monday at 09:00')
  await dialog().getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(page.getByText('The schedule was added.')).toBeVisible()
  expect((await host.elsewhere['schedule.list']({})).schedules).toMatchObject([{ task: 'plan the week' }])
  await expect.element(field).toHaveValue('')
})
