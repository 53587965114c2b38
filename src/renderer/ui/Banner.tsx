import type { ReactNode } from 'react'
import { Icon } from './IconButton.tsx'
import { cx } from './style.ts'

type Props = { level: 'info' | 'warning' | 'error'; children: ReactNode; actions?: ReactNode }

const looks = {
  info: 'border-line bg-sunken',
  warning: 'border-warn-line bg-warn-soft',
  error: 'border-danger/30 bg-danger-soft',
}
const signs = { info: 'text-ink-2', warning: 'text-warn', error: 'text-danger' }

/** A message across the page that stays until the user acts on it or it no longer applies. */
export function Banner({ level, children, actions }: Props): ReactNode {
  return (
    <div
      className={cx('flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2 text-sm', looks[level])}
    >
      <span className={signs[level]}>
        <Icon name={level === 'info' ? 'info' : 'warning'} />
      </span>
      <div className="min-w-0 flex-1 basis-60 wrap-anywhere">{children}</div>
      {actions !== undefined && <div className="flex items-center gap-1">{actions}</div>}
    </div>
  )
}

type ProblemProps = { text: string | null | undefined; id?: string; className?: string }

/** What failed, in red, which screen readers announce at once. Nothing without a text. */
export function Problem({ text, id, className = 'text-sm' }: ProblemProps): ReactNode {
  if (!text) return null
  return (
    <p id={id} role="alert" className={cx('text-danger', className)}>
      {text}
    </p>
  )
}
