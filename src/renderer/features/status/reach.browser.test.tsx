import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import '../../app.css'
import type { Model } from '../../../shared/contract/model.ts'
import { Fault } from '../../../shared/rpc.ts'
import { HostProvider } from '../../rpc/host-context.tsx'
import { demoModel, fakeHost, type FakeHost } from '../../test/fake-host.ts'
import { Toasts } from '../../ui/Toasts.tsx'
import { ReachSegment } from './ReachSegment.tsx'

const server = (nearby: boolean): Model => ({
  ...demoModel,
  name: 'Big model',
  kind: 'server',
  server: {
    serverId: 's1',
    protocol: 'openai',
    baseUrl: nearby ? 'http://localhost:1234/v1' : 'https://llm.example.org/v1',
    model: 'big',
    nearby,
    key: 'none',
  },
})

async function showReach(model: Model | undefined, host: FakeHost = fakeHost(), onPrivacy = () => {}) {
  await page.viewport(1280, 800)
  await cleanup()
  await render(
    <HostProvider link={host.link}>
      <div className="status-bar fixed inset-x-0 bottom-0 justify-end">
        <ReachSegment model={model} onPrivacy={onPrivacy} />
      </div>
      <Toasts label="Messages" closeLabel="Close" />
    </HostProvider>,
  )
  return host
}

const segment = (words: string | RegExp) => page.getByRole('button', { name: words })
const lock = page.getByRole('switch', { name: 'Offline lock' })

test.for([
  [demoModel, false, 'Offline: nothing leaves this computer'],
  [undefined, false, 'Offline: nothing leaves this computer'],
  [server(true), false, 'Offline: Big model runs on this computer'],
  [server(false), false, 'Online: messages go to Big model'],
  [demoModel, true, 'Offline lock: nothing can leave this computer'],
  [server(true), true, 'Offline lock: nothing can leave this computer'],
  [server(false), true, 'Offline lock: Big model cannot be asked'],
] as const)('where words go is said in words: %#', async ([model, locked, words]) => {
  await showReach(model, fakeHost({ hello: { locked } }))
  await expect.element(segment(words)).toBeVisible()
})

test('a click holds the lock, and the way to what was sent', async () => {
  const onPrivacy = vi.fn()
  const host = await showReach(server(false), fakeHost(), onPrivacy)
  await segment(/^Online/).click()
  await lock.click()
  await expect.element(segment('Offline lock: Big model cannot be asked')).toBeVisible()
  expect(host.config.locked()).toBe(true)
  await segment('What was sent').click()
  expect(onPrivacy).toHaveBeenCalledOnce()
  await expect.element(lock).not.toBeInTheDocument()
})

test('a lock that the host refuses is shown as it was', async () => {
  const host = await showReach(demoModel)
  await segment(/^Offline/).click()
  host.failNext('network.lock', new Fault('internal', 'The disk is full.'))
  await lock.click()
  await expect.element(page.getByText('The lock was not changed: The disk is full.')).toBeVisible()
  await expect.element(lock).not.toBeChecked()
})

test('a lock that was set elsewhere is seen', async () => {
  const host = await showReach(demoModel)
  await expect.element(segment('Offline: nothing leaves this computer')).toBeVisible()
  host.config.put('network.offline', true)
  await expect.element(segment('Offline lock: nothing can leave this computer')).toBeVisible()
})
