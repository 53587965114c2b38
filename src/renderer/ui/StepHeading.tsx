import { useEffect, useRef, type ReactNode } from 'react'

/** What this step is about. It takes the focus: the button that led here is gone, and a screen reader reads on from it. */
export function StepHeading({ children }: { children: ReactNode }): ReactNode {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <h3 ref={ref} tabIndex={-1} className="text-sm font-semibold outline-none">
      {children}
    </h3>
  )
}
