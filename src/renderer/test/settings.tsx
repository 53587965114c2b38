import { useEffect, useState, type ReactNode } from 'react'
import { vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HostProvider, useHost } from '../rpc/host-context.tsx'
import { startHost } from './show-window.tsx'
import type { PreparedHost, TestHost, TestHostOptions } from './test-host.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { ExportForm, createExport, type ExportJob } from '../features/export/Export.tsx'
import { createBackupJobs, createSettings, type BackupJobs } from '../features/settings/settings-store.ts'
import { SettingsPage } from '../features/settings/SettingsPage.tsx'

/** Callbacks from the page to the window. */
type Around = {
  onModels: () => void
  onImport: () => void
  onSection: (section: string) => void
}

/** The test host, the callbacks, and the settings as stored by the host. */
export type Shown = TestHost & Around & { value: (path: string) => Promise<unknown> }

type Options = TestHostOptions & {
  section?: string | null
  /** Setup on the running host before the page renders. */
  begun?: (host: TestHost) => Promise<unknown>
}

/** Render the page with a real host, at a section if given. */
export async function showSettings(
  prepare: (host: PreparedHost) => void = () => {},
  { section = null, begun, ...options }: Options = {},
): Promise<Shown> {
  const host = await startHost(prepare, options)
  await begun?.(host)
  const around = { onModels: vi.fn(), onImport: vi.fn(), onSection: vi.fn() }
  const store = createSettings()
  const jobs = createBackupJobs(host.link)
  const exportAll = createExport(host.link)
  await render(
    <HostProvider link={host.link}>
      <Window store={store} jobs={jobs} exportAll={exportAll} first={section} {...around} />
    </HostProvider>,
  )
  const value = async (path: string) => {
    const { settings } = await host.elsewhere['settings.list']({})
    return settings.find(each => each.path === path)?.value
  }
  return { ...host, ...around, value }
}

type Props = Around & {
  store: ReturnType<typeof createSettings>
  jobs: BackupJobs
  exportAll: ExportJob
  first: string | null
}

/** Wraps the page with the theme, the URL state and toasts. */
function Window({ store, jobs, exportAll, first, onModels, onImport, onSection }: Props): ReactNode {
  const [section, setSection] = useState(first)
  const theme = useHost(host => host.settings.theme)
  const isGreeted = useHost(host => host.hello !== null)
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme
    document.documentElement.lang = 'en'
  }, [theme])
  if (!isGreeted) return null
  return (
    <div className="flex h-dvh flex-col">
      <main className="flex min-h-0 flex-1 flex-col">
        <SettingsPage
          store={store}
          jobs={jobs}
          exporting={<ExportForm job={exportAll} />}
          section={section}
          onSection={next => {
            onSection(next)
            setSection(next)
          }}
          models={<p>The list of models</p>}
          import={
            <button type="button" className="btn btn-secondary" onClick={onImport}>
              Import chats and memories…
            </button>
          }
          deleted={null}
          toolsets={null}
          confinement={null}
          onModels={onModels}
        />
      </main>
      <Toasts label="What just happened" closeLabel="Close" />
    </div>
  )
}

/** A link in the list of sections. */
export const way = (name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name })

export const heading = (name: string) => page.getByRole('heading', { name, exact: true })
export const field = (name: string) => page.getByRole('textbox', { name, exact: true })
export const choice = (name: string) => page.getByRole('combobox', { name, exact: true })
export const toggle = (name: string) => page.getByRole('switch', { name, exact: true })
export const search = () => page.getByRole('searchbox', { name: 'Search all settings' })
export const press = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
