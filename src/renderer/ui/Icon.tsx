import type { ReactNode } from 'react'

/** Built-in icons for the basic components, so that `ui` depends only on React. */
const paths = {
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.500 4.500L19 7.500',
  copy: 'M9 9h10v11H9zM6 15H5V4h10v2',
  chevron: 'M6 9.500l6 6 6-6',
  info: 'M12 11v5M12 7.800v.1M12 21a9 9 0 100-18 9 9 0 000 18z',
  warning:
    'M12 9.500v4M12 17v.1M10.300 4.300L2.700 17.500A2 2 0 004.400 20.500h15.200a2 2 0 001.700-3L13.700 4.300a2 2 0 00-3.400 0z',
} as const

export function Icon({ name, size = 16 }: { name: keyof typeof paths; size?: number }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      <path d={paths[name]} />
    </svg>
  )
}
