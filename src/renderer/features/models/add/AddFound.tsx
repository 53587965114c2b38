import { type FormEvent, type ReactNode, useState } from 'react'
import type { FoundFile, Model } from '../../../../shared/contract/models/model.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { FoundFiles, useChoice, Where, canAdd } from './FoundFiles.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { Problem } from '../../../ui/Banner.tsx'
import { byCount } from '../../../../shared/text/amounts.ts'
import { plural } from '../../../ui/text/format-values.ts'

type Props = {
  files: readonly FoundFile[]
  /** Called when exactly one model was added. */
  onAdded?: ((model: Model) => void) | undefined
  /** Called when all files are added or being copied. */
  onDone: () => void
}

/** The found files as a choice, with the ways to add them. */
export function AddFound({ files, onAdded, onDone }: Props): ReactNode {
  const choice = useChoice(files)
  const { chosen, where } = choice
  const { busy, problem, link, copy, load } = useAdd()
  const paths = chosen.map(({ path }) => path)
  const [only] = chosen
  const canLoad = where === 'link' && chosen.length === 1 && only?.fit?.label !== 'too_big'

  const add = async (loads: boolean) => {
    if (where === 'copy') {
      if (await copy(paths)) onDone()
      return
    }
    const models = await link(paths)
    const [model] = models ?? []
    if (!models || !model) return
    showToast(plural(models.length, `${model.name} was added.`, 'models were added.'))
    onDone()
    if (models.length === 1) onAdded?.(model)
    if (loads) await load(model.id)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && paths.length > 0) void add(canLoad)
  }
  return (
    <form className="grid grid-cols-[minmax(0,1fr)] gap-4" onSubmit={submit}>
      <FoundFiles choice={choice} />
      <Where choice={choice} />
      <Problem text={problem} />
      <div className="flex flex-wrap justify-end gap-2">
        {canLoad && (
          <button type="button" className="btn btn-secondary" disabled={busy} onClick={() => void add(false)}>
            Add
          </button>
        )}
        <button type="submit" className="btn btn-primary px-5" disabled={busy || paths.length === 0}>
          {busy ? 'Adding…' : submitText(where, canLoad, paths.length)}
        </button>
      </div>
    </form>
  )
}

function submitText(where: 'link' | 'copy', canLoad: boolean, count: number): string {
  if (where === 'copy') return 'Copy and add'
  return canLoad ? 'Add and load' : byCount(count, 'Add', `Add ${count}`)
}

/** Adds files one after the other. A failure shows a message, and files added before it stay. */
export function useAdd() {
  const { client } = useLink()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function each<T>(paths: readonly string[], ask: (path: string) => Promise<T>) {
    setBusy(true)
    setProblem(undefined)
    const done: T[] = []
    for (const path of paths) {
      const answer = await attemptCall(ask(path))
      if (answer.ok) {
        done.push(answer.value)
        continue
      }
      setProblem(answer.fault.message)
      break
    }
    setBusy(false)
    return done.length === paths.length ? done : undefined
  }

  return {
    busy,
    problem,
    clear: () => setProblem(undefined),
    /** Resolves to the added models; undefined if one failed. */
    link: (paths: readonly string[]): Promise<Model[] | undefined> =>
      each(paths, path => client['model.add']({ path })),
    /** Resolves to true when all copies have started. */
    async copy(paths: readonly string[]): Promise<boolean> {
      const copies = await each(paths, path => client['download.copy']({ path }))
      if (copies) showToast(plural(copies.length, 'The file is being copied.', 'files are being copied.'))
      return copies !== undefined
    },
    load: async (id: string) => {
      const answer = await attemptCall(client['model.load']({ id }))
      if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
    },
  }
}

/** Models downloaded by other programs, which can be linked in place. Opening the dialog starts the scan. */
export function ScanDialog({ onClose }: { onClose: () => void }): ReactNode {
  const answer = useAnswer('model.scanApps', {}, { isOnce: true })
  return (
    <Dialog title="Models from other programs" closeLabel="Close" width="medium" onClose={onClose}>
      {!answer && (
        <output className="flex items-center gap-2 text-sm text-ink-2">
          <Spinner />
          Looking in the folders of LM Studio, Jan, GPT4All and Ollama…
        </output>
      )}
      {answer && !answer.ok && <Problem text={answer.fault.message} />}
      {answer?.ok && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {answer.value.files.length === 0 ? (
            <p className="text-sm text-ink-2">No model files from these programs were found.</p>
          ) : (
            <>
              {!answer.value.files.some(canAdd) && (
                <p className="text-sm text-ink-2">All of them are already in your list.</p>
              )}
              <AddFound files={answer.value.files} onDone={onClose} />
            </>
          )}
          {answer.value.looked.length > 0 && (
            <p dir="auto" className="text-xs break-words text-ink-3">
              {`Looked in ${answer.value.looked.join(', ')}.`}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}
