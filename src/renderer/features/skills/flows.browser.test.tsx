import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { readRoute } from '../../route.ts'
import { button } from '../../test/show-window.tsx'
import { fill, row, showSkills, skill, tab } from '../../test/skills-page.ts'

const editor = () => page.getByRole('textbox', { name: /SKILL\.md/ })

test('a new skill can be written and saved, and is then listed', async () => {
  const host = await showSkills()
  await button('New skill').click()
  expect(location.hash).toBe('#page=skills&tab=new')
  await page.getByRole('textbox', { name: 'Name' }).fill('limerick')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect.element(row('limerick')).toBeVisible()
  await expect.element(skill('limerick')).toBeVisible()
  expect(readRoute(location.hash)).toMatchObject({ skillId: 'own/limerick', tab: 'edit' })
  expect(await host.readFile('home', 'skills/limerick/SKILL.md')).toMatch(/^---\nname: limerick\n/)
})

test('closing a new skill returns to the list', async () => {
  await showSkills(fill, { tab: 'new' })
  await button('Close').click()
  await expect.element(page.getByText('Choose a skill')).toBeVisible()
  expect(location.hash).toBe('#page=skills')
})

test('the first saved change of an original continues in its edited copy', async () => {
  const host = await showSkills(fill, { skillId: 'bundled/clean-csv', tab: 'edit' })
  await expect.element(editor()).toHaveAttribute('aria-multiline', 'true')
  await editor().click()
  await userEvent.keyboard('{Control>}{End}{/Control}More.{Control>}s{/Control}')
  await expect.poll(() => readRoute(location.hash)).toMatchObject({ skillId: 'own/clean-csv', tab: 'edit' })
  await expect.element(page.getByText(/This is an edited copy\. The original/)).toBeVisible()
  await expect.poll(() => editor().query()?.textContent).toMatch(/More\.$/)
  expect(await host.readFile('home', 'skills/clean-csv/SKILL.md')).toMatch(/More\.$/)
  expect(row('clean-csv').all()).toHaveLength(1)
})

test('unsaved text is kept while another tab of the skill is open', async () => {
  await showSkills(fill, { skillId: 'own/writing/haiku', tab: 'edit' })
  await expect.element(editor()).toHaveAttribute('aria-multiline', 'true')
  await editor().click()
  await userEvent.keyboard('{Control>}{End}{/Control}Half a')
  await tab('History').click()
  await expect.element(page.getByText('Written by you')).toBeVisible()
  await tab('Edit').click()
  await expect.poll(() => editor().query()?.textContent).toMatch(/Half a$/)
})

test('the header opens the import dialog', async () => {
  await showSkills()
  await button('Import…').click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('the Test tab offers to ask a model', async () => {
  await showSkills(fill, { skillId: 'own/writing/haiku', tab: 'test' })
  await expect.element(skill('haiku').getByRole('heading', { name: 'Would it trigger?' })).toBeVisible()
})
