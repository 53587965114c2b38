import type { ReactNode } from 'react'
import { RevealButton } from '../../desktop.tsx'
import { useHost, useHostStore } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { CopyButton, copyText } from '../../ui/IconButton.tsx'
import { useSettingList } from './use-settings.ts'
import { diagnosticsOf } from './setting-texts.ts'
import { Part } from './SectionParts.tsx'

/** The data paths of Talaria, with copy buttons. */
export function Places(): ReactNode {
  const hello = useHost(host => host.hello)
  const { file } = useSettingList()
  const places = [
    ['Chats, memory, skills, models', hello?.home ?? ''],
    ['Settings', file],
    ['Working folder of new chats', hello?.workspace ?? ''],
  ] as const
  return (
    <Part id="where" title="Where everything is kept" hint="Everything is on this computer.">
      <ul aria-label="Where everything is kept" className="setting-list">
        {places.map(([name, path]) => (
          <li key={name} className="setting">
            <div className="min-w-0 flex-1">
              <p className="text-sm font-medium">{name}</p>
              <p dir="ltr" className="font-mono text-xs leading-5 break-all text-ink-2 rtl:text-end">
                {path}
              </p>
            </div>
            <RevealButton path={path} name={name} />
            <CopyButton label={`Copy the path: ${name}`} doneLabel="Copied" text={() => path} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

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
  const { settings } = useSettingList()
  if (!hello) return null
  const rows = [
    ['Version', hello.version],
    ['System', hello.platform],
    ['Runs as', HOSTINGS[hello.hosting]],
    ['Engine', PHASES[engine.phase]],
  ] as const
  const copy = async () => {
    const text = diagnosticsOf(host.getState(), settings ?? [], navigator.userAgent)
    if (await copyText(text)) showToast('Copied.')
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
