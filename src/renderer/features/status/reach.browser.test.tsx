import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import '../../app.css'
import { Fault } from '../../../shared/rpc.ts'
import { HostProvider } from '../../rpc/host-context.tsx'
import { startHost } from '../../test/show-window.tsx'
import { Toasts } from '../../ui/Toasts.tsx'
import { ReachSegment } from './ReachSegment.tsx'

const models = {
  nearby: { name: 'Big model', baseUrl: 'http://localhost:1234/v1', model: 'big' },
  far: { name: 'Big model', baseUrl: 'https://llm.example.org/v1', model: 'big' },
} as const
type Which = 'demo' | keyof typeof models | 'none'

async function showReach(which: Which, { locked = false, onPrivacy = () => {} } = {}) {
  const host = await startHost(() => {}, { config: { network: { offline: locked } } })
  const { 'model.list': list, 'model.addServer': add } = host.elsewhere
  const model =
    which === 'none'
      ? undefined
      : which === 'demo'
        ? (await list({})).models.find(({ demo }) => demo)
        : await add({ ...models[which], apiKey: '' })
  await cleanup()
  await render(
    <HostProvider link={host.link}>
      <div className="status-bar fixed inset-x-0 bottom-0 justify-end">
        <ReachSegment model={model} onPrivacy={onPrivacy} />
      </div>
      <Toasts label="What just happened" closeLabel="Close" />
    </HostProvider>,
  )
  return host
}

const segment = (words: string | RegExp) => page.getByRole('button', { name: words })
const lock = page.getByRole('switch', { name: 'Offline lock' })

test.for([
  ['demo', false, 'Local: nothing leaves this computer'],
  ['none', false, 'Local: nothing leaves this computer'],
  ['nearby', false, 'Local: Big model runs on this computer'],
  ['far', false, 'Server: messages go to Big model'],
  ['demo', true, 'Offline lock: nothing can leave this computer'],
  ['nearby', true, 'Offline lock: nothing can leave this computer'],
  ['far', true, 'Offline lock: Big model is blocked'],
] as const)('the status bar says where messages go: %s, locked %s', async ([which, locked, words]) => {
  await showReach(which, { locked })
  await expect.element(segment(words)).toBeVisible()
})

test('a click shows the offline lock and a link to the requests sent', async () => {
  const onPrivacy = vi.fn()
  const host = await showReach('far', { onPrivacy })
  await segment(/^Server/).click()
  await lock.click()
  await expect.element(segment('Offline lock: Big model is blocked')).toBeVisible()
  const { settings } = await host.elsewhere['settings.list']({})
  expect(settings.find(({ path }) => path === 'network.offline')?.value).toBe(true)
  await segment('What was sent').click()
  expect(onPrivacy).toHaveBeenCalledOnce()
  await expect.element(lock).not.toBeInTheDocument()
})

test('the offline lock keeps its state if the host refuses', async () => {
  const host = await showReach('demo')
  await segment(/^Local/).click()
  host.failNext('network.lock', new Fault('internal', 'The disk is full.'))
  await lock.click()
  await expect.element(page.getByText('The lock was not changed: The disk is full.')).toBeVisible()
  await expect.element(lock).not.toBeChecked()
})

test('an offline lock set elsewhere is shown', async () => {
  const host = await showReach('demo')
  await expect.element(segment('Local: nothing leaves this computer')).toBeVisible()
  await host.elsewhere['network.lock']({ locked: true })
  await expect.element(segment('Offline lock: nothing can leave this computer')).toBeVisible()
})
