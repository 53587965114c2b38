import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button, composer, showWindow } from '../../../test/show-window.tsx'

test('a narrow message field has one row of controls, and shows the others after a click', async () => {
  await showWindow()
  await expect.element(button(/^Working folder/)).toBeVisible()
  await page.viewport(420, 800)
  await expect.element(composer()).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Working folder/ })).not.toBeInTheDocument()
  const rows = () =>
    new Set(
      [...document.querySelectorAll('.composer-controls > button')].map(
        each => each.getBoundingClientRect().top,
      ),
    ).size
  expect(rows()).toBe(1)
  await button('More controls').click()
  await expect.element(button(/^Working folder/)).toBeVisible()
  await button('Fewer controls').click()
  await expect.element(page.getByRole('button', { name: /^Working folder/ })).not.toBeInTheDocument()
})
