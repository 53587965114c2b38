import type { ReactNode } from 'react'
import { useHost, useHostStore } from '../../../rpc/host-context.tsx'
import { copyText } from '../../../ui/IconButton.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { diagnosticsOf } from '../diagnostics.ts'
import { useSettingsPlace } from '../settings-context.ts'
import { Part } from './Part.tsx'

const PHASES = {
  stopped: 'asleep',
  starting: 'starting',
  loading: 'loading',
  ready: 'ready',
  busy: 'working',
  failed: 'stopped',
} as const

const HOSTINGS = {
  desktop: 'Desktop program',
  headless: 'Host for browsers',
  cli: 'Host for a terminal',
} as const

/** Version, system, and diagnostics to copy into a bug report. */
export function About(): ReactNode {
  const hello = useHost(host => host.hello)
  const engine = useHost(host => host.engine)
  const host = useHostStore()
  const { store } = useSettingsPlace()
  if (!hello) return null
  const rows = [
    ['Version', hello.version],
    ['System', hello.platform],
    ['Runs as', HOSTINGS[hello.hosting]],
    ['Engine', PHASES[engine.phase]],
  ] as const
  const copy = async () => {
    const text = diagnosticsOf(host.getState(), store.getState().settings ?? [], navigator.userAgent)
    const isCopied = await copyText(text)
    showToast(isCopied ? 'Copied.' : 'It could not be copied.', isCopied ? {} : { level: 'error' })
  }
  return (
    <>
      <dl className="setting-list">
        {rows.map(([name, value]) => (
          <div key={name} className="setting">
            <dt className="min-w-0 flex-1 text-sm font-medium">{name}</dt>
            <dd className="text-sm text-ink-2">{value}</dd>
          </div>
        ))}
      </dl>
      <Part
        id="diagnostics"
        title="Diagnostics"
        hint="Version, system, engine and the names of what you changed. No chats, no paths, no keys."
      >
        <button type="button" className="btn btn-secondary" onClick={() => void copy()}>
          Copy diagnostics
        </button>
      </Part>
    </>
  )
}
