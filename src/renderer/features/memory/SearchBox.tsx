import type { ReactNode } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isKey } from '../../ui/keys.ts'
import { memoryText } from './strings.ts'

type Props = { label: string; hint: string; query: string; sign: ReactNode; onQuery: (query: string) => void }

/** Words to look for; Esc takes them back. */
export function SearchBox({ label, hint, query, sign, onQuery }: Props): ReactNode {
  return (
    <div className="relative flex min-w-40 flex-1 basis-full items-center">
      <span className="pointer-events-none absolute start-2.5 text-ink-2">{sign}</span>
      <input
        type="text"
        role="searchbox"
        dir="auto"
        value={query}
        maxLength={200}
        aria-label={label}
        placeholder={hint}
        className="field ps-8 pe-9"
        onChange={event => onQuery(event.target.value)}
        onKeyDown={event => {
          if (!isKey(event, 'escape') || query === '') return
          event.preventDefault()
          onQuery('')
        }}
      />
      {query !== '' && (
        <span className="absolute end-1 flex">
          <IconButton small label={memoryText.filter.clear} onClick={() => onQuery('')}>
            <Icon name="close" size={13} />
          </IconButton>
        </span>
      )}
    </div>
  )
}
