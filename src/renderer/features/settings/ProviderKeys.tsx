import { CircleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Key, Source } from '../../../shared/contract/settings.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { countOf } from '../../ui/text/format-values.ts'
import { Highlight } from '../../ui/text/InlineText.tsx'
import { KeyDialog } from '../../ui/Dialog.tsx'
import { Part } from './SectionParts.tsx'
import { useSettingList, useSettingActions } from './use-settings.ts'
import { placeElements } from '../../ui/text/place-elements.tsx'

const HINTS = {
  desktop:
    'Talaria keeps keys encrypted where this system has a keychain, otherwise in the file .env, which only you can read. They never appear in the settings file, a log, an export or this window.',
  other:
    'Talaria keeps keys in the file .env, which only your user can read. They never appear in the settings file, a log, an export or this window.',
} as const

/** The keys that are set or needed, then all others that Talaria knows. */
export function ProviderKeys(): ReactNode {
  const hosting = useHost(host => host.hello?.hosting)
  const { keys } = useSettingList()
  const [isAll, setAll] = useState(false)
  const used = keys.filter(isUsed)
  const others = keys.length - used.length
  return (
    <Part id="keys" title="Keys" hint={HINTS[hosting === 'desktop' ? 'desktop' : 'other']}>
      <div className="grid gap-2">
        {used.length === 0 && !isAll && <p className="text-sm text-ink-2">No key is set or needed.</p>}
        {(used.length > 0 || isAll) && (
          <ul aria-label="Keys" className="setting-list">
            {(isAll ? keys : used).map(each => (
              <li key={each.name} className="border-t border-line first:border-t-0">
                <ProviderKeyRow of={each} />
              </li>
            ))}
          </ul>
        )}
        {others > 0 && (
          <button
            type="button"
            aria-expanded={isAll}
            className="btn btn-quiet justify-self-start"
            onClick={() => setAll(!isAll)}
          >
            {isAll ? 'Show fewer keys' : `Show ${countOf(others, 'more key', 'more keys')}`}
          </button>
        )}
      </div>
    </Part>
  )
}

/** Whether a key is set, or belongs to a known server, tool or skill. */
const isUsed = ({ name, source, missingFor }: Key) =>
  source !== null || missingFor.length > 0 || name.startsWith('TALARIA_SERVER_')

/** A key: its purpose, where to get it, and whether it is set. Its value never reaches the window. */
export function ProviderKeyRow({ of, query = '' }: { of: Key; query?: string }): ReactNode {
  const { name, help, where, usedBy, masked, value, source, missingFor } = of
  const [asked, setAsked] = useState(false)
  const { setKey } = useSettingActions()
  const isOurs = source?.from === '.env' || source?.from === 'vault'
  const kind = masked ? 'key' : 'value'
  return (
    <div data-setting={name} className="setting">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span dir="ltr" className="font-mono text-sm break-all">
            <Highlight text={name} query={query} />
          </span>
          <span className="badge">{source ? sourceWords(source) : 'Not set'}</span>
        </p>
        <p className="text-xs break-words text-ink-2">
          <Highlight text={help} query={query} />
        </p>
        {value !== null && <p className="font-mono text-xs break-all text-ink-2">{value}</p>}
        <p className="text-xs break-words text-ink-3">
          {placeElements('Get it: {where}', {
            where: where.startsWith('https://') ? (
              <a href={where} target="_blank" rel="noreferrer" className="link-btn break-all">
                {where}
              </a>
            ) : (
              where
            ),
          })}
        </p>
        <p className="text-xs break-words text-ink-3">
          {placeElements('Used by: {names}', {
            names: <Highlight text={usedBy.join(', ')} query={query} />,
          })}
        </p>
        {missingFor.length > 0 && (
          <p className="mt-1 flex items-start gap-1.5 text-xs text-ink">
            <CircleAlert size={14} className="mt-px shrink-0 text-warn" />
            <span>{`Needed by: ${missingFor.join(', ')}`}</span>
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-1">
        <button type="button" className="btn btn-secondary" onClick={() => setAsked(true)}>
          {source ? 'Replace…' : `Enter the ${kind}…`}
          <span className="sr-only"> {name}</span>
        </button>
        {isOurs && (
          <button type="button" className="btn btn-quiet" onClick={() => void setKey(name, null)}>
            {placeElements('Remove {name}', { name: <span className="sr-only">{name}</span> })}
          </button>
        )}
      </div>
      {asked && (
        <KeyDialog
          title={masked ? 'Enter a key' : 'Enter a value'}
          name={name}
          hint={masked ? `${help} It is never shown again.` : help}
          isSecret={masked}
          save={value => setKey(name, value)}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  )
}

function sourceWords({ from, line }: Source): string {
  if (from === 'vault') return 'Kept by the system'
  if (from === 'environment') return 'From the environment'
  return line === null ? `From ${from}` : `From ${from}, line ${line}`
}
