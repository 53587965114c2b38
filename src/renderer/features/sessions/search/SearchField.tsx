import { Search } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { isKey } from '../../../ui/keys.ts'
import { focusRow } from '../rows.ts'
import { searchText } from './strings.ts'

type Props = { query: string; onQuery: (query: string) => void; focused: boolean }

/** Searches titles and texts of all chats; the arrow down goes to what was found. */
export function SearchField({ query, onQuery, focused }: Props): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) field.current?.focus()
  }, [focused])
  return (
    <div className="relative flex items-center">
      <Search size={16} className="pointer-events-none absolute start-2.5 text-ink-2" />
      <input
        ref={field}
        type="text"
        role="searchbox"
        data-search=""
        dir="auto"
        value={query}
        maxLength={200}
        aria-label={searchText.label}
        placeholder={searchText.placeholder}
        className="search-field"
        onChange={event => onQuery(event.target.value)}
        onKeyDown={event => {
          if (isKey(event, 'escape') && query !== '') {
            event.preventDefault()
            onQuery('')
          } else if (isKey(event, 'arrowdown') || (isKey(event, 'enter') && query !== '')) {
            event.preventDefault()
            const row = focusRow('first')
            if (event.key === 'Enter') row?.click()
          }
        }}
      />
      <span className="absolute end-1.5 flex items-center">
        {query === '' ? (
          <Kbd keys="mod+shift+f" />
        ) : (
          <IconButton small label={searchText.clear} onClick={() => onQuery('')}>
            <Icon name="close" size={13} />
          </IconButton>
        )}
      </span>
    </div>
  )
}
