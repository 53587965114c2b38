import { useState, type FormEvent, type ReactNode } from 'react'
import type { FoundFile, Model } from '../../../../shared/contract/model.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useSettled } from '../use-settled.ts'
import { FoundFiles, useChoice, Where } from './FoundFiles.tsx'
import { addText } from './strings.ts'
import { useAdd } from './use-add.ts'

type Props = {
  /** Told of the model that is in the list now; of several, of the first. */
  onAdded: (model: Model) => void
  /** Everything is on its way, and nothing is in the list yet. */
  onCopying: () => void
}

type Looked = { path: string; answer: Outcome<{ files: FoundFile[] }> | undefined }

/** What was typed within this many milliseconds is looked at once. */
const TYPING_MS = 200

/** Name a file or a folder; what lies there is shown while the path is typed, and can be added without waiting for that. */
export function AddPath({ onAdded, onCopying }: Props): ReactNode {
  const { client } = useLink()
  const [typed, setTyped] = useState('')
  const path = typed.trim()
  const settled = useSettled(path, TYPING_MS)
  // A file is looked at while its name is typed; a folder may hold much, and is looked into when that is asked for.
  const isFile = /\.gguf$/iu.test(path)
  const [folder, setFolder] = useState('')
  const wanted = isFile ? settled : folder
  const asked = useAsked<Looked>(async signal => {
    const answer =
      wanted === '' ? undefined : await attempt(client['model.look']({ path: wanted }, { signal }))
    return { ok: true, value: { path: wanted, answer } }
  }, wanted)
  // An answer about another path says nothing about this one.
  const answer = asked?.ok && asked.value.path === path ? asked.value.answer : undefined
  const isFolder = !isFile && answer === undefined
  const files = answer?.ok ? answer.value.files : []
  const choice = useChoice(files)
  const { busy, problem, clear, link, copy } = useAdd()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || path === '') return
    if (isFolder) return setFolder(path)
    const { chosen, where } = choice
    // Where nothing is chosen, the host says about the path itself what is wrong with it.
    const paths = chosen.length > 0 ? chosen.map(file => file.path) : [path]
    if (where === 'copy') {
      if (await copy(paths)) onCopying()
      return
    }
    const [model] = (await link(paths)) ?? []
    if (model) onAdded(model)
  }
  const submitText = () => {
    if (isFolder && path !== '') return addText.look
    return choice.where === 'copy' ? addText.submitCopy : addText.submit
  }
  return (
    <form className="grid grid-cols-[minmax(0,1fr)] gap-4" onSubmit={event => void submit(event)}>
      <TextField
        label={addText.path}
        placeholder={addText.pathPlaceholder}
        hint={addText.pathHint}
        error={problem ?? (!isFile && answer?.ok === false ? answer.fault.message : undefined)}
        dir="ltr"
        maxLength={4_096}
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setFolder('')
          clear()
        }}
      />
      {answer === undefined && (isFile || (path !== '' && path === folder)) && (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          {addText.looking}
        </output>
      )}
      {answer?.ok && <FoundFiles choice={choice} />}
      {files.length > 0 && <Where choice={choice} />}
      <button type="submit" className="btn btn-primary justify-self-end px-5" disabled={busy || path === ''}>
        {busy ? addText.adding : submitText()}
      </button>
    </form>
  )
}
