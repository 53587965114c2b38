import type { ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { useSettings } from '../settings-context.ts'
import { settingsText } from '../strings.ts'
import { Part } from './Part.tsx'

const text = settingsText.data

/** Where everything is kept, to be copied. */
export function Places(): ReactNode {
  const hello = useHost(host => host.hello)
  const file = useSettings(settings => settings.file)
  const places = [
    [text.home, hello?.home ?? ''],
    [text.file, file],
    [text.workspace, hello?.workspace ?? ''],
  ] as const
  return (
    <Part id="where" title={text.where} hint={text.hint}>
      <ul aria-label={text.where} className="setting-list">
        {places.map(([name, path]) => (
          <li key={name} className="setting">
            <div className="min-w-0 flex-1">
              <p className="text-sm font-medium">{name}</p>
              <p dir="ltr" className="font-mono text-xs leading-5 break-all text-ink-2 rtl:text-end">
                {path}
              </p>
            </div>
            <CopyButton label={text.copy(name)} doneLabel={text.copied} text={() => path} />
          </li>
        ))}
      </ul>
    </Part>
  )
}
