import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import { press, showSettings, toggle } from '../../../test/settings.tsx'

const table = (name: string) => page.getByRole('table', { name })
const rowsOf = (name: string) => table(name).element().querySelectorAll('tbody tr').length
const privacy = { section: 'privacy' }

test('an empty list of requests says so', async () => {
  await showSettings(undefined, privacy)
  await expect.element(page.getByText('No requests yet.')).toBeVisible()
  await expect.element(press('Clear the list…')).not.toBeInTheDocument()
})

test('the offline lock is switched at once, and keeps its state if the host refuses', async () => {
  const host = await showSettings(undefined, privacy)
  const lock = toggle('Offline lock')
  await expect.element(lock).toHaveAccessibleDescription(/^Talaria uses the network only for what you start/)
  await lock.click()
  await expect.element(lock).toBeChecked()
  await expect.element(lock).toHaveAccessibleDescription(/^Nothing leaves this computer/)
  expect(await host.value('network.offline')).toBe(true)
  host.failNext('network.lock', new Fault('internal', 'The disk is full.'))
  await lock.click()
  await expect.element(page.getByText('The setting was not saved: The disk is full.')).toBeVisible()
  await expect.element(lock).toBeChecked()
})

test('the proxy and the hosts that need none are set beside the lock', async () => {
  const host = await showSettings(undefined, privacy)
  await page.getByRole('textbox', { name: 'Proxy', exact: true }).fill('http://proxy.example:3128')
  await page.getByRole('textbox', { name: 'Hosts without the proxy' }).fill('intranet.example')
  await page.getByRole('textbox', { name: 'Proxy', exact: true }).click()
  await expect.poll(() => host.value('network.no_proxy')).toBe('intranet.example')
  expect(await host.value('network.proxy')).toBe('http://proxy.example:3128')
})

test('each contacted host is listed with its purposes, and each request with its outcome', async () => {
  await showSettings(({ seed }) => {
    void seed.request({ state: 'blocked', sentBytes: null, receivedBytes: null, ms: null })
    void seed.request({
      purpose: 'skill_import',
      host: 'git.example.org',
      sentBytes: null,
      receivedBytes: null,
    })
    void seed.request({ sentBytes: 4_200, receivedBytes: 1_300 })
    void seed.request({ purpose: 'learning', subject: 'A look back', state: 'failed', sentBytes: 800 })
    void seed.request({ host: 'localhost:1234', nearby: true, purpose: 'server_check', subject: 'Local' })
  }, privacy)
  const hosts = table('Who was contacted')
  const away = hosts.getByRole('row', { name: /llm\.example\.org/ })
  await expect.element(away).toMatchTextContent(/Learning, Chat|Chat, Learning/)
  await expect.element(away).toMatchTextContent(/3, 1 blocked/)
  await expect.element(away).toMatchTextContent(/5 kB/)
  await expect.element(hosts.getByRole('row', { name: /localhost:1234 this computer/ })).toBeVisible()
  const requests = table('Each request')
  await expect.element(requests.getByRole('row').nth(1)).toMatchTextContent(/Server test\s*Local\s*Done/)
  await expect.element(requests.getByRole('row', { name: /A look back/ })).toMatchTextContent(/Failed/)
  await expect.element(requests.getByRole('row', { name: /Blocked/ })).toMatchTextContent(/Blocked\s*–\s*–/)
  await expect.element(requests.getByRole('row', { name: /Skill import/ })).toMatchTextContent(/unknown/)
})

test('in a narrow window each row of hosts and requests is folded, and nothing is cut off', async () => {
  await page.viewport(420, 800)
  await showSettings(({ seed }) => {
    void seed.request({ host: `${'far.'.repeat(12)}example.org`, sentBytes: 4_200, receivedBytes: 1_300 })
    void seed.request({ purpose: 'skill_import', sentBytes: null, receivedBytes: null })
  }, privacy)
  for (const name of ['Who was contacted', 'Each request']) {
    await expect.element(table(name)).toBeVisible()
    const frame = table(name).element().parentElement!
    expect(frame.scrollWidth).toBeLessThanOrEqual(frame.clientWidth)
    await expect.element(table(name).getByRole('cell', { name: /4.2 kB/ })).toBeVisible()
    await expect.element(table(name).getByRole('columnheader', { name: 'Sent' })).toBeInTheDocument()
  }
  await page.viewport(1280, 800)
  await expect.element(table('Each request').getByRole('columnheader', { name: 'Sent' })).toBeVisible()
})

test('a new request appears by itself', async () => {
  const host = await showSettings(({ seed }) => void seed.request({}), privacy)
  await expect.poll(() => rowsOf('Each request')).toBe(1)
  const server = { protocol: 'openai', baseUrl: host.modelUrl, model: '', apiKey: '' } as const
  await host.elsewhere['model.tryServer'](server)
  await expect.element(table('Each request').getByRole('row', { name: /Server test/ })).toBeVisible()
})

test('older requests load page by page', async () => {
  await showSettings(({ seed }) => {
    for (let index = 0; index < 70; index++) void seed.request({ subject: `Model ${index}` })
  }, privacy)
  await expect.poll(() => rowsOf('Each request')).toBe(50)
  await press('Show more').click()
  await expect.poll(() => rowsOf('Each request')).toBe(70)
  await expect.element(page.getByText('Model 0', { exact: true })).toBeInTheDocument()
  await expect.element(press('Show more')).not.toBeInTheDocument()
})

test('the list is cleared only after confirmation', async () => {
  const host = await showSettings(({ seed }) => {
    void seed.request({})
    void seed.request({})
  }, privacy)
  await press('Clear the list…').click()
  await expect.element(page.getByText(/^The record of 2 requests is deleted\./)).toBeVisible()
  await press('Cancel').click()
  const { entries } = await host.elsewhere['network.list']({})
  expect(entries).toHaveLength(2)
  await press('Clear the list…').click()
  await press('Clear the list').click()
  await expect.element(page.getByText('No requests yet.')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('if the list cannot be read, the page says why and can try again', async () => {
  let heal = () => {}
  await showSettings(host => {
    void host.seed.request({})
    heal = host.failEach('network.list', new Fault('internal', 'No disk.'))
  }, privacy)
  await expect.element(page.getByText('The list could not be read: No disk.')).toBeVisible()
  heal()
  await press('Try again').click()
  await expect.element(table('Each request')).toBeVisible()
  await expect.element(page.getByText(/could not be read/)).not.toBeInTheDocument()
})

test('each server says where its key is, what it is for and where to get it, without showing a key', async () => {
  const servers = [
    { id: 'a', name: 'Big model', base_url: 'https://llm.example.org/v1', model: 'big' },
    { id: 'b', name: 'Local model', base_url: 'http://localhost:1234/v1', model: 'small' },
  ]
  await showSettings(undefined, {
    ...privacy,
    config: { models: { servers } },
    homeFiles: { '.env': 'TALARIA_SERVER_A_KEY=sk-secret\n' },
  })
  const keys = page.getByRole('list', { name: 'Keys' })
  await expect
    .element(keys.getByRole('listitem').first())
    .toMatchTextContent(/TALARIA_SERVER_A_KEY.*From \.env, line 1.*Big model/)
  await expect
    .element(keys.getByRole('listitem').last())
    .toMatchTextContent(/TALARIA_SERVER_B_KEY.*Not set.*Local model/)
  expect(document.body.textContent).not.toContain('sk-secret')
})

test('a key is entered unseen, kept and removed; one with a space is refused', async () => {
  const lab = { id: 'lab', name: 'Lab', base_url: 'https://llm.example.org/v1', model: 'big' }
  const host = await showSettings(undefined, { ...privacy, config: { models: { servers: [lab] } } })
  const name = 'TALARIA_SERVER_LAB_KEY'
  await press(`Enter the key… ${name}`).click()
  const dialog = page.getByRole('dialog', { name: 'Enter a key' })
  const typed = dialog.getByLabelText(name)
  await expect.element(typed).toHaveAttribute('type', 'password')
  await typed.fill('sk secret')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('a space or another character')
  await typed.fill('sk-secret')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect.element(row).toMatchTextContent(/From \.env, line 1.*Key of the server “Lab”/)
  expect(document.body.textContent).not.toContain('sk-secret')
  await press(`Remove ${name}`).click()
  await expect.element(row).toMatchTextContent('Not set')
  expect(host.asked.filter(each => each.name === 'settings.setKey').length).toBe(3)
})

test('every key that Talaria knows is a click away, and says where to get it', async () => {
  await showSettings(undefined, privacy)
  await press(/^Show \d+ more keys$/).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Key of Mistral' })
  await expect.element(row.getByRole('link')).toHaveAttribute('href', 'https://console.mistral.ai/api-keys')
  await press('Show fewer keys').click()
  await expect.element(page.getByRole('link', { name: /mistral/ })).not.toBeInTheDocument()
})
