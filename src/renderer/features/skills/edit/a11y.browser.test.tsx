import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { button } from '../../../test/show-window.tsx'
import { code, dangerousLine, field, haiku, haikuText, showEditor } from './test-editor.tsx'

async function write(text: string) {
  await expect.element(code()).toHaveAttribute('aria-multiline', 'true')
  await code().click()
  await userEvent.keyboard(`{Control>}{End}{/Control}${text}{Control>}s{/Control}`)
}

const screens: Record<string, () => Promise<unknown>> = {
  'the editor': async () => {
    await showEditor()
    await expect.element(code()).toHaveAttribute('aria-multiline', 'true')
  },
  'an original with errors': async () => {
    await showEditor('bundled/clean-csv')
    await field('Description').fill('')
    await expect.element(button(/Line 1/)).toBeVisible()
  },
  'a refused save': async () => {
    await showEditor()
    await write(dangerousLine)
    await button('Save anyway…').click()
  },
  'a conflict': async () => {
    const { host } = await showEditor()
    await expect.element(code()).toBeVisible()
    const text = haikuText.replace('step', 'leap')
    await host.elsewhere['skills.save']({ id: haiku, path: 'SKILL.md', text, expected: haikuText })
    await write('Mine.')
    await expect.element(button('Keep mine')).toBeVisible()
  },
  'leaving with something unsaved': async () => {
    await showEditor()
    await field('Tags').fill('other')
    await expect.element(page.getByText('not saved')).toBeVisible()
    await button('Close').click()
  },
  'a new file': async () => {
    await showEditor()
    await button('New file…').click()
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
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  // Colours that are on their way from one to another are neither.
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    // The page around it has the heading of the first level.
    rules: { 'page-has-heading-one': { enabled: false } },
  })
  delete document.documentElement.dataset['theme']
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
})
