import { useState, type ReactNode, type FormEvent } from 'react'
import type { Model } from '../../../../shared/contract/models/model.ts'
import { ChooseButton } from '../../../desktop.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Segmented } from '../../../ui/fields/Choice.tsx'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { useReading, useSettled } from '../../../rpc/use-answer.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { ServerFields } from '../add-server/ServerFields.tsx'
import { FoundFiles, useChoice, Where } from './FoundFiles.tsx'
import { useAdd } from './AddFound.tsx'

type How = 'file' | 'server'
type Props = { how: How; onAdded: (model: Model) => void; onClose: () => void }

/** Add a model from a file on disk or from a server. */
export function AddModelDialog({ how: first, onAdded, onClose }: Props): ReactNode {
  const [how, setHow] = useState<How>(first)
  const options = [
    { value: 'file' as const, label: 'File on this computer' },
    { value: 'server' as const, label: 'Server' },
  ]
  return (
    <Dialog title="Add a model" closeLabel="Close" onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Segmented label="Where the model is" options={options} value={how} onChange={setHow} />
        {how === 'file' && <AddPath onAdded={onAdded} onCopying={onClose} />}
        {how === 'server' && <ServerFields onDone={onAdded} />}
      </div>
    </Dialog>
  )
}

type AddPathProps = {
  /** Called with the added model, or with the first of several. */
  onAdded: (model: Model) => void
  /** Called when the files are being copied and none is in the list yet. */
  onCopying: () => void
}

/** Debounce while the user types, in ms. */
const TYPING_MS = 200

/** Adds a file or folder by path. A preview appears while the user types; adding does not wait for it. */
export function AddPath({ onAdded, onCopying }: AddPathProps): ReactNode {
  const { ask } = useAnswers()
  const [typed, setTyped] = useState('')
  const path = typed.trim()
  const settled = useSettled(path, TYPING_MS)
  // Files are inspected while the user types. Folders may be large and are scanned only on request.
  const isFile = /\.gguf$/iu.test(path)
  const [folder, setFolder] = useState('')
  const wanted = isFile ? settled : folder
  const { value: looked } = useReading(
    {
      queryKey: ['model.look', { wanted }],
      queryFn: ({ signal }) => (wanted === '' ? null : ask('model.look', { path: wanted }, signal)),
    },
    { isBrief: true },
  )
  const answer = wanted === path ? (looked ?? undefined) : undefined
  const isFolder = !isFile && answer === undefined
  const files = answer?.ok ? answer.value.files : []
  const choice = useChoice(files)
  const { busy, problem, clear, link, copy } = useAdd()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || path === '') return
    if (isFolder) return setFolder(path)
    const { chosen, where } = choice
    // With no file chosen, send the path itself, so that the host reports what is wrong with it.
    const paths = chosen.length > 0 ? chosen.map(file => file.path) : [path]
    if (where === 'copy') {
      if (await copy(paths)) onCopying()
      return
    }
    const [model] = (await link(paths)) ?? []
    if (model) onAdded(model)
  }
  const type = (path: string) => {
    setTyped(path)
    setFolder('')
    clear()
  }
  const addText = choice.where === 'copy' ? 'Copy and add' : 'Add'
  const submitText = isFolder && path !== '' ? 'Look inside' : addText
  return (
    <form className="grid grid-cols-[minmax(0,1fr)] gap-4" onSubmit={event => void submit(event)}>
      <TextField
        label="Path of a .gguf file"
        placeholder="/home/you/models/name.gguf"
        hint="Or of a folder with such files. Discover shows which models run well on this computer."
        error={problem ?? (!isFile && answer?.ok === false ? answer.fault.message : undefined)}
        dir="ltr"
        maxLength={4_096}
        value={typed}
        onChange={event => type(event.target.value)}
      />
      {answer === undefined && (isFile || (path !== '' && path === folder)) && (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          Reading the file…
        </output>
      )}
      {answer?.ok && <FoundFiles choice={choice} />}
      {files.length > 0 && <Where choice={choice} />}
      <div className="flex flex-wrap justify-end gap-2">
        <ChooseButton what="model" label="Choose a file…" disabled={busy} onChosen={type} />
        <button type="submit" className="btn btn-primary px-5" disabled={busy || path === ''}>
          {busy ? 'Adding…' : submitText}
        </button>
      </div>
    </form>
  )
}
