import type { ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { CopyButton } from '../../../ui/IconButton.tsx'
import { useSettings } from '../settings-context.ts'
import { Part } from './Part.tsx'

/** The data paths of Talaria, with copy buttons. */
export function Places(): ReactNode {
  const hello = useHost(host => host.hello)
  const file = useSettings(settings => settings.file)
  const places = [
    ['Chats, memory, skills, models', hello?.home ?? ''],
    ['Settings', file],
    ['Working folder of new chats', hello?.workspace ?? ''],
  ] as const
  return (
    <Part
      id="where"
      title="Where everything is kept"
      hint="Everything is on this computer. To back it up, copy the first folder."
    >
      <ul aria-label="Where everything is kept" className="setting-list">
        {places.map(([name, path]) => (
          <li key={name} className="setting">
            <div className="min-w-0 flex-1">
              <p className="text-sm font-medium">{name}</p>
              <p dir="ltr" className="font-mono text-xs leading-5 break-all text-ink-2 rtl:text-end">
                {path}
              </p>
            </div>
            <CopyButton label={`Copy the path: ${name}`} doneLabel="Copied" text={() => path} />
          </li>
        ))}
      </ul>
    </Part>
  )
}
