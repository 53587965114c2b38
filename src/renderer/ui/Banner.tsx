import type { ReactNode } from 'react'
import { Icon } from './IconButton.tsx'
import { cx } from './style.ts'

type Props = {
  level: 'info' | 'warning' | 'error'
  children: ReactNode
  actions?: ReactNode
  oneLine?: boolean
}

const looks = {
  info: 'border-line bg-sunken',
  warning: 'border-warn-line bg-warn-soft',
  error: 'border-danger/30 bg-danger-soft',
}
const signs = { info: 'text-ink-2', warning: 'text-warn', error: 'text-danger' }

/** The icon for the severity of a message. */
export const LevelSign = ({ level }: Pick<Props, 'level'>): ReactNode => (
  <span className={signs[level]}>
    <Icon name={level === 'info' ? 'info' : 'warning'} />
  </span>
)

/**
 * A message across the page that stays until the user acts on it or it no longer applies. With `oneLine`,
 * overflowing text is cut off, so an action has to show all of it.
 */
export function Banner({ level, children, actions, oneLine = false }: Props): ReactNode {
  const row = oneLine ? 'h-11' : 'flex-wrap gap-y-1 py-2'
  return (
    <div className={cx('flex items-center gap-x-3 border-b px-4 text-sm', row, looks[level])}>
      <LevelSign level={level} />
      <div className={cx('min-w-0 flex-1', oneLine ? 'truncate' : 'basis-60 wrap-anywhere')}>{children}</div>
      {actions !== undefined && <div className="flex shrink-0 items-center gap-1">{actions}</div>}
    </div>
  )
}

type ProblemProps = { text: string | null | undefined; id?: string; className?: string }

/** An error text in red, which screen readers announce at once. Renders nothing without a text. */
export function Problem({ text, id, className = 'text-sm' }: ProblemProps): ReactNode {
  if (!text) return null
  return (
    <p id={id} role="alert" className={cx('text-danger', className)}>
      {text}
    </p>
  )
}
