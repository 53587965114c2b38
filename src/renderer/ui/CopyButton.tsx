import { useEffect, useState, type ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'

type Props = { label: string; doneLabel: string; text: () => string; className?: string }

/** Copies a text to the clipboard and confirms it for two seconds. */
export function CopyButton({ label, doneLabel, text, className }: Props): ReactNode {
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
      <Icon name={done ? 'check' : 'copy'} size={15} />
    </IconButton>
  )
}

/** Resolves to whether copying succeeded. Falls back to `execCommand` where the Clipboard API is denied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    const before = document.activeElement
    area.value = text
    area.className = 'sr-only'
    document.body.append(area)
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    if (before instanceof HTMLElement) before.focus()
    return copied
  }
}
