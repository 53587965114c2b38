import { FilePlus } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { AddFile } from './AddFile.tsx'
import { useDraft } from './draft-context.ts'
import { isUnsaved, SKILL_FILE } from './buffers.ts'

/** Selects the file to edit, and adds new files. */
export function FileBar(): ReactNode {
  const id = useId()
  const path = useDraft(draft => draft.path)
  const files = useDraft(draft => draft.files)
  const buffers = useDraft(draft => draft.buffers)
  const openFile = useDraft(draft => draft.openFile)
  const [adding, setAdding] = useState(false)
  const paths = [...new Set([SKILL_FILE, ...files.map(file => file.path), ...Object.keys(buffers)])]
  const nameOf = (path: string) => {
    const buffer = buffers[path]
    const unsaved = buffer && (isUnsaved(buffer) || (buffer.saved === null && path !== SKILL_FILE))
    return unsaved ? `${path} (not saved)` : path
  }
  return (
    <div className="mb-2 flex items-center gap-2">
      <label htmlFor={id} className="sr-only">
        File
      </label>
      <select
        id={id}
        value={path}
        className="field min-h-8.5 min-w-0 flex-1 truncate pe-1"
        onChange={event => void openFile(event.target.value)}
      >
        {paths.map(path => (
          <option key={path} value={path}>
            {nameOf(path)}
          </option>
        ))}
      </select>
      <button type="button" className="btn btn-secondary" onClick={() => setAdding(true)}>
        <FilePlus size={15} aria-hidden="true" />
        New file…
      </button>
      {adding && <AddFile taken={paths} onClose={() => setAdding(false)} />}
    </div>
  )
}
