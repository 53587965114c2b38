import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import type { Model } from '../../../../shared/contract/model.ts'
import { showToast } from '../../../ui/toasts.ts'
import type { ModelsTab } from '../models-state.ts'
import type { ModelsStore } from '../models-store.ts'
import { DroppedPaths } from './DroppedPaths.tsx'
import { bringsModel, readDrop, type Dropped } from './read-drop.ts'
import { SendFiles } from './SendFiles.tsx'
import { addText } from './strings.ts'

type Props = {
  store: StoreApi<ModelsStore>
  /** Told of a single model that came into the list this way. */
  onAdded?: (model: Model) => void
  /** Show the Models page: files are on their way. */
  onShow?: (tab: ModelsTab) => void
}

/**
 * Takes model files that are dropped anywhere in the window. Whatever else is dropped belongs to what lies under it; what
 * nobody takes must not lead the window away from this page.
 */
export function DropModel({ store, onAdded, onShow }: Props): ReactNode {
  const [over, setOver] = useState(false)
  const [dropped, setDropped] = useState<Dropped | null>(null)
  const take = useEffectEvent((data: DataTransfer) => {
    const found = readDrop(data, window.desktop?.pathOf)
    if (found.kind === 'other') showToast(addText.notAModel)
    else if (found.kind === 'folder') showToast(addText.folderInBrowser)
    else setDropped(found)
  })

  useEffect(() => {
    const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    // A dialog that is open has a task of its own.
    const inDialog = ({ target }: Event) => target instanceof Element && target.closest('dialog') !== null
    const onOver = (event: DragEvent) => {
      if (!bringsFiles(event)) return
      // What lies under the pointer has said that it takes files, and shows so itself.
      setOver(!event.defaultPrevented && !inDialog(event))
      event.preventDefault()
    }
    const onLeave = (event: DragEvent) => {
      // Only the edge of the window leads nowhere.
      if (event.relatedTarget === null) setOver(false)
    }
    // First of all, so that what lies under the pointer sees that a model is taken.
    const onFirst = (event: DragEvent) => {
      setOver(false)
      if (!event.dataTransfer || inDialog(event) || !bringsModel(event.dataTransfer)) return
      event.preventDefault()
      take(event.dataTransfer)
    }
    const onLast = (event: DragEvent) => {
      if (event.defaultPrevented || !bringsFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer && !inDialog(event)) take(event.dataTransfer)
    }
    window.addEventListener('dragover', onOver)
    window.addEventListener('dragleave', onLeave)
    window.addEventListener('drop', onFirst, { capture: true })
    window.addEventListener('drop', onLast)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('dragleave', onLeave)
      window.removeEventListener('drop', onFirst, { capture: true })
      window.removeEventListener('drop', onLast)
    }
  }, [])

  const close = () => setDropped(null)
  return (
    <>
      {over && <output className="drop-veil">{addText.dropHere}</output>}
      {dropped?.kind === 'paths' && <DroppedPaths paths={dropped.paths} onAdded={onAdded} onClose={close} />}
      {dropped?.kind === 'files' && (
        <SendFiles
          files={dropped.files}
          send={store.getState().send}
          onAdded={onAdded}
          onSent={() => onShow?.('downloads')}
          onClose={close}
        />
      )}
    </>
  )
}
