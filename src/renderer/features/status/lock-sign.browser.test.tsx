import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { button, composer, openWindow, startHost } from '../../test/show-window.tsx'

// Where messages go, beside the model at the message field, and the offline lock.

const models = {
  nearby: { name: 'Big model', baseUrl: 'http://localhost:1234/v1', model: 'big' },
  far: { name: 'Big model', baseUrl: 'https://llm.example.org/v1', model: 'big' },
} as const
type Which = 'demo' | keyof typeof models

async function showReach(which: Which, { locked = false } = {}) {
  const host = await startHost(() => {}, { config: { network: { offline: locked } } })
  const { 'model.list': list, 'model.addServer': add, 'model.setDefault': choose } = host.elsewhere
  const model =
    which === 'demo'
      ? (await list({})).models.find(({ demo }) => demo)
      : await add({ ...models[which], apiKey: '' })
  await choose({ id: model?.id ?? '' })
  await openWindow(host)
  await expect.element(composer()).toBeVisible()
  return host
}

const model = () => button(/^Model: /)
const sign = () => button(/^Offline lock: /)
const choice = () => page.getByRole('dialog', { name: 'Models' })
const lock = () => page.getByRole('switch', { name: 'Offline lock' })
const usual = 'Model: Big model'
const away = 'Model: Big model. Messages go to another computer'
const blocked = 'Offline lock: blocked. Big model is another computer'
const closed = 'Offline lock: nothing can leave this computer'

test.for([
  ['demo', false, 'Model: Built-in demo model', null, /answered on this computer and sent nowhere/],
  ['nearby', false, usual, null, /goes to Big model, a server on this computer/],
  ['far', false, away, null, /is sent to Big model, on another computer/],
  ['demo', true, 'Model: Built-in demo model', closed, /and nothing else is sent anywhere/],
  ['nearby', true, usual, closed, /and nothing else is sent anywhere/],
  ['far', true, usual, blocked, /so messages to it are blocked/],
] as const)(
  'the message field says where messages go: %s, locked %s',
  async ([which, locked, name, signName, about]) => {
    await showReach(which, { locked })
    await expect.element(model()).toHaveAccessibleName(name)
    if (signName === null) await expect.element(sign()).not.toBeInTheDocument()
    else await expect.element(sign()).toHaveAccessibleName(signName)
    await model().click()
    await expect.element(choice().getByText(about)).toBeVisible()
  },
)

test('a blocked model and the lock are shown at every width', async () => {
  await showReach('far', { locked: true })
  for (const width of [320, 420, 1280]) {
    await page.viewport(width, 800)
    await expect.element(sign()).toBeInViewport()
    await expect.poll(() => sign().element().textContent).toBe('Offline lock: blocked')
  }
})

test('the lock is switched at the model and at its sign, and leads to what was sent', async () => {
  const host = await showReach('far')
  await model().click()
  await lock().click()
  await expect.element(choice().getByText(/so messages to it are blocked/)).toBeVisible()
  const { settings } = await host.elsewhere['settings.list']({})
  expect(settings.find(({ path }) => path === 'network.offline')?.value).toBe(true)
  await userEvent.keyboard('{Escape}')
  await sign().click()
  await lock().click()
  await expect.element(sign()).not.toBeInTheDocument()
  await model().click()
  await button('What was sent').click()
  await expect.element(page.getByRole('heading', { name: 'Privacy and network' }).first()).toBeVisible()
})

test('the offline lock keeps its state if the host refuses', async () => {
  const host = await showReach('demo')
  await model().click()
  host.failNext('network.lock', new Fault('internal', 'The disk is full.'))
  await lock().click()
  await expect.element(page.getByText('The lock was not changed: The disk is full.')).toBeVisible()
  await expect.element(lock()).not.toBeChecked()
})

test('an offline lock set elsewhere is shown', async () => {
  const host = await showReach('demo')
  await expect.element(sign()).not.toBeInTheDocument()
  await host.elsewhere['network.lock']({ locked: true })
  await expect.element(sign()).toHaveAccessibleName(closed)
})
