import { useEffect, useState, type ButtonHTMLAttributes, type ReactNode, type Ref } from 'react'
import { keyText } from './keyboard/keys.ts'
import { cx } from './style.ts'
import { showToast } from './toast-list.ts'

/** The icons of the basic components. */
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

type CopyButtonProps = { label: string; doneLabel: string; text: () => string; className?: string }

/** Copies a text to the clipboard and confirms it for two seconds. */
export function CopyButton({ label, doneLabel, text, className }: CopyButtonProps): ReactNode {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 2_000)
    return () => clearTimeout(timer)
  }, [done])
  const copy = () => copyText(text()).then(setDone)
  return (
    <IconButton
      small
      label={done ? doneLabel : label}
      onClick={() => void copy()}
      {...(className ? { className } : {})}
    >
      <Icon name={done ? 'check' : 'copy'} size={16} />
    </IconButton>
  )
}

/** A path or a command, with a button that copies it. */
export function CopyLine({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <p className="flex items-center gap-2">
      <code dir="ltr" className="text-xs break-all">
        {text}
      </code>
      <CopyButton label={label} doneLabel="Copied" text={() => text} />
    </p>
  )
}

/**
 * Copies a text to the clipboard and resolves to whether that worked. A failure is shown here, so callers
 * need not; `instead` says what else to do if the text cannot be selected on the page.
 */
export async function copyText(text: string, instead?: string): Promise<boolean> {
  const isDone = await writeClipboard(text)
  if (!isDone)
    showToast(`Could not be copied. ${instead ?? `Select the text and press ${keyText('mod+c')}.`}`, {
      level: 'error',
      about: 'copy',
    })
  return isDone
}

/** Falls back to `execCommand` if the Clipboard API is denied or missing, as on a page without https. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    const before = document.activeElement
    const selected = getSelection()
    const ranges = Array.from({ length: selected?.rangeCount ?? 0 }, (_, at) => selected!.getRangeAt(at))
    area.value = text
    area.className = 'sr-only'
    // Nothing outside an open dialog can be selected.
    ;(before?.closest('dialog, [popover]') ?? document.body).append(area)
    area.select()
    const isCopied = runCopy()
    area.remove()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    if (ranges.length > 0) selected?.removeAllRanges()
    for (const range of ranges) selected?.addRange(range)
    return isCopied
  }
}

function runCopy(): boolean {
  try {
    return document.execCommand('copy')
  } catch {
    return false
  }
}
