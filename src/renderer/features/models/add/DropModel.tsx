import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import type { Model } from '../../../../shared/contract/model.ts'
import { showToast } from '../../../ui/toasts.ts'
import type { ModelsTab } from '../models-state.ts'
import type { ModelsStore } from '../models-store.ts'
import { DroppedPaths } from './DroppedPaths.tsx'
import { bringsModel, readDrop, type Dropped } from './read-drop.ts'
import { SendFiles } from './SendFiles.tsx'

type Props = {
  store: StoreApi<ModelsStore>
  /** Called when a drop added exactly one model. */
  onAdded?: (model: Model) => void
  /** Open the Models page, because files are being transferred. */
  onShow?: (tab: ModelsTab) => void
}

/**
 * Accepts model files dropped anywhere in the window. Other drops go to the element under the pointer. An
 * unhandled drop must not make the browser navigate away.
 */
export function DropModel({ store, onAdded, onShow }: Props): ReactNode {
  const [over, setOver] = useState(false)
  const [dropped, setDropped] = useState<Dropped | null>(null)
  const take = useEffectEvent((data: DataTransfer) => {
    const found = readDrop(data, window.desktop?.pathOf)
    if (found.kind === 'other') showToast('You can drop model files here. Their names end with .gguf.')
    else if (found.kind === 'folder')
      showToast('A browser page cannot send a folder. Add it by its path instead: Models, Add, A model file.')
    else setDropped(found)
  })

  useEffect(() => {
    const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    // An open dialog handles its own drops.
    const inDialog = ({ target }: Event) => target instanceof Element && target.closest('dialog') !== null
    const onOver = (event: DragEvent) => {
      if (!bringsFiles(event)) return
      // The element under the pointer has already accepted the drag and shows its own highlight.
      setOver(!event.defaultPrevented && !inDialog(event))
      event.preventDefault()
    }
    const onLeave = (event: DragEvent) => {
      // Without a related target, the drag has left the window.
      if (event.relatedTarget === null) setOver(false)
    }
    // Runs in the capture phase, so that the element under the pointer sees that the drop is taken.
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
      {over && <output className="drop-veil">Drop a .gguf file to add it</output>}
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
