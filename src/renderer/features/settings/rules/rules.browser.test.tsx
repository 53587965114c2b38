import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { field, heading, press, search, showSettings, toggle } from '../../../test/settings.tsx'

const list = () => page.getByRole('list', { name: 'Your rules' })
const radio = (name: string) => page.getByText(name, { exact: true })

test('a rule is added, shown, removed and put back', async () => {
  const host = await showSettings(undefined, { section: 'permissions' })
  await expect.element(page.getByText('No rules yet.')).toBeVisible()
  await press('Add a rule…').click()
  await radio('Always allow').click()
  await field('Command').fill('git fetch *')
  await field('Folder').fill(host.workspace)
  await toggle('With network').click()
  await press('Add the rule').click()
  await expect.element(list()).toMatchTextContent('Always allow')
  await expect.element(list()).toMatchTextContent('git fetch *')
  await expect.element(list()).toMatchTextContent(`In ${host.workspace} · with network`)
  const rules = async () => (await host.elsewhere['permissions.list']({})).rules
  expect(await rules()).toMatchObject([
    {
      effect: 'allow',
      command: ['git', 'fetch'],
      more: true,
      folder: host.workspace,
      network: true,
      by: 'settings',
    },
  ])

  await press('Remove the rule: Always allow git fetch *').click()
  await expect.element(page.getByText('No rules yet.')).toBeVisible()
  await press('Undo').click()
  await expect.element(list()).toMatchTextContent('git fetch *')
})

test('what can never be allowed for good says why, and nothing is added', async () => {
  const host = await showSettings(undefined, { section: 'permissions' })
  await press('Add a rule…').click()
  await radio('Always allow').click()
  await field('Command').fill('python3 -c x')
  await press('Add the rule').click()
  await expect
    .element(
      page.getByText(
        'This cannot be allowed for good: “python3” runs other programs or code that it is given.',
      ),
    )
    .toBeVisible()
  expect((await host.elsewhere['permissions.list']({})).rules).toEqual([])
})

test('a rule that another window adds shows at once, strictest first', async () => {
  const host = await showSettings(undefined, { section: 'permissions' })
  await expect.element(page.getByText('No rules yet.')).toBeVisible()
  await host.elsewhere['permissions.add']({ effect: 'ask', command: 'npm publish' })
  await host.elsewhere['permissions.add']({ effect: 'never', command: 'git push' })
  await expect
    .poll(() =>
      list()
        .getByRole('listitem')
        .elements()
        .map(each => each.textContent.split('Everywhere')[0]),
    )
    .toEqual(['Nevergit push', 'Always asknpm publish'])
})

test('what would happen to a command is said without running it', async () => {
  const host = await showSettings(undefined, { section: 'permissions' })
  await host.elsewhere['permissions.add']({ effect: 'never', command: 'git push' })
  const tried = page.getByRole('textbox', { name: 'What would happen to a command?' })
  await tried.fill('git push --force && touch proof')
  await expect.element(page.getByText(/It would not run\./).first()).toBeVisible()
  await expect.element(page.getByText(/A rule of the user forbids it: “git push”\./)).toBeVisible()
  await expect.element(page.getByText(/rewrites history, sends something to another computer/)).toBeVisible()
  await tried.fill('touch proof')
  await expect.element(page.getByText(/You would be asked\./).first()).toBeVisible()
})

test('a file of rules with a mistake is told, and its strict rules still count', async () => {
  await showSettings(undefined, { section: 'permissions', homeFiles: { 'permissions.json': 'nonsense' } })
  await expect.element(page.getByText(/The file is not a list of rules: .*permissions\.json/)).toBeVisible()
})

test('the rules are found by a search, and everybody can use them', async () => {
  const host = await showSettings()
  await host.elsewhere['permissions.add']({ effect: 'never', command: 'git push' })
  await search().fill('forbid')
  await press('Your rules: open Permissions').click()
  await expect.element(heading('Your rules')).toBeVisible()
  await press('Add a rule…').click()
  await expect.element(list()).toBeVisible()
  await expectAccessibleAt(1_280, 420)
})
