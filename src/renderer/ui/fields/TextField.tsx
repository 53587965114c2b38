import { Search } from 'lucide-react'
import {
  useId,
  useRef,
  useState,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react'
import { isUnseen } from '../../../shared/visible-text/show-unseen.ts'
import { Icon, IconButton } from '../IconButton.tsx'
import { isKey } from '../keyboard/keys.ts'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: string
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** A text input with a label above and an error below. */
export function TextField({ label, hint, error, ...rest }: Props): ReactNode {
  const id = useId()
  const about = `${id}-about`
  const note = error ?? hint
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {label}
      </label>
      <input
        id={id}
        type="text"
        spellCheck={false}
        autoComplete="off"
        dir="auto"
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : about}
        className="field"
        {...rest}
      />
      {note !== undefined && (
        <p
          id={about}
          role={error === undefined ? undefined : 'alert'}
          className={error === undefined ? 'text-xs text-ink-3' : 'text-xs text-danger'}
        >
          {note}
        </p>
      )}
    </div>
  )
}

type SearchBoxProps = {
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
export function SearchBox(props: SearchBoxProps): ReactNode {
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
        {icon ?? <Search size={16} />}
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
            <Icon name="close" size={14} />
          </IconButton>
        )}
      </span>
    </div>
  )
}

type InPlaceFieldProps = {
  text: string
  label: string
  className: string
  /** Called with the new text, or null for no change. */
  onDone: (text: string | null) => void
}

/** An inline text editor. Enter or blur saves, Esc discards. Key events do not leave the field. */
export function InPlaceField({ text: before, label, className, onDone }: InPlaceFieldProps): ReactNode {
  const [text, setText] = useState(before)
  const [from] = useState(() => document.activeElement)
  const keep = () => onDone(isUnseen(text) || text.trim() === before ? null : text.trim())
  /** Return the focus to its earlier element. If the field replaced it, `keepFocus` finds a nearby one. */
  const goBack = () => {
    if (from instanceof HTMLElement && from !== document.body)
      requestAnimationFrame(() => document.activeElement === document.body && from.focus())
  }
  return (
    <input
      type="text"
      dir="auto"
      // The user has just asked to edit it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      value={text}
      maxLength={200}
      aria-label={label}
      className={className}
      onFocus={event => event.target.select()}
      onChange={event => setText(event.target.value)}
      onBlur={keep}
      onKeyDown={event => {
        event.stopPropagation()
        if (isKey(event, 'enter')) {
          keep()
          goBack()
        }
        if (!isKey(event, 'escape')) return
        event.preventDefault()
        onDone(null)
        goBack()
      }}
    />
  )
}
