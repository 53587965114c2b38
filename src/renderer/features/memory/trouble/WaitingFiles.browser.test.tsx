import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aFile, changes, entry, fill, list, showMemory } from '../../../test/memory.ts'
import { button } from '../../../test/show-window.tsx'
import type { TestHost } from '../../../test/test-host.ts'

const OTHERS = ['Prefers short answers.', 'Uses pnpm for packages.']
const conflict = (mine: string, theirs: string) =>
  aFile(`<<<<<<< HEAD\n${mine}\n=======\n${theirs}\n>>>>>>> laptop`, ...OTHERS)

/** Show the page, then write a file as another program does. */
async function showWith(files: Record<string, string>): Promise<TestHost> {
  const host = await showMemory(fill)
  await expect.element(entry('Lives in Bern.')).toBeVisible()
  await host.seed.files(files)
  window.dispatchEvent(new Event('focus'))
  return host
}
const card = (name: string | RegExp) => page.getByRole('region', { name })
const inUse = () =>
  [...list().element().querySelectorAll('[data-entry]')].map(row => row.textContent).toSorted()

test('of a merge conflict both versions are shown, what was last good stays, and either can be kept', async () => {
  const host = await showWith({ 'memories/USER.md': conflict('Lives in Bern.', 'Lives in Basel.') })
  const shown = card('Which version of USER.md is right?')
  await expect.element(shown.getByText('Mine (HEAD)')).toBeVisible()
  await expect.element(shown.getByText('Lives in Basel.')).toBeVisible()
  expect(inUse()).toContain('Lives in Bern.')
  expect(inUse()).not.toContain('Lives in Basel.')
  await shown.getByRole('button', { name: 'Keep both' }).click()
  await expect.element(shown).not.toBeInTheDocument()
  expect(inUse()).toEqual(['Lives in Basel.', 'Lives in Bern.', ...OTHERS])
  await button('Undo').click()
  await expect.element(entry('Lives in Basel.')).not.toBeInTheDocument()
  expect(changes(host)[0]).toMatchObject({ name: 'memory.settle', input: { keep: 'both' } })
})

test('entries of both versions can be chosen one by one and edited', async () => {
  await showWith({ 'memories/USER.md': conflict('Lives in Bern.', 'Lives in Basel.') })
  const shown = card('Which version of USER.md is right?')
  await shown.getByRole('button', { name: 'Choose and edit…' }).click()
  await shown.getByRole('checkbox', { name: 'Keep “Lives in Bern.”' }).click()
  await shown.getByRole('textbox', { name: 'Their entry' }).fill('Lives in Basel since March.')
  await shown.getByRole('button', { name: 'Keep 3 entries' }).click()
  await expect.element(shown).not.toBeInTheDocument()
  expect(inUse()).toEqual(['Lives in Basel since March.', ...OTHERS])
})

test('a copy of another computer is named, and what is new in it can be added or left', async () => {
  const host = await showWith({
    'memories/USER.sync-conflict-20260301-101112-ABCDEFG.md': aFile('Lives in Bern.', 'Has a dog.'),
    'memories/USER 2.md': aFile(...OTHERS),
  })
  const shown = card(/^USER\.sync-conflict.* has new entries$/)
  await expect
    .element(shown.getByText(/probably a copy of your memory that Syncthing left here/))
    .toBeVisible()
  await expect.element(shown.getByText('Has a dog.')).toBeVisible()
  await card('USER 2.md looks like a copy of your memory')
    .getByRole('button', { name: 'Do not show this again' })
    .click()
  await expect.element(card('USER 2.md looks like a copy of your memory')).not.toBeInTheDocument()
  await shown.getByRole('button', { name: 'Add the new entries' }).click()
  await expect.element(shown).not.toBeInTheDocument()
  expect(inUse()).toContain('Has a dog.')
  expect(await host.readFile('home', 'memories/USER 2.md')).toBe(aFile(...OTHERS))
})

test('a choice for a file that changed meanwhile is not carried out, and the new version is shown', async () => {
  const host = await showWith({ 'memories/USER.md': conflict('Lives in Bern.', 'Lives in Basel.') })
  const shown = card('Which version of USER.md is right?')
  await expect.element(shown.getByText('Lives in Basel.')).toBeVisible()
  await host.seed.files({ 'memories/USER.md': conflict('Lives in Bern.', 'Lives in Biel.') })
  await shown.getByRole('button', { name: 'Use theirs' }).click()
  await expect.element(shown.getByText('Lives in Biel.')).toBeVisible()
  expect(inUse()).toContain('Lives in Bern.')
})

test('the cards can be used with the keyboard, and a file that is empty only for a moment has none', async () => {
  await showWith({
    'memories/USER.md': '',
    'memories/MEMORY (1).md': aFile('The build is started with make.', 'Redis runs on 6380.'),
  })
  await expect.element(card('MEMORY (1).md has new entries')).toBeVisible()
  await expect.element(card('USER.md is empty')).not.toBeInTheDocument()
  expect(inUse()).toContain('Lives in Bern.')
  ;(button('Add the new entries').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(card('MEMORY (1).md has new entries')).not.toBeInTheDocument()
})
