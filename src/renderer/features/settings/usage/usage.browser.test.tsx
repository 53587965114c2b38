import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import { press, showSettings } from '../../../test/settings.tsx'
import { startOfDay } from './measures.ts'
import { used } from '../../../test/usage.ts'

const usage = { section: 'usage' }
const table = (name: string) => page.getByRole('table', { name })
test('totals show tokens read, the share from the cache, tokens written, time and cost', async () => {
  await showSettings(used(), usage)
  await expect.element(page.getByText('12,000', { exact: true }).first()).toBeVisible()
  await expect.element(page.getByText('75% of them from the cache')).toBeVisible()
  await expect.element(page.getByText('1,200', { exact: true }).first()).toBeVisible()
  await expect.element(page.getByText('24 s', { exact: true }).first()).toBeVisible()
  await expect.element(page.getByText('$0.042', { exact: true }).first()).toBeVisible()
})

test('without known prices there is no cost and no cost column', async () => {
  await showSettings(used(null), usage)
  await expect.element(page.getByText('No prices known')).toBeVisible()
  await expect.element(table('By model')).toBeVisible()
  expect(table('By model').element().textContent).not.toContain('Cost')
  await expect.element(page.getByRole('radio', { name: 'Cost' })).not.toBeInTheDocument()
})

test('the chart has one bar per day, names its peak, and can be shown as a table', async () => {
  await showSettings(used(), usage)
  const chart = page.getByRole('img', { name: /^Tokens from / })
  await expect.element(chart).toHaveAccessibleName(/Peak: 8,800 tokens\.$/)
  expect(chart.element().querySelectorAll('g')).toHaveLength(30)
  const heights = [...chart.element().querySelectorAll('.slice-cached')].map(each =>
    Math.round(Number(each.getAttribute('height'))),
  )
  expect(heights).toEqual([68, 34])
  // Each part stands on those below it, and the tallest bar reaches the top.
  const tallest = [...chart.element().querySelectorAll('g')].find(bar => bar.querySelector('.slice-written'))
  const tops = [...tallest!.querySelectorAll('rect')].slice(1).map(each => Number(each.getAttribute('y')))
  expect(tops.map(Math.round)).toEqual([32, 9, 0])
  await page.getByText('Show as a table').click()
  await expect.poll(() => table('Tokens').element().querySelectorAll('tbody tr').length).toBe(2)
  await page.getByText('Time', { exact: true }).nth(1).click()
  await expect.element(page.getByRole('img', { name: /^Time from .*Peak: 16 s\.$/ })).toBeVisible()
})

test('a range starts at its first local day, and “All” has no start', async () => {
  const host = await showSettings(used(), usage)
  await page.getByText('7 days').click()
  const from = startOfDay(new Date(), 6).getTime()
  const ranges = () => host.asked.filter(({ name }) => name === 'usage.read').map(({ input }) => input)
  await expect.poll(() => ranges().at(-1)).toEqual({ from })
  await expect.poll(() => page.getByRole('img').element().querySelectorAll('g').length).toBe(7)
  await page.getByText('All', { exact: true }).click()
  await expect.poll(() => ranges().at(-1)).toEqual({})
  await expect.poll(() => page.getByRole('img').element().querySelectorAll('g').length).toBe(21)
})

test('models, chats and purposes have totals, and a chat can be opened', async () => {
  await showSettings(used(), usage)
  await expect.element(table('By model').getByRole('row', { name: /^Big model 4 / })).toBeVisible()
  await expect.element(table('By purpose').getByRole('row', { name: /^Learning 2 / })).toBeVisible()
  await expect.element(table('By chat').getByText('Untitled or deleted')).toBeVisible()
  await press('The weekly report').click()
  expect(location.hash).toContain('chat=c1')
})

test('a finished answer is added without a reload', async () => {
  const host = await showSettings(({ seed }) => void seed.chat({ id: 'c1', title: 'One' }), usage)
  await expect.element(page.getByText('No model has answered in this period.')).toBeVisible()
  await host.elsewhere['chat.send']({ sessionId: 'c1', text: 'Hello' })
  const asked = await host.nextAsked()
  await asked.write('Hi.')
  await asked.end({ usage: { prompt_tokens: 12_000, completion_tokens: 2, total_tokens: 12_002 } })
  await expect.element(page.getByText('12,000', { exact: true }).first()).toBeVisible()
})

test('if the figures cannot be read, the page says why and can try again', async () => {
  let heal = () => {}
  await showSettings(host => {
    used()(host)
    heal = host.failEach('usage.read', new Fault('internal', 'No disk.'))
  }, usage)
  await expect.element(page.getByText('The figures could not be read: No disk.')).toBeVisible()
  heal()
  await press('Try again').click()
  await expect.element(table('By model')).toBeVisible()
})
