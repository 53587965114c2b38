import axe from 'axe-core'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { aFileModel, aTransfer } from '../../test/fake-models.ts'
import { button } from '../../test/show-app.tsx'
import { fill, goTo, next, showSteps, title } from './test-steps.tsx'

afterEach(() => {
  delete document.documentElement.dataset['theme']
})

const screens: Record<string, () => Promise<unknown>> = {
  welcome: async () => {
    await showSteps()
    await expect.element(title('Welcome to Talaria')).toHaveFocus()
  },
  'what was sent': async () => {
    await showSteps(({ config }) => void config.request())
    await button('See what was sent so far').click()
    await expect.element(page.getByRole('table').first()).toBeVisible()
  },
  'this computer': async () => {
    await showSteps()
    await goTo('This computer')
    await expect.element(page.getByText('120 GB free for models')).toBeVisible()
  },
  'models behind the lock, one coming and one failed': async () => {
    await showSteps(
      host => {
        fill(host)
        host.models.push(aFileModel('/m/a-model-with-a-rather-long-name-Q4_K_M.gguf'))
        host.files.catalogue.models[0]!.dialect = ''
        host.files.machine = { ...host.files.machine, diskFreeBytes: 6e9 }
        const from = (name: string) => `https://models.example/${name}.gguf`
        host.files.transfer(aTransfer({ id: 'a', from: from('Fox 8B-balanced') }))
        host.files.transfer(
          aTransfer({ id: 'b', from: from('Owl 70B-large'), state: 'failed', error: 'It broke off.' }),
        )
        host.files.transfer(aTransfer({ id: 'c', kind: 'copy', name: 'Bee-4B.gguf', state: 'paused' }))
      },
      { hello: { locked: true } },
    )
    await goTo('A model')
    await expect.element(page.getByText('It broke off.')).toBeVisible()
  },
  'how to learn, with a line that was refused': async () => {
    const host = await showSteps()
    await goTo('How should it learn?')
    await page.getByRole('textbox', { name: 'About you (optional)' }).fill('Lives in Bern.\nHas a key.')
    host.failNext('memory.add', new Fault('bad_input', 'That looks like a secret.'))
    await next().click()
    await expect.element(page.getByRole('alert')).toBeVisible()
  },
  ready: async () => {
    await showSteps(host => void host.files.transfer(aTransfer()))
    await goTo('Ready')
  },
}

const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
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
  for (const box of document.querySelectorAll('form, dialog'))
    expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
  // Whether something can be scrolled is known a frame after it was drawn.
  await frame()
  await frame()
  // Colours that are on their way from one to another are neither.
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
})
