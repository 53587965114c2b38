import axe from 'axe-core'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aFit, aFoundFile } from '../../test/fake-models.ts'
import { button } from '../../test/show-app.tsx'
import { big, details, drop, fill, GB, huge, showModels, transfers } from './test-models.tsx'

const busy: typeof fill = host => {
  fill(host)
  transfers(host)
}
afterEach(() => {
  delete window.desktop
  delete document.documentElement.dataset['theme']
})

const screens: Record<string, () => Promise<unknown>> = {
  'the list with a load that failed': async () => {
    const host = await showModels(busy, { hello: { settings: { expert: true } } })
    host.engine({ phase: 'failed', modelId: huge, error: 'It needs more.', fixes: [{ do: 'anyway' }] })
    await details('big-8b.gguf').click()
    await expect.element(page.getByRole('textbox', { name: 'Batch' })).toBeVisible()
    await page.getByRole('textbox', { name: 'Batch' }).fill('x')
  },
  'a model that is too big while another is loaded': async () => {
    const host = await showModels(host => {
      busy(host)
      host.files.fit = (_, tokens = 8_192) => aFit(43 * GB, tokens, { uncertain: 'It is a close call.' })
    })
    host.engine({ phase: 'loading', modelId: big, progress: 0.4 })
    await details('huge-70b.gguf').click()
    await expect.element(page.getByRole('slider', { name: 'Context' })).toBeVisible()
  },
  'a server that was tested': async () => {
    await showModels()
    await details('workshop').click()
    await button('Test').click()
    await expect.element(page.getByText(/It answered after/)).toBeVisible()
  },
  'the catalogue behind the lock': async () => {
    await showModels(busy, { tab: 'discover', hello: { locked: true } })
    await button(/^Fox 8B by/).click()
    await page.getByRole('textbox', { name: 'Checksum (SHA-256)' }).fill('1')
  },
  'downloads in every state': async () => {
    await showModels(busy, { tab: 'downloads' })
    await button('Cancel: Ant-1B.gguf').click()
    await expect.element(button('Keep it')).toHaveFocus()
  },
  'the engine': async () => {
    await showModels(busy, { tab: 'engine' })
    await expect.element(button('Copy diagnostics')).toBeVisible()
  },
  'a question before a file goes': async () => {
    await showModels()
    await button('More for big-8b.gguf').click()
    await page.getByRole('menuitem', { name: 'Delete the file' }).click()
    await expect.element(page.getByRole('dialog')).toBeVisible()
  },
  'files to add': async () => {
    window.desktop = { requestPort() {}, pathOf: () => '/mnt/a.gguf' }
    await showModels(host => {
      fill(host)
      host.files.paths.set('/mnt/a.gguf', [
        aFoundFile('/mnt/a.gguf', { copyOf: big }),
        aFoundFile('/mnt/b.gguf'),
        aFoundFile('/mnt/c.gguf', { problem: 'It is cut off.', file: null, fit: null }),
      ])
    })
    await expect.element(details('big-8b.gguf')).toBeVisible()
    drop(document.body, new File(['GGUF'], 'a.gguf'))
    await page.getByRole('radio', { name: 'Copy it into Talaria’s folder' }).click()
  },
  'a file to send': async () => {
    await showModels()
    await expect.element(details('big-8b.gguf')).toBeVisible()
    drop(document.body, new File(['GGUF'], 'a.gguf'))
    await page.getByRole('textbox', { name: 'Path of a .gguf file' }).fill('/mnt/a.gguf')
    await expect.element(page.getByText('Fits into memory').last()).toBeVisible()
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
  for (const box of [document.querySelector('[role="tabpanel"]'), document.querySelector('dialog')])
    if (box) expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  // Colours that are on their way from one to another are neither.
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
})
