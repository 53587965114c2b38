import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button, showWindow } from '../test/show-window.tsx'

test('a hundred changes at once are read once, and what changes later is shown', async () => {
  const host = await showWindow()
  await button('Projects').click()
  await expect.element(page.getByRole('heading', { name: 'Projects', level: 1 })).toBeVisible()
  const reads = () => host.asked.filter(({ name }) => name === 'project.list').length
  const before = reads()
  for (let each = 0; each < 100; each++) host.publish({ type: 'changed', areas: ['project'] })
  await expect.poll(reads).toBeGreaterThan(before)
  await host.elsewhere['project.create']({ name: 'Garden' })
  await expect.element(page.getByText('Garden', { exact: true }).first()).toBeVisible()
  expect(reads() - before).toBeLessThanOrEqual(4)
})
