import { useId, type KeyboardEvent, type ReactNode } from 'react'

type Props<T extends string> = {
  label: string
  tabs: readonly { value: T; label: string; count?: string }[]
  value: T
  onChange: (value: T) => void
  /** The content of the selected tab. */
  children: ReactNode
}

/** Tabs. Arrow keys, Home and End select a tab. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children }: Props<T>): ReactNode {
  const id = useId()
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = tabs.findIndex(tab => tab.value === value)
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const to = {
      ArrowRight: (at + forward + tabs.length) % tabs.length,
      ArrowLeft: (at - forward + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const next = to === undefined ? undefined : tabs[to]
    if (!next) return
    event.preventDefault()
    onChange(next.value)
    document.getElementById(`${id}-${next.value}`)?.focus()
  }
  return (
    <>
      <div role="tablist" aria-label={label} tabIndex={-1} className="tabs" onKeyDown={onKeyDown}>
        {tabs.map(tab => (
          <button
            key={tab.value}
            id={`${id}-${tab.value}`}
            type="button"
            role="tab"
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            className="tab"
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
            {tab.count !== undefined && <span className="text-xs text-ink-3"> {tab.count}</span>}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${value}`}
        // A scroll container needs keyboard focus, because some panels contain only text.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="tab-panel"
      >
        {children}
      </div>
    </>
  )
}
