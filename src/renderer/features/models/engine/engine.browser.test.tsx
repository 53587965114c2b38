import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { EngineInfo, Gpu } from '../../../../shared/contract/models/model.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { aMachine, anEngine, GB } from '../../../test/a-computer.ts'
import { button } from '../../../test/show-window.tsx'
import { asked, fill, showModels } from '../../../test/models.tsx'

const minutes = () => page.getByRole('textbox', { name: 'Minutes of idle time before a model is unloaded' })

test('the tab describes the computer and the engine', async () => {
  await showModels(fill, { tab: 'engine' })
  const panel = page.getByRole('tabpanel')
  await expect.element(panel).toMatchTextContent('Ryzen 7 5800U · 8 cores · AVX2')
  await expect.element(panel).toMatchTextContent('11 GB free of 16 GB')
  await expect.element(panel).toMatchTextContent('None the engine can use')
  await expect.element(panel).toMatchTextContent('120 GB free in /home/ada/.talaria/models')
  await expect.element(panel).toMatchTextContent('Runs onthe processor')
})

test('a graphics card is named with its memory, and other backends are listed', async () => {
  const gpu: Gpu = { backend: 'vulkan', names: ['Radeon 680M'], totalBytes: 8 * GB, freeBytes: 6 * GB }
  const engine: EngineInfo = {
    ...anEngine,
    backend: 'vulkan',
    devices: ['Radeon 680M'],
    installed: ['cpu', 'vulkan'],
    threads: null,
  }
  await showModels(fill, {
    tab: 'engine',
    computer: { machine: { ...aMachine, gpu }, engine },
  })
  const panel = page.getByRole('tabpanel')
  await expect.element(panel).toMatchTextContent('Radeon 680M · 6 GB free of 8 GB')
  await expect.element(panel).toMatchTextContent('the graphics card (Vulkan)')
  await expect.element(panel).toMatchTextContent('Also built forthe processor')
  await expect.element(panel).toMatchTextContent('chosen to suit this computer')
})

test('a benchmark adds a row with its result and date', async () => {
  const host = await showModels(fill, { tab: 'engine' })
  await expect.element(page.getByRole('row', { name: /130\.1 tokens\/s/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'Model to measure' }).selectOptions('big-8b')
  await button('Measure').click()
  const row = page.getByRole('row', { name: /big-8b/ })
  await expect.element(row).toMatchTextContent('84.2 tokens/s')
  await expect.element(row).toMatchTextContent('cpu, 6 threads')
  expect(row.element().querySelector('time')).not.toBeNull()
  expect(asked(host, 'engine.benchmark')).toEqual([{ id: host.big }])
})

test('only usable local models can be measured', async () => {
  await showModels(fill, { tab: 'engine' })
  await expect.element(page.getByRole('combobox', { name: 'Model to measure' })).toBeVisible()
  const options = [...document.querySelectorAll('select option')].map(option => option.textContent)
  expect(options).toEqual(['Built-in demo model', 'big-8b', 'huge-70b'])
})

test('a failed benchmark says why and can be started again', async () => {
  const host = await showModels(fill, { tab: 'engine' })
  host.failNext('engine.benchmark', new Fault('not_ready', 'The model could not be loaded.'))
  await button('Measure').click()
  await expect.element(page.getByText('The model could not be loaded.')).toBeVisible()
  await expect.element(button('Measure')).toBeEnabled()
})

test('the idle time is saved on leaving its field', async () => {
  const host = await showModels(fill, { tab: 'engine' })
  await minutes().fill('x')
  await expect.element(page.getByText('A number from 0 to 10,080.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(minutes()).toHaveValue('15')
  await minutes().fill('30')
  await userEvent.tab()
  await expect
    .poll(async () => (await host.elsewhere['settings.list']({})).settings)
    .toContainEqual(expect.objectContaining({ path: 'engine.idle_unload_minutes', value: 30 }))
})

test('the diagnostics can be copied, and the engine’s settings are linked', async () => {
  const host = await showModels(fill, { tab: 'engine' })
  await button('Copy diagnostics').click()
  await expect.element(page.getByText('The diagnostics are on the clipboard.')).toBeVisible()
  await button('All settings of the engine…').click()
  expect(host.told.asked).toEqual(['settings'])
})
