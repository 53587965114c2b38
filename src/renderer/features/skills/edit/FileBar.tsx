import { FilePlus } from 'lucide-react'
import { useId, useState, type ReactNode, type FormEvent } from 'react'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
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
        <FilePlus size={16} aria-hidden="true" />
        New file…
      </button>
      {adding && <AddFile taken={paths} onClose={() => setAdding(false)} />}
    </div>
  )
}

const FOLDERS = {
  references: 'references – read by the model when it needs them',
  templates: 'templates – texts to start from',
  scripts: 'scripts – programs to run',
  assets: 'assets – everything else',
}
type Folder = keyof typeof FOLDERS
const folders = Object.keys(FOLDERS) as Folder[]

type AddFileProps = { taken: readonly string[]; onClose: () => void }

/** Asks for the name and folder of a new file. The file is created on save. */
function AddFile({ taken, onClose }: AddFileProps): ReactNode {
  const id = useId()
  const addFile = useDraft(draft => draft.addFile)
  const [folder, setFolder] = useState<Folder>('references')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = (event: FormEvent) => {
    event.preventDefault()
    const path = `${folder}/${name.trim()}`
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name.trim()))
      return setProblem(
        'Use letters, digits, dots, hyphens and underscores, and start with a letter or a digit.',
      )
    // Many file systems ignore case.
    if (taken.some(each => each.toLowerCase() === path.toLowerCase()))
      return setProblem('A file with this name already exists.')
    addFile(path)
    onClose()
  }
  return (
    <Dialog title="New file" closeLabel="Close" onClose={onClose}>
      <form className="grid gap-4" onSubmit={add}>
        <div className="grid gap-1">
          <label htmlFor={id} className="text-xs font-medium text-ink-2">
            Folder
          </label>
          <select
            id={id}
            value={folder}
            className="field min-h-8.5"
            onChange={event => {
              const chosen = folders.find(each => each === event.target.value)
              if (chosen) setFolder(chosen)
            }}
          >
            {folders.map(each => (
              <option key={each} value={each}>
                {FOLDERS[each]}
              </option>
            ))}
          </select>
        </div>
        <TextField
          label="Name of the file"
          hint="Letters, digits, dots, hyphens and underscores, such as checklist.md"
          error={problem}
          dir="ltr"
          maxLength={100}
          value={name}
          onChange={event => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
        <DialogButtons label="Add the file" disabled={name.trim() === ''} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
