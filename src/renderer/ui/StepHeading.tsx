import { useEffect, useRef, type ReactNode } from 'react'

/**
 * The heading of a step. It takes focus because the previous button is gone, so that screen readers continue
 * here.
 */
export function StepHeading({ children }: { children: ReactNode }): ReactNode {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <h3 ref={ref} tabIndex={-1} className="text-sm font-semibold outline-none">
      {children}
    </h3>
  )
}
