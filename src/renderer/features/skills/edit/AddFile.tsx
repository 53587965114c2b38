import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useDraft } from './draft-context.ts'

const FOLDERS = {
  references: 'references – read by the model when it needs them',
  templates: 'templates – texts to start from',
  scripts: 'scripts – programs to run',
  assets: 'assets – everything else',
}
type Folder = keyof typeof FOLDERS
const folders = Object.keys(FOLDERS) as Folder[]

type Props = { taken: readonly string[]; onClose: () => void }

/** Asks for the name and folder of a new file. The file is created on save. */
export function AddFile({ taken, onClose }: Props): ReactNode {
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
        'Use letters, digits, dots, hyphens and underscores, and begin with a letter or a digit.',
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
        <div className="flex justify-end gap-2">
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn btn-primary" disabled={name.trim() === ''}>
            Add the file
          </button>
        </div>
      </form>
    </Dialog>
  )
}
