import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { button } from '../../../test/show-window.tsx'
import { aSkillText } from '../../../test/skills.ts'
import {
  answerAsGit,
  asked,
  box,
  cautionLine,
  cautionSteps,
  danger,
  dangerousLine,
  details,
  importBrew,
  newer,
  shared,
  sharedFolder,
  showImport,
  somewhere,
  withScript,
} from '../../../test/skill-import.tsx'

const heading = (name: string | RegExp) => page.getByRole('heading', { name })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })

test('skills from a path are fetched, reviewed and installed, and the import can be undone', async () => {
  const { host, closed } = await showImport({ ...shared('tea'), ...withScript })
  const folder = sharedFolder(host)
  await expect.element(field('Folder, zip or SKILL.md')).toHaveFocus()
  await field('Folder, zip or SKILL.md').fill(` ${folder} `)
  await userEvent.keyboard('{Enter}')
  await expect.element(heading('2 skills found')).toHaveFocus()
  expect(asked(host, 'skills.fetch')).toEqual([{ from: { kind: 'path', path: folder } }])
  await expect.element(page.getByText(folder)).toBeVisible()
  await button('Install 2 skills').click()
  await expect.element(heading('2 skills installed')).toHaveFocus()
  await expect.element(page.getByText('1 on, 1 off')).toBeVisible()
  expect(asked(host, 'skills.install')).toMatchObject([{ choices: [{ path: 'backup' }, { path: 'tea' }] }])
  expect(await host.readFile('home', 'imported-skills/tea/SKILL.md')).toBe(aSkillText({ name: 'tea' }))
  await button('Undo the import').click()
  await expect.element(heading('The import was undone.')).toBeVisible()
  expect(await host.readFile('home', 'imported-skills/tea/SKILL.md')).toBeNull()
  expect(closed()).toBe(0)
})

test('a link to an installed skill closes the dialog and opens it', async () => {
  const { closed } = await showImport(shared('tea'), somewhere)
  await button('Install 1 skill').click()
  await button('Open “tea”').click()
  expect(closed()).toBe(1)
  expect(location.hash).toContain('skill=imported%2Ftea')
})

test('a git address can have a branch, and the result names the commit', async () => {
  const { host } = await showImport(shared('tea'))
  answerAsGit(host)
  await page.getByText('Git address', { exact: true }).click()
  await field('Address of the repository').fill('example.org/ada/skills')
  await field('Branch, tag or commit').fill('v2')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/example\.org\/ada\/skills at commit 0123456789ab$/)).toBeVisible()
  expect(asked(host, 'skills.fetch').map(each => each['from'])).toEqual([
    { kind: 'git', address: 'example.org/ada/skills', ref: 'v2' },
  ])
})

test('text can be pasted, and “Choose another” discards it', async () => {
  const { host } = await showImport()
  await page.getByText('Pasted text', { exact: true }).click()
  const pasted = aSkillText({ name: 'tea' })
  await field('Text of a SKILL.md').fill(pasted)
  await button('Scan it').click()
  await expect.element(heading('1 skill found')).toBeVisible()
  expect(asked(host, 'skills.fetch').map(each => each['from'])).toEqual([{ kind: 'text', text: pasted }])
  await button('Choose another').click()
  await expect.poll(() => asked(host, 'skills.discard')).toHaveLength(1)
  expect(asked(host, 'skills.discard')[0]?.['importId']).toMatch(/^import_/)
})

test('a failed fetch is reported at the field, which keeps its text', async () => {
  const { host } = await showImport({ 'shared/notes.txt': 'Nothing.' })
  const path = field('Folder, zip or SKILL.md')
  await path.fill(sharedFolder(host))
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert').getByText(/It contains no skill/)).toBeVisible()
  await expect.element(path).toHaveValue(sharedFolder(host))
})

test('a fetch can be cancelled, and a late result is discarded', async () => {
  const { host } = await showImport(shared('tea'))
  const folder = sharedFolder(host)
  const late = Promise.withResolvers<void>()
  let signal: AbortSignal | undefined
  const { client } = host.link
  const fetch = client['skills.fetch']
  // Its answer is under way already when it is cancelled.
  client['skills.fetch'] = async (input, options) => {
    signal = options?.signal
    const found = await fetch(input)
    await late.promise
    return found
  }
  await field('Folder, zip or SKILL.md').fill(folder)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(`Fetching ${folder}`)).toBeVisible()
  await button('Cancel').click()
  expect(signal?.aborted).toBe(true)
  await expect.element(field('Folder, zip or SKILL.md')).toHaveValue(folder)
  late.resolve()
  await expect.poll(() => asked(host, 'skills.discard')).toHaveLength(1)
})

test('the details show the findings, why a skill stays off, and its files', async () => {
  const { host } = await showImport(withScript, somewhere)
  await expect.element(page.getByText(danger)).toBeVisible()
  await expect
    .element(page.getByText('It stays off at first, because it has scripts and the scan found something.'))
    .toBeVisible()
  await button(/^SKILL\.md/).click()
  await expect.element(page.getByText(/^---\sname: backup/)).toBeVisible()
  await button(/^scripts\/run\.sh/).click()
  await expect
    .element(page.getByText(new RegExp(`# keeps a copy\\s${dangerousLine.replace('|', String.raw`\|`)}`)))
    .toBeVisible()
  await page.getByRole('switch', { name: 'Switch it on right away' }).click()
  await expect.element(page.getByText('You switch it on despite the findings above.')).toBeVisible()
  await button('Install 1 skill').click()
  await expect.element(heading('1 skill installed')).toBeVisible()
  expect(asked(host, 'skills.install')[0]?.['choices']).toMatchObject([{ path: 'backup', on: true }])
  const { skills } = await host.elsewhere['skills.list']({})
  expect(skills.find(skill => skill.name === 'backup')).toMatchObject({ enabled: true, blocked: null })
})

test('a skill with a caution is installed only after its lines are confirmed as read', async () => {
  const caution = { 'shared/cows/SKILL.md': aSkillText({ name: 'cows' }, cautionSteps) }
  const { host } = await showImport({ ...caution, ...shared('tea') }, somewhere)
  const lines = page.getByRole('region', { name: '1 skill with lines to read first' })
  await expect.element(lines.getByText(cautionLine)).toBeVisible()
  await expect.element(button('Install 2 skills')).toBeDisabled()
  await box('cows').click()
  await expect.element(lines).not.toBeInTheDocument()
  await expect.element(button('Install 1 skill')).toBeEnabled()
  await box('cows').click()
  await lines.getByRole('checkbox', { name: 'I have read these lines' }).click()
  await button('Install 2 skills').click()
  await expect.element(heading('2 skills installed')).toBeVisible()
  expect(asked(host, 'skills.install')[0]?.['choices']).toMatchObject([
    { path: 'cows', accept: true },
    { path: 'tea' },
  ])
  // It is off at first, and asks no second time.
  const isOn = async () =>
    (await host.elsewhere['skills.list']({})).skills.find(skill => skill.name === 'cows')?.enabled
  expect(await isOn()).toBe(false)
  await host.elsewhere['skills.setEnabled']({ ids: ['imported/cows'], enabled: true })
  expect(await isOn()).toBe(true)
})

test('a skill whose name is taken can be imported under another name, if that is valid and free', async () => {
  const { host } = await showImport({ ...newer, ...shared('tea') }, somewhere, importBrew)
  await details('brew').click()
  const marks = () => [...document.querySelectorAll('.word-diff ins')].map(each => each.textContent)
  await expect.poll(marks).toEqual(['twice'])
  await page.getByRole('radio', { name: 'Keep both, under another name' }).click()
  await expect.element(field('Name')).toHaveValue('brew-2')
  expect(marks()).toEqual([])
  await field('Name').fill('tea')
  await expect.element(page.getByText('Another skill has this name.')).toBeVisible()
  await expect.element(button('Install 2 skills')).toBeDisabled()
  await field('Name').fill('Brew It')
  await expect.element(page.getByText(/Use lowercase letters/)).toBeVisible()
  await field('Name').fill('brew-well')
  await button('Install 2 skills').click()
  await expect.element(heading('2 skills installed')).toBeVisible()
  expect(asked(host, 'skills.install')[0]?.['choices']).toMatchObject([
    { path: 'brew', as: 'brew-well' },
    { path: 'tea' },
  ])
})

test('a skill of the user’s own is kept unless they choose otherwise', async () => {
  const { host } = await showImport(shared('haiku'), somewhere)
  await expect.element(page.getByRole('radio', { name: 'Keep both, under another name' })).toBeChecked()
  await page.getByRole('radio', { name: 'Do not import it' }).click()
  await expect.element(box('haiku')).not.toBeChecked()
  await expect.element(button('Install')).toBeDisabled()
  await box('haiku').click()
  await button('Install 1 skill').click()
  await expect
    .poll(() => asked(host, 'skills.install')[0]?.['choices'])
    .toMatchObject([{ path: 'haiku', as: 'haiku-2' }])
})

test('a skill that cannot be installed says why, and cannot be selected', async () => {
  await showImport({ 'shared/broken/SKILL.md': '', ...shared('tea') }, somewhere)
  await expect.element(box('broken')).toBeDisabled()
  await details('broken').click()
  await expect.element(page.getByText('Its SKILL.md is empty.')).toBeVisible()
  await button('Select all').click()
  await expect.element(button('Install 1 skill')).toBeEnabled()
})

test('a refused installation can be repeated with the same choices', async () => {
  const { host } = await showImport(shared('tea'), somewhere)
  await expect.element(heading('1 skill found')).toBeVisible()
  // Meanwhile the name is taken elsewhere, and free again after that.
  const { id } = await host.elsewhere['skills.create']({ name: 'tea', text: aSkillText({ name: 'tea' }) })
  await button('Install 1 skill').click()
  await expect
    .element(
      page.getByRole('alert').getByText(/“tea” is a skill of your own\. Import this one under another name/),
    )
    .toBeVisible()
  await host.elsewhere['skills.remove']({ ids: [id] })
  await button('Install 1 skill').click()
  await expect.element(heading('1 skill installed')).toBeVisible()
})

test('files left out are named', async () => {
  await showImport({ ...shared('tea'), 'shared/tea/references/notes.': 'x' }, somewhere)
  await page.getByText('Left out: 1').click()
  await expect
    .element(page.getByText(/references\/notes\.”: its name begins with a space, or ends/))
    .toBeVisible()
})

test('a collection of 150 skills can be filtered and selected from', async () => {
  const names = Array.from({ length: 150 }, (_, at) => `skill-${at}`)
  const scripts = names.filter((_, at) => at % 50 === 7).map(name => `shared/${name}/scripts/run.sh`)
  const files = Object.fromEntries(scripts.map(path => [path, dangerousLine]))
  const { host } = await showImport({ ...shared(...names), ...files }, somewhere)
  await expect.element(heading('150 skills found')).toBeVisible()
  await expect.poll(() => page.getByRole('listitem').elements().length).toBeGreaterThan(3)
  expect(page.getByRole('listitem').elements().length).toBeLessThan(40)
  await button('Select none').click()
  await expect.element(button('Install')).toBeDisabled()
  await button('With findings (3)').click()
  await expect.poll(() => page.getByRole('listitem').elements().length).toBe(3)
  await button('With findings (3)').click()
  await field('Find by name or description').fill('skill-14')
  await expect.element(page.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '11')
  await button('Select all').click()
  await button('Install 11 skills').click()
  await expect.element(heading('11 skills installed')).toBeVisible()
  expect(asked(host, 'skills.install')[0]?.['choices']).toHaveLength(11)
})

test('in a list of 150 skills the keyboard’s focus stays in its row, however far it is scrolled', async () => {
  await showImport(shared(...Array.from({ length: 150 }, (_, at) => `skill-${at}`)), somewhere)
  await expect.element(heading('150 skills found')).toBeVisible()
  // The rows of a long list are drawn a moment after the heading, when the list knows its height.
  await expect.element(page.getByRole('checkbox').first()).toBeVisible()
  const box = page.getByRole('checkbox').first().element() as HTMLElement
  box.focus()
  const rows = box.closest('.row-scroller')!
  rows.scrollTop = rows.scrollHeight
  await expect.element(page.getByRole('listitem').last()).toHaveAttribute('aria-posinset', '150')
  expect(page.getByRole('listitem').elements().length).toBeLessThan(40)
  expect(document.activeElement).toBe(box)
})

test('“Show” clears the filter and scrolls to the invalid name', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `skill-${at}`)
  await showImport({ ...shared(...names), ...newer }, somewhere, importBrew)
  await field('Find by name or description').fill('brew')
  await details('brew').click()
  await page.getByRole('radio', { name: 'Keep both, under another name' }).click()
  await field('Name').fill('skill-3')
  await field('Find by name or description').fill('skill-5')
  await expect.element(page.getByText(/Change the name of 1 skill\./)).toBeVisible()
  await button('Show').click()
  await expect.element(field('Name')).toBeInViewport()
})

test('a fetch made elsewhere is reviewed here, and discarded when the dialog closes', async () => {
  const { host } = await showImport(shared('tea'), async host => ({
    kind: 'fetched',
    found: await host.elsewhere['skills.fetch']({ from: { kind: 'path', path: sharedFolder(host) } }),
  }))
  await expect.element(heading('1 skill found')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).first().click()
  await cleanup()
  await expect.poll(() => asked(host, 'skills.discard')).toHaveLength(1)
})
