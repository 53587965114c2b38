import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import type { UpdateState } from '../../../../shared/contract/app.ts'
import { press, showSettings, toggle } from '../../../test/settings.tsx'

const updates = { section: 'updates' }

/** The section in a desktop app with a source of updates, which no test machine has; `become` changes its state. */
async function showUpdates(state: UpdateState) {
  const host = await showSettings(undefined, updates)
  let now = state
  const become = (next: UpdateState) => {
    now = next
    host.publish({ type: 'changed', areas: ['updates'] })
    return next
  }
  host.answer({
    'updates.read': () => ({ version: '0.1.0', source: 'updates.example.org', state: now }),
    'updates.check': () => become({ phase: 'checking' }),
    'updates.download': () => become({ phase: 'downloading', version: '0.2.0', share: 0.25 }),
    'updates.install': () => ({}),
  })
  become(state)
  return { host, become }
}

test('a host for browsers says that it cannot update itself, and offers nothing', async () => {
  await showSettings(undefined, updates)
  await expect.element(page.getByText('Version 0.1.0')).toBeVisible()
  await expect
    .element(
      page.getByText(
        'Only the installed desktop app can update itself. Update Talaria the way you installed it.',
      ),
    )
    .toBeVisible()
  await expect.element(page.getByRole('switch')).not.toBeInTheDocument()
})

test('a build without a source of updates says so', async () => {
  await showUpdates({
    phase: 'unavailable',
    why: 'This build has no source of updates.',
    fix: 'Install a newer version the way you installed this one.',
  })
  await expect.element(page.getByText(/This build has no source of updates/)).toBeVisible()
  await expect.element(press('Check for updates')).not.toBeInTheDocument()
})

test('from looking to installing, each step waits for a button', async () => {
  const { host, become } = await showUpdates({ phase: 'idle' })
  await expect.element(page.getByText('Newer versions come from updates.example.org.')).toBeVisible()
  await expect.element(toggle('Check for updates at every start')).not.toBeChecked()
  await press('Check for updates').click()
  await expect.element(page.getByText('Checking for a newer version…')).toBeVisible()
  become({ phase: 'available', version: '0.2.0', sizeBytes: 104_000_000 })
  await expect.element(page.getByText('Version 0.2.0 is available (104 MB).')).toBeVisible()
  await press('Download').click()
  await expect.element(page.getByText('Downloading version 0.2.0: 25%')).toBeVisible()
  await expect
    .element(page.getByRole('progressbar', { name: 'Download of version 0.2.0' }))
    .toBeInTheDocument()
  become({ phase: 'ready', version: '0.2.0' })
  await press('Install and restart').click()
  expect(host.asked.map(({ name }) => name).filter(name => /updates\.(?!read)/.test(name))).toEqual([
    'updates.check',
    'updates.download',
    'updates.install',
  ])
})

test('the newest version says when it was looked for, and a failure what to do', async () => {
  const { become } = await showUpdates({ phase: 'current', checkedAt: Date.now() })
  await expect.element(page.getByText(/This is the newest version/)).toBeVisible()
  await expect.element(press('Check again')).toBeVisible()
  become({ phase: 'failed', text: 'updates.example.org could not be reached.', fix: 'Check the network.' })
  await expect
    .element(page.getByText('updates.example.org could not be reached. Check the network.'))
    .toBeVisible()
  await expect.element(press('Try again')).toBeVisible()
})

test('a state that cannot be read is told, and read again on request', async () => {
  const { host, become } = await showUpdates({ phase: 'idle' })
  await expect.element(press('Check for updates')).toBeVisible()
  const heal = host.failEach('updates.read', new Fault('internal', 'Something went wrong in the host.'))
  become({ phase: 'idle' })
  await expect.element(page.getByText(/The update status could not be read/)).toBeVisible()
  heal()
  await press('Try again').click()
  await expect.element(press('Check for updates')).toBeVisible()
})
