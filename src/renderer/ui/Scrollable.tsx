import { useLayoutEffect, useRef, type ReactNode } from 'react'

type Props = {
  as?: 'pre' | 'div'
  label: string
  className?: string
  dir?: 'ltr' | 'auto'
  /** Stay scrolled to the end while the content grows. */
  atEnd?: boolean
  children: ReactNode
}

/**
 * A scroll container. It is always a tab stop, so that arrow keys can scroll it. Overflow is known only
 * after layout and changes with the window, so it is not checked.
 */
export function Scrollable({
  as: Tag = 'div',
  label,
  className,
  dir,
  atEnd = false,
  children,
}: Props): ReactNode {
  const ref = useRef<HTMLPreElement & HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (atEnd && ref.current) ref.current.scrollTop = ref.current.scrollHeight
  })

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role
    <Tag ref={ref} className={className} dir={dir} tabIndex={0} role="group" aria-label={label}>
      {children}
    </Tag>
  )
}
