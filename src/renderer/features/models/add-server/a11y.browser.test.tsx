import axe from 'axe-core'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aServerModel } from '../../../test/fake-models.ts'
import { button, showApp } from '../../../test/show-app.tsx'
import { details, showModels } from '../test-models.tsx'

afterEach(() => {
  delete document.documentElement.dataset['theme']
})

const longNames = Array.from({ length: 12 }, (_, at) => ({
  id: `a-maker-of-models/with-a-rather-long-name-that-goes-on-${at}-instruct-2507`,
  contextTokens: 262_144,
}))

type Theme = 'light' | 'dark'
const screens: Record<string, (theme: Theme) => Promise<unknown>> = {
  'a server to choose a model from, behind the lock': async theme => {
    await showApp(
      ({ files }) => {
        files.check = { ...files.check, text: 'OpenRouter answers, with 12 models.', models: longNames }
      },
      { hello: { locked: true, settings: { theme } } },
    )
    await button('Add a model').click()
    await page.getByText('Server', { exact: true }).click()
    await page.getByText('OpenRouter', { exact: true }).click()
    await button('Test').click()
    await page.getByRole('radio', { name: /goes-on-3/ }).click()
  },
  'a server that is not there': async theme => {
    await showApp(
      ({ files }) => {
        files.check = { ...files.check, ok: false, text: 'Nobody answers.', fix: 'Start its server.' }
      },
      { hello: { settings: { theme } } },
    )
    await button('Add a model').click()
    await page.getByText('Server', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill('http://llm.example.org')
    await button('Test').click()
    await expect.element(page.getByText('Start its server.')).toBeVisible()
  },
  'a server that is changed': async () => {
    const model = aServerModel('workshop')
    await showModels(host => void host.models.push({ ...model, server: { ...model.server!, key: 'stored' } }))
    await details('workshop').click()
    await button('Change…').click()
    await page.getByRole('textbox', { name: 'Address' }).fill('nonsense')
  },
}

const cases = Object.keys(screens).flatMap(name =>
  [
    ['light', 1280],
    ['dark', 420],
  ].map(([theme, width]) => [name, theme as Theme, width as number] as const),
)

test.for(cases)('nothing stands in the way of anyone in %s, %s, %i wide', async ([name, theme, width]) => {
  await page.viewport(width, 800)
  document.documentElement.dataset['theme'] = theme
  await screens[name]!(theme)
  await expect.poll(() => document.documentElement.dataset['theme']).toBe(theme)
  const box = document.querySelector('dialog')!
  expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
  // Colours that are on their way from one to another are neither.
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
})
