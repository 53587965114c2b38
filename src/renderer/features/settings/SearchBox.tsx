import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isKey } from '../../ui/keys.ts'
import { useSettings } from './settings-context.ts'
import { settingsText } from './strings.ts'

const text = settingsText.search

/** Words to look for in all sections; Esc takes them back. */
export function SearchBox(): ReactNode {
  const query = useSettings(settings => settings.query)
  const setQuery = useSettings(settings => settings.setQuery)
  return (
    <div className="relative flex items-center">
      <Search size={15} className="pointer-events-none absolute start-2.5 text-ink-2" />
      <input
        type="text"
        role="searchbox"
        dir="auto"
        value={query}
        maxLength={200}
        aria-label={text.label}
        placeholder={text.hint}
        className="field ps-8 pe-9"
        onChange={event => setQuery(event.target.value)}
        onKeyDown={event => {
          if (!isKey(event, 'escape') || query === '') return
          event.preventDefault()
          setQuery('')
        }}
      />
      {query !== '' && (
        <span className="absolute end-1 flex">
          <IconButton
            small
            label={text.clear}
            onClick={event => {
              event.currentTarget.parentElement?.parentElement?.querySelector('input')?.focus()
              setQuery('')
            }}
          >
            <Icon name="close" size={13} />
          </IconButton>
        </span>
      )}
    </div>
  )
}
