import { Search } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Kbd } from '../../../ui/InlineText.tsx'
import { isKey } from '../../../ui/keys.ts'
import { SearchBox } from '../../../ui/TextField.tsx'
import { focusRow } from '../chat-row-focus.ts'

type Props = { query: string; onQuery: (query: string) => void; focused: boolean }

/** Searches titles and messages of all chats. Down moves to the results, Enter opens the first. */
export function SearchField({ query, onQuery, focused }: Props): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) field.current?.focus()
  }, [focused])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'arrowdown') && (!isKey(event, 'enter') || query === '')) return
    event.preventDefault()
    const row = focusRow('first')
    if (event.key === 'Enter') row?.click()
  }
  return (
    <SearchBox
      label="Search in chats"
      query={query}
      onQuery={onQuery}
      onKeyDown={onKeyDown}
      fieldRef={field}
      icon={<Search size={16} />}
      whenEmpty={<Kbd keys="mod+shift+f" />}
      fieldClassName="search-field"
      isMain
    />
  )
}
