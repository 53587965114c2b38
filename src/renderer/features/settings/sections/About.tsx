import type { ReactNode } from 'react'
import { useHost, useHostStore } from '../../../rpc/host-context.tsx'
import { copyText } from '../../../ui/CopyButton.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { diagnosticsOf } from '../diagnostics.ts'
import { useSettingsPlace } from '../settings-context.ts'
import { settingsText } from '../strings.ts'
import { Part } from './Part.tsx'

/** What this is, and what to copy into a report. */
export function About(): ReactNode {
  const hello = useHost(host => host.hello)
  const engine = useHost(host => host.engine)
  const host = useHostStore()
  const { store } = useSettingsPlace()
  if (!hello) return null
  const rows = [
    [settingsText.version, hello.version],
    [settingsText.platform, hello.platform],
    [settingsText.hosting, settingsText.hostings[hello.hosting]],
    [settingsText.engine, settingsText.engines[engine.phase]],
  ] as const
  const copy = async () => {
    const text = diagnosticsOf(host.getState(), store.getState().settings ?? [], navigator.userAgent)
    const isCopied = await copyText(text)
    showToast(isCopied ? settingsText.copied : settingsText.notCopied, isCopied ? {} : { level: 'error' })
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
      <Part id="diagnostics" title={settingsText.diagnostics} hint={settingsText.diagnosticsHint}>
        <button type="button" className="btn btn-secondary" onClick={() => void copy()}>
          {settingsText.copyDiagnostics}
        </button>
      </Part>
    </>
  )
}
