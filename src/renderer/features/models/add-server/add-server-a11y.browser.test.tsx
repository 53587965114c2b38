import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { button, showWindow } from '../../../test/show-window.tsx'
import { details, showModels } from '../../../test/models.tsx'

const longNames = Array.from({ length: 12 }, (_, at) => ({
  id: `a-maker-of-models/with-a-rather-long-name-that-goes-on-${at}-instruct-2507`,
  context_length: 262_144,
}))

/** Only who has nothing better than the built-in model is offered another one in the chat. */
const demo = { models: { default: 'builtin' } }
const onServerForm = async () => {
  await button('Add a model').click()
  await page.getByText('Server', { exact: true }).click()
}
const address = () => page.getByRole('textbox', { name: 'Address' })

const screens: Record<string, () => Promise<unknown>> = {
  'a server to choose a model from, behind the lock': async () => {
    const host = await showWindow(({ seed }) => void seed.servedModels(longNames), {
      config: { ...demo, network: { offline: true } },
    })
    await onServerForm()
    await address().fill(host.modelUrl)
    await button('Test').click()
    await page.getByRole('radio', { name: /goes-on-3/ }).click()
  },
  'a server elsewhere that the lock keeps away': async () => {
    await showWindow(undefined, { config: { ...demo, network: { offline: true } } })
    await onServerForm()
    await page.getByText('OpenRouter', { exact: true }).click()
    await expect.element(page.getByText(/^The offline lock is on/)).toBeVisible()
  },
  'a server that is not there': async () => {
    const host = await showWindow(undefined, { config: demo })
    await onServerForm()
    await address().fill(`${host.filesUrl}/nothing`)
    await button('Test').click()
    await expect.element(page.getByRole('dialog').getByRole('status')).toMatchTextContent(/\S/u)
  },
  'a server that is changed': async () => {
    await showModels(undefined, { homeFiles: { '.env': 'TALARIA_SERVER_SERVED_KEY=sk-1\n' } })
    await details('Served model').click()
    await button('Change…').click()
    await address().fill('nonsense')
  },
}

test.for(Object.keys(screens))('%s: no accessibility violations, wide or narrow', async name => {
  await screens[name]!()
  await expectAccessibleAt(1_280, 420)
})
