import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { button } from '../../test/show-window.tsx'
import { aSkill, aSkillText, manySkills } from '../../test/skills.ts'
import {
  changes,
  danger,
  fill,
  fillMany,
  list,
  names,
  projectFolder,
  row,
  rowSwitch,
  search,
  show,
  showSkills,
  skill,
} from '../../test/skills-page.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `skill-${String(index).padStart(4, '0')}`)
const textOf = (name: string) => row(name).query()?.textContent

test('each skill in the list shows its purpose, origin, results and length', async () => {
  await showSkills()
  await expect
    .poll(() => textOf('clean-csv'))
    .toMatch(/Built in.*Tidies a CSV file.*used 12 times, 75% went well.* \d\d tokens.*Needs attention/)
  await expect.poll(() => textOf('deploy-fast')).toMatch(/Blocked/)
  // What is known late, such as a scan, moves no row.
  const heights = [...document.querySelectorAll<HTMLElement>('.skill-row')].map(each => each.offsetHeight)
  expect([heights.length, new Set(heights).size]).toEqual([5, 1])
  await expect.poll(() => textOf('haiku')).toMatch(/not used yet/)
  await expect.element(rowSwitch('clean-csv')).toHaveAttribute('aria-checked', 'true')
  await expect.element(rowSwitch('haiku')).toHaveAttribute('aria-checked', 'false')
  expect(names()).toEqual(['clean-csv', 'deploy-fast', 'haiku', 'weekly-report', 'plan-beds'])
})

test('skills can be searched, filtered and sorted', async () => {
  await showSkills(fillMany)
  await search().fill('TABLES')
  await expect.poll(names).toEqual(['clean-csv'])
  await userEvent.keyboard('{Escape}')
  await show('Needs attention 2')
  await expect.poll(names).toEqual(['clean-csv', 'deploy-fast'])
  await show('Learned by the agent 1')
  await expect.poll(names).toEqual(['weekly-report'])
  await show('All 8')
  await page.getByRole('combobox', { name: 'Order' }).selectOptions('Largest')
  await expect.poll(() => names()[0]).toBe('deploy-fast')
  await search().fill('nothing like it')
  await expect.element(page.getByText('No skill matches.')).toBeVisible()
  await button('Show all').click()
  await expect.poll(() => names().length).toBe(8)
})

test('a few skills are listed without search and filters', async () => {
  await showSkills()
  await expect.element(row('haiku')).toBeVisible()
  await expect.element(search()).not.toBeInTheDocument()
  await expect.element(page.getByRole('combobox')).not.toBeInTheDocument()
})

test('a slash starts a search, arrow keys move in the list, and Enter opens a skill', async () => {
  await showSkills(fillMany)
  await expect.element(row('haiku')).toBeVisible()
  await userEvent.keyboard('/')
  await expect.element(search()).toHaveFocus()
  await userEvent.keyboard('a/{ArrowDown}')
  await expect.element(search()).toHaveValue('a/')
  await search().fill('')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(row('clean-csv')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(row('haiku')).toHaveFocus()
  await userEvent.keyboard('{End}')
  await expect.element(row('plan-beds')).toHaveFocus()
  await userEvent.keyboard('{Home}{ArrowDown}{ArrowDown}{Enter}')
  await expect.element(skill('haiku')).toBeVisible()
  await expect.element(row('haiku')).toHaveFocus()
  expect(location.hash).toBe('#page=skills&skill=own%2Fwriting%2Fhaiku')
})

test('of 5,000 skills only the visible ones are rendered, and End reaches the last', async () => {
  await showSkills(host => void host.seed.files(manySkills(numbered(5_000))))
  await expect.element(row('skill-0000')).toBeVisible()
  expect(names().length).toBeLessThan(60)
  ;(row('skill-0000').element() as HTMLElement).focus()
  await userEvent.keyboard('{End}')
  await expect.element(row('skill-4999')).toHaveFocus()
  expect(names().length).toBeLessThan(60)
  const item = row('skill-4999').element().closest('li')
  expect([item?.ariaPosInSet, item?.ariaSetSize]).toEqual(['5000', '5000'])
  await search().fill('skill-43')
  await expect.element(page.getByText('100 of 5,000 skills')).toBeVisible()
})

test('the list takes clicks while it scrolls', async () => {
  await showSkills(host => void host.seed.files(manySkills(numbered(500))))
  await expect.element(row('skill-0000')).toBeVisible()
  const rows = row('skill-0000').element().closest('ul')!
  rows.parentElement!.scrollTop = 2_000
  await expect.element(row('skill-0030')).toBeVisible()
  expect(getComputedStyle(rows).pointerEvents).toBe('auto')
})

test('a skill named in the address is scrolled into view', async () => {
  await showSkills(host => void host.seed.files(manySkills(numbered(500))), { skillId: 'own/skill-0400' })
  await expect.element(row('skill-0400')).toBeVisible()
  await expect.element(row('skill-0400')).toHaveAttribute('aria-current', 'true')
})

test('a switch acts at once, except for a blocked skill, which is opened to be read first', async () => {
  const host = await showSkills()
  await rowSwitch('haiku').click()
  await expect.element(rowSwitch('haiku')).toHaveAttribute('aria-checked', 'true')
  await rowSwitch('deploy-fast').click()
  await expect.element(page.getByText(/stays blocked until you read/)).toBeVisible()
  await expect.element(skill('deploy-fast').getByText(danger).first()).toBeVisible()
  expect(changes(host)).toEqual([
    { name: 'skills.setEnabled', input: { ids: ['own/writing/haiku'], enabled: true } },
  ])
})

test('several skills can be switched on and deleted together, with Undo', async () => {
  const host = await showSkills()
  for (const name of ['haiku', 'weekly-report'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected skills' })
  await bar.getByRole('button', { name: 'On', exact: true }).click()
  await expect.element(rowSwitch('haiku')).toHaveAttribute('aria-checked', 'true')
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(names).toEqual(['clean-csv', 'deploy-fast', 'plan-beds'])
  await expect.element(bar).not.toBeInTheDocument()
  await page
    .getByRole('status', { name: 'What just happened' })
    .getByRole('button', { name: 'Undo' })
    .last()
    .click()
  await expect.poll(() => names().length).toBe(5)
  expect((await host.elsewhere['skills.list']({})).skills).toHaveLength(5)
})

test('chosen skills become a bundle with one switch, which is replaced, selected and removed', async () => {
  const host = await showSkills()
  const choose = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected skills' })
  const bundle = page.getByRole('switch', { name: 'The bundle Writing: on' })
  const members = async () =>
    (await host.elsewhere['skills.list']({})).bundles.map(({ name, keys }) => [name, keys.length])
  await choose('haiku')
  await bar.getByRole('button', { name: 'Bundle…' }).click()
  await expect.element(button('Create the bundle')).toBeDisabled()
  await page.getByRole('textbox', { name: 'Name' }).fill('Writing')
  host.failNext('skills.putBundle', new Fault('internal', 'The disk is full.'))
  await button('Create the bundle').click()
  await expect.element(page.getByText('The disk is full.')).toBeVisible()
  await button('Create the bundle').click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await bundle.click()
  await expect.element(bundle).toHaveAttribute('aria-checked', 'true')
  await expect.element(rowSwitch('haiku')).toHaveAttribute('aria-checked', 'true')

  await choose('weekly-report')
  await bar.getByRole('button', { name: 'Bundle…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Writing')
  await button('Replace it').click()
  await expect.poll(members).toEqual([['Writing', 2]])
  await button('Clear the selection').click()
  await button('More for the bundle Writing').click()
  await page.getByRole('menuitem', { name: 'Select its skills' }).click()
  await expect.element(page.getByText('2 selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Off', exact: true }).click()
  await expect.element(rowSwitch('haiku')).toHaveAttribute('aria-checked', 'false')
  await button('More for the bundle Writing').click()
  await page.getByRole('menuitem', { name: /^Remove the bundle/ }).click()
  await expect.element(bundle).not.toBeInTheDocument()
  expect(await members()).toEqual([])
})

test('all listed skills can be selected at once', async () => {
  await showSkills(fillMany)
  await search().fill('use it when')
  await page.getByRole('checkbox', { name: 'Select all listed' }).click()
  await expect.element(page.getByText('2 selected')).toBeVisible()
  await button('Clear the selection').click()
  await expect.element(page.getByText('2 selected')).not.toBeInTheDocument()
})

test('the Delete key deletes a skill and moves the focus on, and it can be restored from “Deleted”', async () => {
  await showSkills()
  await row('haiku').click()
  await userEvent.keyboard('{Delete}')
  await expect.element(row('haiku')).not.toBeInTheDocument()
  await expect.element(row('weekly-report')).toHaveFocus()
  await expect.element(page.getByText('Choose a skill')).toBeVisible()
  await show('Deleted 1')
  await expect.element(list().getByText(/Deleted by you/)).toBeVisible()
  await button('Restore haiku').click()
  await expect.element(page.getByText('Nothing was deleted. Deleted skills appear here.')).toBeVisible()
  await show('All 5')
  await expect.element(row('haiku')).toBeVisible()
})

test('a skill that cannot be deleted stays, with the reason', async () => {
  await showSkills()
  await row('clean-csv').click()
  await userEvent.keyboard('{Delete}')
  await expect
    .element(page.getByText('clean-csv ships with Talaria and cannot be deleted. Switch it off instead.'))
    .toBeVisible()
  await expect.element(row('clean-csv')).toBeVisible()
})

test('trusting a folder asks for confirmation, and ending the trust does not', async () => {
  const host = await showSkills()
  const shop = projectFolder(host, 'shop')
  await button(`Trust this folder… ${shop}`).click()
  const dialog = page.getByRole('dialog', { name: 'Trust this folder?' })
  await expect.element(dialog.getByText(shop)).toBeVisible()
  await dialog.getByRole('button', { name: 'Trust this folder' }).click()
  await button(`Stop trusting ${shop}`).click()
  await expect.element(button(`Trust this folder… ${shop}`)).toBeVisible()
  expect(changes(host).map(each => each.input)).toEqual([
    { folder: shop, trusted: true },
    { folder: shop, trusted: false },
  ])
})

test('a link of the person asks once for where it leads, and the answer can be taken back', async () => {
  const host = await showSkills(prepared => {
    fill(prepared)
    void prepared.seed.skillLink({ name: 'tide', text: aSkillText({ name: 'tide' }) })
  })
  const ask = button(/^Use the linked skills… .*skills\/tide$/)
  await ask.click()
  const dialog = page.getByRole('dialog', { name: 'Use the linked skills?' })
  await expect.element(dialog.getByText(/dotfiles\/tide$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(names()).not.toContain('tide')
  await ask.click()
  await dialog.getByRole('button', { name: 'Use the linked skills' }).click()
  await expect.poll(names).toContain('tide')
  await expect.element(ask).not.toBeInTheDocument()
  await button(/^Stop using .*dotfiles\/tide$/).click()
  await expect.poll(names).not.toContain('tide')
  await expect.element(ask).toBeVisible()
  expect(changes(host).map(({ name, input }) => [name, (input as { allowed: boolean }).allowed])).toEqual([
    ['skills.allowLink', true],
    ['skills.allowLink', false],
  ])
})

test('an unreadable file is named, with the reason', async () => {
  await showSkills()
  await expect.element(list().getByText(/odd\/SKILL\.md/)).toBeInTheDocument()
  await expect.element(list().getByText(/cannot be read: it is no text/)).toBeInTheDocument()
})

test('the switches for all chats are at the top of the page', async () => {
  const host = await showSkills()
  await page.getByRole('switch', { name: 'Use skills in chats' }).click()
  await page.getByRole('switch', { name: 'Let the agent write skills' }).click()
  await expect
    .element(page.getByRole('switch', { name: 'Use skills in chats' }))
    .toHaveAttribute('aria-checked', 'false')
  expect(changes(host).map(each => each.input)).toEqual([{ useInChats: false }, { learnFromChats: false }])
})

test('each change reads the list, and no more than twice: switch, delete, undo, setting, change from elsewhere', async () => {
  const host = await showSkills(({ seed }) => {
    void seed.skill(aSkill({ name: 'haiku', description: 'Writes a haiku. Use it for a poem.' }))
    void seed.skill(aSkill({ name: 'plan-beds', description: 'Lays out a garden. Use it in spring.' }))
  })
  const reads = async () => {
    await host.answered()
    return host.asked.filter(({ name }) => name === 'skills.list').length
  }
  // The first click gives the window the focus, with which it reads the list.
  await page.getByRole('heading', { name: 'Skills', level: 1 }).click()
  await expect.element(rowSwitch('haiku')).toHaveAttribute('aria-checked', 'true')
  let known = await reads()
  // What is stored in two steps is told twice.
  const readAgain = async () => {
    const before = known
    known = await reads()
    expect(known - before).toBeOneOf([1, 2])
  }
  await rowSwitch('haiku').click()
  await expect.element(rowSwitch('haiku')).toHaveAttribute('aria-checked', 'false')
  await readAgain()
  await rowSwitch('haiku').click()
  await expect.element(rowSwitch('haiku')).toHaveAttribute('aria-checked', 'true')
  await readAgain()
  await row('haiku').click()
  await userEvent.keyboard('{Delete}')
  await expect.poll(names).toEqual(['plan-beds'])
  await readAgain()
  await page.getByRole('status', { name: 'What just happened' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(names).toEqual(['haiku', 'plan-beds'])
  await readAgain()
  const inChats = page.getByRole('switch', { name: 'Use skills in chats' })
  await inChats.click()
  await expect.element(inChats).toHaveAttribute('aria-checked', 'false')
  await readAgain()
  await host.elsewhere['skills.remove']({ ids: ['own/haiku'] })
  await expect.poll(names).toEqual(['plan-beds'])
  await readAgain()
})

test('a change from elsewhere appears without replacing the open skill', async () => {
  const host = await showSkills(fill, { skillId: 'own/writing/haiku' })
  await expect.element(skill('haiku')).toBeVisible()
  const element = skill('haiku').element()
  await host.elsewhere['skills.create']({ name: 'aaa-first', text: aSkillText({ name: 'aaa-first' }) })
  await expect.element(row('aaa-first')).toBeVisible()
  expect(skill('haiku').element()).toBe(element)
})

test('an empty library explains itself, and a failed read can be tried again', async () => {
  const host = await showSkills(() => {})
  await expect.element(page.getByText(/There are no skills yet/)).toBeVisible()
  const heal = host.failEach('skills.list', new Fault('internal', 'The folder is locked.'))
  host.publish({ type: 'changed', areas: ['skills'] })
  await expect.element(page.getByText('The skills could not be read: The folder is locked.')).toBeVisible()
  heal()
  await button('Try again').click()
  await expect.element(page.getByText(/The folder is locked/)).not.toBeInTheDocument()
})

test('in a narrow window list and skill alternate, and going back focuses the row', async () => {
  await page.viewport(420, 800)
  await showSkills()
  await row('haiku').click()
  await expect.element(page.getByRole('heading', { name: 'writing/haiku' })).toHaveFocus()
  await expect.element(list()).not.toBeInTheDocument()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(420)
  await button('All skills').click()
  await expect.element(row('haiku')).toHaveFocus()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(420)
})
