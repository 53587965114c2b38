import type { ReactNode } from 'react'
import { Kbd } from '../../ui/InlineText.tsx'
import { cx } from '../../ui/style.ts'

type Props = {
  label: string
  headline: string
  look?: 'primary' | 'secondary' | 'quiet'
  /** The letter that presses the button while its card has the focus. */
  keyName?: string
  disabled?: boolean
  onClick: () => void
}

/** An action button of a card. */
export function CardButton(props: Props): ReactNode {
  const { label, headline, look = 'secondary', keyName, disabled = false, onClick } = props
  return (
    <button
      type="button"
      data-key={keyName}
      aria-keyshortcuts={keyName?.toUpperCase()}
      disabled={disabled}
      className={cx('btn', { primary: 'btn-primary', secondary: 'btn-secondary', quiet: 'btn-quiet' }[look])}
      onClick={onClick}
    >
      {label}
      {/* The headline makes the accessible name unique. */}
      <span className="sr-only">{headline}</span>
      {keyName !== undefined && <Kbd keys={keyName} />}
    </button>
  )
}
