import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { button } from '../../test/show-window.tsx'
import type { TestHost } from '../../test/test-host.ts'
import { changes, fill, headline, showActivity, tab } from '../../test/activity.ts'

const day = 86_400_000
const settings = async (host: TestHost) => (await host.elsewhere['learning.activity']({})).settings
const field = (name: string) => page.getByRole('textbox', { name })

async function showControls(prepare = fill) {
  const host = await showActivity(prepare)
  await tab(/^How it learns/).click()
  await expect.element(page.getByRole('radio', { name: 'Ask me first' })).toBeChecked()
  return host
}

test('the learning mode can be chosen, and each mode is explained', async () => {
  const host = await showControls()
  await page.getByRole('radio', { name: 'Save and tell me' }).click()
  await expect.poll(async () => (await settings(host)).mode).toBe('save')
  const off = page.getByRole('radio', { name: 'Off', exact: true })
  await expect.element(off).toHaveAccessibleDescription(/No review starts unless you ask/)
  await off.click()
  await expect.poll(async () => (await settings(host)).mode).toBe('off')
  await expect.element(off).toBeChecked()
})

test('a setting that the host refuses reverts to its old value', async () => {
  const host = await showControls()
  host.failNext('learning.settings', new Fault('internal', 'The settings cannot be written.'))
  await page.getByRole('radio', { name: 'Off', exact: true }).click()
  await expect.element(page.getByText('The settings cannot be written.')).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'Ask me first' })).toBeChecked()
})

test('a valid number is saved by Enter or on leaving the field, and Esc restores the old one', async () => {
  const host = await showControls()
  await field('Turns without a note').fill('0')
  await userEvent.keyboard('{Enter}')
  await expect.poll(async () => (await settings(host)).memoryNudge).toBe(0)
  await field('Steps without a skill').fill('ten')
  await expect.element(page.getByText('A whole number from 0 to 1,000.')).toBeVisible()
  await userEvent.keyboard('{Enter}{Escape}')
  await expect.element(field('Steps without a skill')).toHaveValue('10')
  await field('Seconds of quiet').fill('60')
  await field('Tokens for one review').fill('400')
  await expect.poll(async () => (await settings(host)).idleSeconds).toBe(60)
  await expect.element(page.getByText('A whole number from 500 to 1,000,000.')).toBeVisible()
  expect(await settings(host)).toMatchObject({ skillNudge: 10, budgetTokens: 20_000 })
})

test('mains power and training data are switches, each with an explanation', async () => {
  const host = await showControls()
  await page.getByRole('switch', { name: 'Only on mains power' }).click()
  await expect.element(page.getByText('Reviews also run on battery.')).toBeVisible()
  const keep = page.getByRole('switch', { name: 'Keep chats as training data' })
  await expect.element(keep).not.toBeChecked()
  await keep.click()
  await expect.element(page.getByText(/The files stay on this computer/)).toBeVisible()
  expect(await settings(host)).toMatchObject({ onlyOnMains: false, trajectories: true })
})

test('rules can be added and removed, and show how often they blocked something', async () => {
  const host = await showControls(host => {
    fill(host)
    void host.seed.rule({ text: 'Nothing about my health', hits: 3 })
  })
  const rules = page.getByRole('list', { name: 'What not to learn' })
  await expect.element(rules.getByText('has blocked 3 things')).toBeVisible()
  host.failNext('learning.addRule', new Fault('bad_input', 'It is too short.'))
  await field('Add a rule').fill('No names')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('It is too short.')).toBeVisible()
  await expect.element(field('Add a rule')).toHaveValue('No names')
  await userEvent.keyboard('{Enter}')
  await expect.element(rules.getByText('No names')).toBeVisible()
  await expect.element(field('Add a rule')).toHaveValue('')
  await button('Remove the rule: Nothing about my health').click()
  await expect.element(rules.getByText('Nothing about my health')).not.toBeInTheDocument()
  const { rules: kept } = await host.elsewhere['learning.rules']({})
  expect(kept.map(({ text }) => text)).toEqual(['No names'])
})

test('a review can be started for the last open chat or for all waiting chats', async () => {
  const host = await showActivity(host => {
    fill(host)
    return 'c2'
  })
  await button('Review “The weekly report” now').click()
  await expect.element(page.getByText('One review starts as soon as possible.')).toBeVisible()
  await tab(/^How it learns/).click()
  await button('Review now').click()
  expect(changes(host)).toEqual([
    { name: 'learning.review', input: { sessionId: 'c2' } },
    { name: 'learning.review', input: {} },
  ])
})

test('the timeline counts items by week, and a week links to its cards', async () => {
  const at = Date.now() - 100 * day
  const host = await showActivity(host => {
    for (let index = 0; index < 130; index++)
      void host.seed.proposal({
        headline: `Thing ${index}`,
        state: 'kept',
        at,
        decidedAt: Date.now() - 30 * day - index,
      })
    void host.seed.proposal({ headline: 'Likes tea.', state: 'rejected', at, decidedAt: at })
    void host.seed.review({ endedAt: at - 1 })
  })
  await page.getByRole('group', { name: 'Filter' }).getByText('Memory', { exact: true }).click()
  await tab(/^Timeline/).click()
  const weeks = page.getByRole('list', { name: 'Weeks' }).getByRole('button')
  await expect.element(weeks.first()).toMatchTextContent(/130 kept/)
  await weeks.last().click()
  await expect.element(headline('Likes tea.')).toHaveFocus()
  await expect.element(headline('Likes tea.')).toBeInViewport()
  const asked = host.asked.filter(({ name }) => name === 'learning.activity').map(({ input }) => input)
  expect(asked.at(-1)).toMatchObject({ filter: 'all' })
})

test('an empty timeline says so', async () => {
  await showActivity(() => {})
  await tab(/^Timeline/).click()
  await expect.element(page.getByText(/Weeks appear here once something is/)).toBeVisible()
})
