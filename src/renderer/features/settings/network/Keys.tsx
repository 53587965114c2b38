import type { ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { Part } from '../sections/Part.tsx'
import { networkText } from './strings.ts'

/** Where the keys of servers are, never the keys. */
export function Keys(): ReactNode {
  const hosting = useHost(host => host.hello?.hosting)
  const models = useHost(host => host.models)
  const servers = models.filter(model => model.server !== null)
  return (
    <Part
      id="keys"
      title={networkText.keys}
      hint={networkText.keysHint[hosting === 'desktop' ? 'desktop' : 'other']}
    >
      {servers.length === 0 ? (
        <p className="text-sm text-ink-2">{networkText.noServers}</p>
      ) : (
        <ul aria-label={networkText.keys} className="setting-list">
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
              <span className="badge">{networkText.keyOf[server?.key ?? 'none']}</span>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
