import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'

type Props = {
  as?: 'pre' | 'div'
  label: string
  className?: string
  dir?: 'ltr' | 'auto'
  /** Keep the end in sight while the content grows. */
  atEnd?: boolean
  children: ReactNode
}

/** Content that may be larger than its place; only then it is a stop for the Tab key, so that arrows can scroll it. */
export function Scrollable({
  as: Tag = 'div',
  label,
  className,
  dir,
  atEnd = false,
  children,
}: Props): ReactNode {
  const ref = useRef<HTMLPreElement & HTMLDivElement>(null)
  const [overflows, setOverflows] = useState(false)

  useLayoutEffect(() => {
    if (atEnd && ref.current) ref.current.scrollTop = ref.current.scrollHeight
  })

  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setOverflows(isLarger(element))
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    // New content may be larger without the place having changed.
    const filled = new MutationObserver(measure)
    filled.observe(element, { childList: true, subtree: true, characterData: true })
    return () => {
      resized.disconnect()
      filled.disconnect()
    }
  }, [])

  const stop = overflows ? { tabIndex: 0, role: 'group', 'aria-label': label } : {}
  return (
    <Tag ref={ref} className={className} dir={dir} {...stop}>
      {children}
    </Tag>
  )
}

/** Whether the content of an element is larger than its place. */
function isLarger({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1
}
