import { useEffect, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Spinner } from '../../../ui/Progress.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { useReading, type Upload } from './upload.ts'

type Props = { onDrop: (upload: Upload) => void; children: ReactNode; className?: string }

/** Accepts folders, zips and files dropped anywhere on its children. Problems appear as toasts. */
export function DropSkills({ onDrop, children, className = '' }: Props): ReactNode {
  const { reading, problem, drop } = useReading(onDrop)
  const [over, setOver] = useState(false)
  // Enter and leave events bubble up from every child element, so count them.
  const depth = useRef(0)
  useEffect(() => {
    if (problem !== '') showToast(problem, { level: 'error' })
  }, [problem])
  const bringsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const leave = (by: number) => {
    depth.current = Math.max(0, depth.current - by)
    setOver(depth.current > 0)
  }
  return (
    <div
      role="presentation"
      className={`relative ${className}`}
      onDragEnter={event => {
        if (!bringsFiles(event)) return
        depth.current++
        setOver(true)
      }}
      onDragOver={event => bringsFiles(event) && event.preventDefault()}
      onDragLeave={() => leave(1)}
      onDrop={event => {
        leave(depth.current)
        // The window handles dropped model files itself.
        if (!bringsFiles(event) || event.defaultPrevented) return
        event.preventDefault()
        drop(event.dataTransfer)
      }}
    >
      {children}
      {(over || reading) && (
        <output className="pointer-events-none absolute inset-2 z-20 grid place-content-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/90 text-sm font-medium text-ink">
          <span className="flex items-center gap-2">
            {reading && <Spinner />}
            {reading ? 'Reading…' : 'Drop to scan the skills in it'}
          </span>
        </output>
      )}
    </div>
  )
}
