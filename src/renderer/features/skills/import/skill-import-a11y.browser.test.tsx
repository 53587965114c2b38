import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { button } from '../../../test/show-window.tsx'
import { details, importBrew, newer, showImport, somewhere, withScript } from '../../../test/skill-import.tsx'

const several = {
  ...newer,
  ...withScript,
  'shared/bad/SKILL.md': '',
  // A name that is left out.
  'shared/brew/references/notes.': 'x',
}

const screens: Record<string, () => Promise<unknown>> = {
  'the choice': async () => {
    await showImport()
    await expect.element(button('Scan it')).toBeVisible()
  },
  'the choice of a text': async () => {
    await showImport()
    await page.getByText('Pasted text', { exact: true }).click()
  },
  'the review': async () => {
    await showImport(several, somewhere, importBrew)
    await details('brew').click()
    await page.getByRole('radio', { name: 'Keep both, under another name' }).click()
  },
  'dangerous details': async () => {
    await showImport(withScript, somewhere)
    await button(/^SKILL\.md/).click()
  },
  'the end': async () => {
    await showImport(withScript, somewhere)
    await button('Install 1 skill').click()
    await expect.element(button('Undo the import')).toBeVisible()
  },
}

test.for(Object.keys(screens))(
  '%s: no accessibility violations, light or dark, wide or narrow',
  async name => {
    await screens[name]!()
    await expectAccessibleAt(1_280, 420)
  },
)
