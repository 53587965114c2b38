import { FolderOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Choosable } from '../shared/contract/desktop.ts'
import { attemptCall, type Outcome } from './rpc/attempt.ts'
import { useHost, useLink } from './rpc/host-context.tsx'
import { IconButton } from './ui/IconButton.tsx'
import { showToast } from './ui/Toasts.tsx'

/** Whether this window belongs to the desktop app, which has the system's dialogs and file manager. */
export const useIsDesktop = (): boolean => useHost(host => host.hello?.hosting === 'desktop')

/** Unwrap an answer; show a fault in a toast. */
function told<T>(answer: Outcome<T>): T | undefined {
  if (answer.ok) return answer.value
  showToast(answer.fault.message, { level: 'error' })
  return undefined
}

type ChooseProps = {
  what: Choosable
  label: string
  /** Where the dialog starts. */
  at?: string
  disabled?: boolean
  onChosen: (path: string) => void
}

/** A button that opens the system's dialog to choose a file or folder. Hidden in a browser. */
export function ChooseButton({ what, label, at = '', disabled = false, onChosen }: ChooseProps): ReactNode {
  const { client } = useLink()
  if (!useIsDesktop()) return null
  const choose = async () => {
    const chosen = told(await attemptCall(client['desktop.choose']({ what, at })))
    if (chosen && chosen.path !== null) onChosen(chosen.path)
  }
  return (
    <button type="button" className="btn btn-secondary" disabled={disabled} onClick={() => void choose()}>
      {label}
    </button>
  )
}

/** A button that shows a file or folder in the system's file manager. Renders nothing in a browser. */
export function RevealButton({ path, name }: { path: string; name: string }): ReactNode {
  const reveal = useReveal()
  if (!useIsDesktop() || path === '') return null
  return (
    <IconButton label={`Show in the file manager: ${name}`} onClick={() => void reveal(path)}>
      <FolderOpen size={16} />
    </IconButton>
  )
}

/** Shows a path in the system's file manager. */
function useReveal(): (path: string) => Promise<void> {
  const { client } = useLink()
  return async path => void told(await attemptCall(client['desktop.reveal']({ path })))
}

/**
 * Saves a file: where the user wants it in the desktop app, as a download in a browser. Reports where it was
 * saved, or that saving failed.
 */
export function useSaveFile(): (name: string, base64: string, type: string) => Promise<void> {
  const { client } = useLink()
  const reveal = useReveal()
  const isDesktop = useIsDesktop()
  return async (name, base64, type) => {
    if (!isDesktop) {
      download(name, base64, type)
      showToast(`${name} was saved.`)
      return
    }
    const saved = told(await attemptCall(client['desktop.save']({ name, base64 })))
    if (!saved || saved.path === null) return
    const { path } = saved
    showToast(`It was saved as ${path}.`, {
      action: { label: 'Show it', run: () => void reveal(path) },
      ms: 10_000,
    })
  }
}

function download(name: string, base64: string, type: string): void {
  const bytes = Uint8Array.from(atob(base64), sign => sign.codePointAt(0) ?? 0)
  const url = URL.createObjectURL(new Blob([bytes], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Free the memory once the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
