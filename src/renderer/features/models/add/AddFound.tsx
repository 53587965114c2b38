import type { FormEvent, ReactNode } from 'react'
import type { FoundFile, Model } from '../../../../shared/contract/model.ts'
import { showToast } from '../../../ui/toasts.ts'
import { FoundFiles, useChoice, Where } from './FoundFiles.tsx'
import { addText } from './strings.ts'
import { useAdd } from './use-add.ts'

type Props = {
  files: readonly FoundFile[]
  /** Told of a single model that is in the list now. */
  onAdded?: ((model: Model) => void) | undefined
  /** Everything is in the list, or on its way. */
  onDone: () => void
}

/** What was found, to choose from, and the ways to bring it in. */
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
    showToast(addText.added(models.length, model.name))
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
      {problem !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {canLoad && (
          <button type="button" className="btn btn-secondary" disabled={busy} onClick={() => void add(false)}>
            {addText.submit}
          </button>
        )}
        <button type="submit" className="btn btn-primary px-5" disabled={busy || paths.length === 0}>
          {busy ? addText.adding : submitText(where, canLoad, paths.length)}
        </button>
      </div>
    </form>
  )
}

function submitText(where: 'link' | 'copy', canLoad: boolean, count: number): string {
  if (where === 'copy') return addText.submitCopy
  return canLoad ? addText.submitLoad : addText.submitMany(count)
}
