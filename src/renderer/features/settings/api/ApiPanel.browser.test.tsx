import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ApiState } from '../../../../shared/contract/connections/api.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { expectAccessible, expectAccessibleAt } from '../../../test/accessible.ts'
import { field, press, showSettings, toggle } from '../../../test/settings.tsx'
import type { TestHost } from '../../../test/test-host.ts'

const dialog = () => page.getByRole('dialog')
const badge = (text: string) => page.getByText(text, { exact: true })
const today = () => page.getByRole('list', { name: 'Requests today' })

/** A port on which the server just ran; others on this computer take ports, too. */
async function findPort(host: TestHost): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 30_000)
    await host.elsewhere['settings.set']({ path: 'api.port', value: port })
    await host.elsewhere['settings.set']({ path: 'api.enabled', value: true })
    const { state } = await host.elsewhere['api.state']({})
    await host.elsewhere['settings.set']({ path: 'api.enabled', value: false })
    if (state === 'running') return port
  }
}

/** What the window puts on the clipboard. */
function watchClipboard() {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  onTestFinished(() => copied.mockRestore())
  return () => copied.mock.lastCall?.[0] ?? ''
}

/** The status of an answer; 0 when nobody is there. */
async function statusOf(address: string, key: string, body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const asked = body
    ? fetch(`${address}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
    : fetch(`${address}/models`, { headers })
  return asked.then(
    ({ status }) => status,
    () => 0,
  )
}

// A page may ask only if its address is in the list; programs need none.
const config = { api: { origins: [location.origin] } }
const section = 'api'

test('switched on, programs ask with the address and the key that are copied, and their requests are counted', async () => {
  const clipboard = watchClipboard()
  let free = 0
  const host = await showSettings(({ modelSays }) => modelSays(asked => void asked.say('Hello.')), {
    section,
    config,
    begun: async each => {
      free = await findPort(each)
    },
  })
  await expect.element(badge('Off')).toBeVisible()
  await expect.element(page.getByText('Switch it on below to get an address.')).toBeVisible()
  await expect.element(page.getByText('No program has sent a request today.')).toBeVisible()
  await expect.element(press('Copy address')).not.toBeInTheDocument()
  await toggle('Answer other programs').click()
  await expect.element(badge('On')).toBeVisible()
  await press('Copy address').click()
  const address = clipboard()
  expect(address).toBe(`http://127.0.0.1:${free}/v1`)
  await press('Copy key').click()
  await expect.element(page.getByText('The key is copied.')).toBeVisible()
  const key = clipboard()
  expect(key).toMatch(/^talaria-.{30,}/)
  // It goes to the clipboard, and is never drawn.
  expect(document.body.textContent).not.toContain(key)
  await expectAccessible()

  expect(await statusOf(address, key)).toBe(200)
  expect(await statusOf(address, 'talaria-wrong')).toBe(401)
  const { models } = await host.elsewhere['model.list']({})
  const served = models.find(({ name }) => name === 'Served model')!
  const question = { model: served.id, messages: [{ role: 'user', content: 'Hello?' }], colour: 'blue' }
  expect(await statusOf(address, key, question)).toBe(200)
  await expect.element(today()).toMatchTextContent('1 request')
  await expect.element(page.getByText(/but Talaria ignores: .*colour/)).toBeVisible()

  await toggle('Answer other programs').click()
  await expect.element(badge('Off')).toBeVisible()
  await expect.poll(() => statusOf(address, key)).toBe(0)
  // What was asked today stays in the list.
  await expect.element(today()).toMatchTextContent('1 request')
})

test('another key is made only after a question, and the old one opens nothing then', async () => {
  const clipboard = watchClipboard()
  await showSettings(undefined, {
    section,
    config,
    begun: async each => {
      await findPort(each)
      await each.elsewhere['settings.set']({ path: 'api.enabled', value: true })
    },
  })
  await press('Copy address').click()
  const address = clipboard()
  await press('Copy key').click()
  await expect.poll(clipboard).toMatch(/^talaria-/)
  const old = clipboard()
  await press('New key…').click()
  await expect.element(dialog()).toMatchTextContent('The old key stops working at once')
  await press('Cancel').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(await statusOf(address, old)).toBe(200)
  await press('New key…').click()
  await press('Create a new key').click()
  await expect.poll(() => statusOf(address, old)).toBe(401)
  await press('Copy key').click()
  await expect.poll(clipboard).not.toBe(old)
  expect(await statusOf(address, clipboard())).toBe(200)
})

test('a port that is taken is said, and another one is tried as soon as it is set', async () => {
  const taken = inject('hostKeeperPort')
  let free = 0
  await showSettings(undefined, {
    section,
    config,
    begun: async each => {
      free = await findPort(each)
      await each.elsewhere['settings.set']({ path: 'api.port', value: taken })
      await each.elsewhere['settings.set']({ path: 'api.enabled', value: true })
    },
  })
  await expect.element(badge('Stopped')).toBeVisible()
  await expect.element(page.getByText(new RegExp(`${taken}`)).first()).toBeVisible()
  await expect.element(press('Copy address')).not.toBeInTheDocument()
  await expectAccessible()
  await field('Port').fill(String(free))
  await userEvent.keyboard('{Enter}')
  await expect.element(badge('On')).toBeVisible()
  await expect.element(page.getByText(`http://127.0.0.1:${free}/v1`)).toBeVisible()
})

test('long and hidden names fit into a narrow window', async () => {
  const state: ApiState = {
    state: 'running',
    text: '',
    address: 'http://127.0.0.1:4737/v1',
    port: 4_737,
    today: [
      { model: `file:/home/ada/${'models/'.repeat(20)}a\u202eb.gguf`, requests: 1_200, failed: 3 },
      { model: 'talaria', requests: 1, failed: 0 },
    ],
    unused: ['logit_bias', 'a\u200bfield', 'x'.repeat(120)],
    isCarried: true,
  }
  await showSettings(each => each.answer({ 'api.state': () => state }), { section })
  await expect.element(today()).toMatchTextContent('a⟨U+202E⟩b.gguf1,200 requests · 3 failed')
  await expect.element(page.getByText(/a⟨U\+200B⟩field/)).toBeVisible()
  await expectAccessibleAt(420, 700)
})

test('a host that does not answer says why', async () => {
  await showSettings(each => each.failNext('api.state', new Fault('not_ready', 'The host is closing.')), {
    section,
  })
  await expect.element(page.getByText('The host is closing.')).toHaveRole('alert')
})
