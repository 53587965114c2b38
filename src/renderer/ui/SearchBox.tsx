import { Search } from 'lucide-react'
import { useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import { isKey } from './keys.ts'

type Props = {
  label: string
  hint?: string
  query: string
  onQuery: (query: string) => void
  /** Receives key events that the box does not handle. The box handles Esc when it has a query. */
  onKeyDown?: (event: KeyboardEvent) => void
  fieldRef?: RefObject<HTMLInputElement | null>
  /** Shown at the end of an empty box. */
  whenEmpty?: ReactNode
  icon?: ReactNode
  className?: string
  fieldClassName?: string
  /** Marks the field that the search shortcut focuses. */
  isMain?: boolean
}

/** A search field with an icon and a button that clears it. Esc clears it too. */
export function SearchBox(props: Props): ReactNode {
  const { label, hint = 'Search', query, onQuery, onKeyDown, whenEmpty, icon, isMain = false } = props
  const { className = 'relative flex items-center', fieldClassName = 'field ps-8 pe-9' } = props
  const own = useRef<HTMLInputElement>(null)
  const field = props.fieldRef ?? own
  const clear = () => {
    field.current?.focus()
    onQuery('')
  }
  return (
    <div className={className}>
      <span className="pointer-events-none absolute start-2.5 text-ink-2">
        {icon ?? <Search size={15} />}
      </span>
      <input
        ref={field}
        type="text"
        role="searchbox"
        data-search={isMain ? '' : undefined}
        dir="auto"
        value={query}
        maxLength={200}
        aria-label={label}
        placeholder={hint}
        className={fieldClassName}
        onChange={event => onQuery(event.target.value)}
        onKeyDown={event => {
          if (!isKey(event, 'escape') || query === '') return onKeyDown?.(event)
          event.preventDefault()
          onQuery('')
        }}
      />
      <span className="absolute end-1 flex items-center">
        {query === '' ? (
          whenEmpty
        ) : (
          <IconButton small label="Clear the search" onClick={clear}>
            <Icon name="close" size={13} />
          </IconButton>
        )}
      </span>
    </div>
  )
}
