import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { Fault } from '../../../../shared/rpc.ts'
import { button } from '../../../test/show-app.tsx'
import {
  asked,
  box,
  candidate,
  details,
  found,
  newer,
  showImport,
  somewhere,
  withScript,
} from './test-import.tsx'

const heading = (name: string | RegExp) => page.getByRole('heading', { name })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })

test('a path is fetched, looked at, and installed, with links and a way back', async () => {
  const { host, closed } = await showImport(found([candidate({ name: 'tea' }), withScript]))
  await expect.element(field('Folder, zip or SKILL.md')).toHaveFocus()
  await userEvent.keyboard(' /home/ada/skills {Enter}')
  await expect.element(heading('2 skills found')).toHaveFocus()
  expect(asked(host, 'skills.fetch')).toEqual([{ from: { kind: 'path', path: '/home/ada/skills' } }])
  await expect.element(page.getByText(/example\.org\/ada\/skills at commit 0123456789ab$/)).toBeVisible()
  await button('Install 2 skills').click()
  await expect.element(heading('2 skills installed')).toHaveFocus()
  await expect.element(page.getByText('1 on, 1 off')).toBeVisible()
  expect(asked(host, 'skills.install')).toEqual([
    { importId: 'import-1', choices: [{ path: 'skills/tea' }, { path: 'skills/backup' }] },
  ])
  await button('Undo the import').click()
  await expect.element(heading('The import was undone.')).toBeVisible()
  expect(host.skills.list().map(skill => skill.name)).not.toContain('tea')
  expect(closed()).toBe(0)
})

test('a link to what was installed closes the dialog and shows it', async () => {
  const { closed } = await showImport(found([candidate({ name: 'tea' })]), somewhere)
  await button('Install 1 skill').click()
  await button('Open “tea”').click()
  expect(closed()).toBe(1)
  expect(location.hash).toContain('skill=imported%2Ftea')
})

test('a git address takes a branch, and a text is pasted', async () => {
  const { host } = await showImport(found([candidate({ name: 'tea' })]))
  await page.getByText('Git address', { exact: true }).click()
  await field('Address of the repository').fill('example.org/ada/skills')
  await field('Branch, tag or commit').fill('v2')
  await userEvent.keyboard('{Enter}')
  await button('Choose another').click()
  await page.getByText('Pasted text', { exact: true }).click()
  await field('Text of a SKILL.md').fill('---\nname: tea\n---\n')
  await button('Look at it').click()
  await expect.element(heading('1 skill found')).toBeVisible()
  expect(asked(host, 'skills.fetch').map(each => each['from'])).toEqual([
    { kind: 'git', address: 'example.org/ada/skills', ref: 'v2' },
    { kind: 'text', text: '---\nname: tea\n---\n' },
  ])
  expect(asked(host, 'skills.discard')).toEqual([{ importId: 'import-1' }])
})

test('what cannot be fetched is said at the field, which keeps what was written', async () => {
  await showImport(null)
  await field('Folder, zip or SKILL.md').fill('/nowhere')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert').getByText('There is no skill in it.')).toBeVisible()
  await expect.element(field('Folder, zip or SKILL.md')).toHaveValue('/nowhere')
})

test('fetching can be cancelled, and what comes all the same is thrown away', async () => {
  const { host } = await showImport(null)
  const late = Promise.withResolvers<ReturnType<typeof found>>()
  let signal: AbortSignal | undefined
  host.link.client['skills.fetch'] = (_input, options) => {
    signal = options?.signal
    return late.promise
  }
  await field('Folder, zip or SKILL.md').fill('/home/ada/skills')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Fetching /home/ada/skills')).toBeVisible()
  await button('Cancel').click()
  expect(signal?.aborted).toBe(true)
  await expect.element(field('Folder, zip or SKILL.md')).toHaveValue('/home/ada/skills')
  late.resolve(found([candidate({ name: 'tea' })]))
  await expect.poll(() => asked(host, 'skills.discard')).toEqual([{ importId: 'import-1' }])
})

test('the details say what was found, why it stays off, and what its files say', async () => {
  const { host } = await showImport(found([withScript]), somewhere)
  await expect.element(page.getByText('It sends your keys to a server.')).toBeVisible()
  await expect
    .element(page.getByText('It stays off at first, because it has scripts and the scan found something.'))
    .toBeVisible()
  await button(/^SKILL\.md/).click()
  await expect.element(page.getByText(/^---\sname: backup/)).toBeVisible()
  await button(/^scripts\/run\.sh/).click()
  await expect.element(page.getByText('The text of scripts/run.sh.')).toBeVisible()
  await page.getByRole('switch', { name: 'On at once' }).click()
  await expect.element(page.getByText('You switch it on in spite of what is said above.')).toBeVisible()
  await button('Install 1 skill').click()
  await expect.element(heading('1 skill installed')).toBeVisible()
  expect(asked(host, 'skills.install')[0]?.['choices']).toEqual([{ path: 'skills/backup', on: true }])
})

test('a name that is taken can replace, stay beside, or be left out', async () => {
  const { host } = await showImport(found([newer, candidate({ name: 'tea' })]), somewhere)
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
  await expect.element(page.getByText(/Use small letters/)).toBeVisible()
  await field('Name').fill('brew-well')
  await button('Install 2 skills').click()
  await expect.element(heading('2 skills installed')).toBeVisible()
  expect(asked(host, 'skills.install')[0]?.['choices']).toEqual([
    { path: 'skills/brew', as: 'brew-well' },
    { path: 'skills/tea' },
  ])
})

test('what belongs to the person is not covered up unless they say so', async () => {
  const mine = candidate({
    name: 'haiku',
    replaces: { id: 'own/haiku', origin: 'user', isEdited: false, changes: [] },
  })
  const { host } = await showImport(found([mine]), somewhere)
  await expect.element(page.getByRole('radio', { name: 'Keep both, under another name' })).toBeChecked()
  await page.getByRole('radio', { name: 'Do not import it' }).click()
  await expect.element(box('haiku')).not.toBeChecked()
  await expect.element(button('Install')).toBeDisabled()
  await box('haiku').click()
  await button('Install 1 skill').click()
  await expect
    .poll(() => asked(host, 'skills.install')[0]?.['choices'])
    .toEqual([{ path: 'skills/haiku', as: 'haiku-2' }])
})

test('a candidate that cannot be installed says why, and cannot be chosen', async () => {
  const broken = candidate({ name: 'broken', refused: 'Its SKILL.md is empty.' })
  await showImport(found([broken, candidate({ name: 'tea' })]), somewhere)
  await expect.element(box('broken')).toBeDisabled()
  await details('broken').click()
  await expect.element(page.getByText('Its SKILL.md is empty.')).toBeVisible()
  await button('Select all').click()
  await expect.element(button('Install 1 skill')).toBeEnabled()
})

test('a refused installation keeps every choice', async () => {
  const { host } = await showImport(found([candidate({ name: 'tea' })]), somewhere)
  await expect.element(heading('1 skill found')).toBeVisible()
  host.failNext('skills.install', new Fault('conflict', 'The library was changed meanwhile.'))
  await button('Install 1 skill').click()
  await expect.element(page.getByRole('alert').getByText('The library was changed meanwhile.')).toBeVisible()
  await button('Install 1 skill').click()
  await expect.element(heading('1 skill installed')).toBeVisible()
})

test('what was left out is named', async () => {
  await showImport(
    found([candidate({ name: 'tea' })], { leftOut: ['links are not followed (3)'] }),
    somewhere,
  )
  await page.getByText('Left out: 1').click()
  await expect.element(page.getByText('links are not followed (3)')).toBeVisible()
})

test('a collection of 150 skills can be filtered and chosen from', async () => {
  const many = Array.from({ length: 150 }, (_, at) =>
    candidate({ ...(at % 50 === 7 ? withScript : {}), name: `skill-${at}`, path: `skills/skill-${at}` }),
  )
  const { host } = await showImport(found(many), somewhere)
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

test('the way to a wrong name leads through the filter to its row', async () => {
  const many = Array.from({ length: 60 }, (_, at) => candidate({ name: `skill-${at}` }))
  await showImport(found([...many, newer]), somewhere)
  await field('Find by name or description').fill('brew')
  await details('brew').click()
  await page.getByRole('radio', { name: 'Keep both, under another name' }).click()
  await field('Name').fill('skill-3')
  await field('Find by name or description').fill('skill-5')
  await expect.element(page.getByText(/1 skill cannot be called that\./)).toBeVisible()
  await button('Show').click()
  await expect.element(field('Name')).toBeInViewport()
})

test('what was fetched elsewhere is looked at here, and thrown away with the dialog', async () => {
  const { host } = await showImport(null, { kind: 'fetched', found: found([newer]) })
  await expect.element(heading('1 skill found')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).first().click()
  await cleanup()
  await expect.poll(() => asked(host, 'skills.discard')).toEqual([{ importId: 'import-1' }])
})
