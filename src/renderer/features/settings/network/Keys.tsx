import type { ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { Part } from '../sections/Part.tsx'

const KEY_SOURCES = { stored: 'Kept here', environment: 'From the environment', none: 'No key' } as const

const HINTS = {
  desktop:
    'Talaria keeps server keys encrypted where this system has a keychain, otherwise in the file .env, which only you can read. They never appear in the settings file, a log, an export or this window.',
  other:
    'Talaria keeps server keys in the file .env, which only your user can read. They never appear in the settings file, a log, an export or this window.',
} as const

/** Where the server keys are stored. Keys are never shown. */
export function Keys(): ReactNode {
  const hosting = useHost(host => host.hello?.hosting)
  const models = useHost(host => host.models)
  const servers = models.filter(model => model.server !== null)
  return (
    <Part id="keys" title="Keys" hint={HINTS[hosting === 'desktop' ? 'desktop' : 'other']}>
      {servers.length === 0 ? (
        <p className="text-sm text-ink-2">No servers, so no keys.</p>
      ) : (
        <ul aria-label="Keys" className="setting-list">
          {servers.map(({ id, name, server }) => (
            <li key={id} className="setting">
              <div className="min-w-0 flex-1">
                <p dir="auto" className="text-sm font-medium">
                  {name}
                </p>
                <p dir="ltr" className="text-xs break-all text-ink-3 rtl:text-end">
                  {server?.baseUrl}
                </p>
              </div>
              <span className="badge">{KEY_SOURCES[server?.key ?? 'none']}</span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
