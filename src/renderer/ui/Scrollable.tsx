import { useLayoutEffect, useRef, type ReactNode } from 'react'

type Props = {
  as?: 'pre' | 'div'
  label: string
  className?: string
  dir?: 'ltr' | 'auto'
  /** Keep the end in sight while the content grows. */
  atEnd?: boolean
  children: ReactNode
}

/**
 * Content that may be larger than its place. It is a stop for the Tab key from the first paint, so that arrows can scroll it:
 * whether it overflows would be known only after it was measured, and changes with the window.
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
