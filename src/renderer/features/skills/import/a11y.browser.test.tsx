import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button } from '../../../test/show-window.tsx'
import { details, importBrew, newer, showImport, somewhere, withScript } from './test-import.tsx'

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
    await expect.element(button('Look at it')).toBeVisible()
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

const cases = Object.keys(screens).flatMap(name =>
  [
    ['light', 1280],
    ['dark', 420],
  ].map(([theme, width]) => [name, theme as string, width as number] as const),
)

test.for(cases)('nothing stands in the way of anyone in %s, %s, %i wide', async ([name, theme, width]) => {
  await page.viewport(width, 800)
  document.documentElement.dataset['theme'] = theme
  await screens[name]!()
  const dialog = document.querySelector('dialog')!
  expect(dialog.scrollWidth).toBeLessThanOrEqual(dialog.clientWidth)
  // Colours that are on their way from one to another are neither.
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    rules: { 'page-has-heading-one': { enabled: false } },
  })
  delete document.documentElement.dataset['theme']
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
})
