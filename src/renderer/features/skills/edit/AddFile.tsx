import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useDraft } from './draft-context.ts'
import { editText } from './strings.ts'

const text = editText.add
type Folder = keyof typeof text.folders
const folders = Object.keys(text.folders) as Folder[]

type Props = { taken: readonly string[]; onClose: () => void }

/** Name a new file in one of the folders that a skill may have. It exists once it is saved. */
export function AddFile({ taken, onClose }: Props): ReactNode {
  const id = useId()
  const addFile = useDraft(draft => draft.addFile)
  const [folder, setFolder] = useState<Folder>('references')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = (event: FormEvent) => {
    event.preventDefault()
    const path = `${folder}/${name.trim()}`
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u.test(name.trim())) return setProblem(text.wrong)
    // Many disks take them for the same.
    if (taken.some(each => each.toLowerCase() === path.toLowerCase())) return setProblem(text.there)
    addFile(path)
    onClose()
  }
  return (
    <Dialog title={text.title} closeLabel={editText.close} onClose={onClose}>
      <form className="grid gap-4" onSubmit={add}>
        <div className="grid gap-1">
          <label htmlFor={id} className="text-xs font-medium text-ink-2">
            {text.folder}
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
                {text.folders[each]}
              </option>
            ))}
          </select>
        </div>
        <TextField
          label={text.name}
          hint={text.hint}
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
            {text.cancel}
          </button>
          <button type="submit" className="btn btn-primary" disabled={name.trim() === ''}>
            {text.add}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
