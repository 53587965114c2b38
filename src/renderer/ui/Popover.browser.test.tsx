import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../app.css'
import { Menu } from './Menu.tsx'

const more = page.getByRole('button', { name: 'More' })
const menu = page.getByRole('menu')

test('a menu can be reopened right after a choice, and its button closes it', async () => {
  const chosen: string[] = []
  await render(
    <Menu
      label="More"
      entries={[{ id: 'a', label: 'Rename', onSelect: () => chosen.push('Rename') }]}
      renderButton={props => (
        <button type="button" {...props}>
          More
        </button>
      )}
    />,
  )
  for (let round = 1; round <= 3; round++) {
    await more.click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    expect(chosen).toHaveLength(round)
  }
  await more.click()
  await expect.element(menu).toBeVisible()
  await more.click()
  await expect.element(menu).not.toBeInTheDocument()
  await more.click()
  await expect.element(menu).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('{Enter}')
  await expect.element(menu).toBeVisible()
})
