import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HostProvider } from '../../rpc/host-context.tsx'
import type { Link } from '../../rpc/link.ts'
import { fakeHost, type FakeHost } from '../../test/fake-host.ts'
import { aCatalogueModel } from '../../test/fake-models.ts'
// For what it does before every test, and for the looks of the window.
import '../../test/show-app.tsx'
import { Toasts } from '../../ui/Toasts.tsx'
import { Banners } from '../notices/Banners.tsx'
import { Ledger } from '../settings/network/Ledger.tsx'
import { FirstModel } from './FirstModel.tsx'
import { SetupPage } from './SetupPage.tsx'

/** Three models, of which the one in the middle is recommended. */
export function fill({ files }: FakeHost): void {
  files.catalogue = {
    asOf: '2026-11-01',
    models: [
      aCatalogueModel('Ant 1B', { goodAt: 'Short questions.' }),
      aCatalogueModel('Fox 8B', { goodAt: 'Tools and longer texts.' }),
      aCatalogueModel('Owl 70B', { goodAt: 'Hard questions.', licence: 'MIT' }),
    ],
    suggested: { light: 'Ant 1B-small', balanced: 'Fox 8B-balanced', best: 'Owl 70B-large' },
  }
}

export type Shown = FakeHost & { told: string[] }
type Options = Parameters<typeof fakeHost>[0] & {
  /** Calls that are answered in another way than by the fake host. */
  client?: Partial<Link['client']>
}

/** Draw the first steps by themselves, and what lets a first model answer. */
export async function showSteps(
  prepare: (host: FakeHost) => void = fill,
  { client, ...options }: Options = {},
): Promise<Shown> {
  const host = fakeHost({ ...options, hello: { setupDone: false, ...options.hello } })
  prepare(host)
  const told: string[] = []
  const link = { ...host.link, client: { ...host.link.client, ...client } }
  await render(
    <HostProvider link={link}>
      <SetupPage
        banners={<Banners />}
        ledger={<Ledger />}
        onAddFile={() => told.push('file')}
        onAddServer={() => told.push('server')}
        onScan={() => told.push('scan')}
        onStart={() => told.push('start')}
      />
      <FirstModel />
      <Toasts label="Messages" closeLabel="Close message" />
    </HostProvider>,
  )
  return Object.assign(host, { told })
}

export const title = (name: string) => page.getByRole('heading', { level: 1, name })
export const next = () => page.getByRole('button', { name: 'Continue' })
export const back = () => page.getByRole('button', { name: 'Back' })

const titles = ['Welcome to Talaria', 'This computer', 'A model', 'How should it learn?', 'Ready'] as const

/** Go on until the step of that title. */
export async function goTo(wanted: (typeof titles)[number]): Promise<void> {
  for (const each of titles) {
    await expect.element(title(each)).toBeVisible()
    if (each === wanted) return
    await next().click()
  }
}

/** What the steps asked under a name, in order. */
export const asked = (host: FakeHost, name: string) =>
  host.asked.filter(each => each.name === name).map(each => each.input)
