import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './cx.ts'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  /** The accessible name, also shown as a tooltip. */
  label: string
  small?: boolean
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** A square button with only an icon. */
export function IconButton({ label, small = false, className, children, ...rest }: Props): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx('icon-btn', small && 'icon-btn-small', className)}
      {...rest}
    >
      {children}
    </button>
  )
}
