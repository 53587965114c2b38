import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HostProvider } from '../rpc/host-context.tsx'
import { addressOf, runOn, type Computer } from './a-computer.ts'
import { openWindow, startHost } from './show-window.tsx'
import type { PreparedHost, TestHost, TestHostOptions } from './test-host.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { Banners } from '../features/notices/Notices.tsx'
import { Ledger } from '../features/settings/network/Ledger.tsx'
import { FirstModel } from '../features/setup/ModelDownload.tsx'
import { SetupPage } from '../features/setup/SetupPage.tsx'

type Options = TestHostOptions & {
  computer?: Partial<Computer>
  /** Setup on the running host before the steps render. */
  begun?: (host: TestHost) => Promise<unknown>
}

/** A host before its first run, with only the bundled model. */
async function firstRun(
  prepare: (host: PreparedHost) => void = () => {},
  { computer, begun, config, ...options }: Options = {},
): Promise<TestHost> {
  const empty = { default: 'builtin', servers: [] }
  const host = await startHost(prepare, {
    ...options,
    config: { ui: { setup_done: false }, models: empty, engine: { gpu: 'off' }, ...config },
  })
  runOn(host, computer)
  await begun?.(host)
  return host
}

/** Render the whole window in its first run. */
export async function showFirstRun(...given: Parameters<typeof firstRun>): Promise<TestHost> {
  const host = await firstRun(...given)
  await openWindow(host)
  return host
}

/** Render only the first-run steps, with a test computer that lets a model answer. */
export async function showSteps(
  ...given: Parameters<typeof firstRun>
): Promise<TestHost & { told: string[] }> {
  const host = await firstRun(...given)
  const told: string[] = []
  await render(
    <HostProvider link={host.link}>
      <SetupPage
        banners={<Banners />}
        ledger={<Ledger />}
        onAddFile={() => told.push('file')}
        onAddServer={() => told.push('server')}
        onScan={() => told.push('scan')}
        onStart={() => told.push('start')}
      />
      <FirstModel />
      <Toasts label="What just happened" closeLabel="Close message" />
    </HostProvider>,
  )
  return { ...host, told }
}

/** Download a catalogue file, as another window would. */
export const fetchFrom = (host: TestHost, catalogueId: string) =>
  host.elsewhere['download.start']({ address: addressOf(host, catalogueId) })

export const defaultModel = async ({ elsewhere }: TestHost) => (await elsewhere['model.list']({})).defaultId

export const title = (name: string) => page.getByRole('heading', { level: 1, name })
export const next = () => page.getByRole('button', { name: 'Continue' })
export const back = () => page.getByRole('button', { name: 'Back' })

const titles = ['Welcome to Talaria', 'This computer', 'A model', 'How should it learn?', 'Ready'] as const

/** Advance to the step with this title. */
export async function goTo(wanted: (typeof titles)[number]): Promise<void> {
  for (const each of titles) {
    await expect.element(title(each)).toBeVisible()
    if (each === wanted) return
    await next().click()
  }
}

/** The requests of the steps with this name, in order. */
export const asked = (host: Pick<TestHost, 'asked'>, name: string) =>
  host.asked.filter(each => each.name === name).map(each => each.input)
