import { MessageSquarePlus, Star, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Fit, Model } from '../../../../shared/contract/models/model.ts'
import {
  BASE_MODEL,
  refusalNote,
  templateNote,
  toolsBadge,
  toolsNote,
} from '../../../../shared/words/model-words.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { formatBytes, formatCount } from '../../../ui/text/format-values.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { MoreMenu, type MenuEntry } from '../../../ui/Menu.tsx'
import { OpenableCard } from '../../../ui/OpenableCard.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useFit, useModels, useModelsPage, useModelActions } from '../use-models.ts'
import { showsFit, DEMO_HINT, fileFacts, isLoaded, isLocal } from '../models-state.ts'
import { FitLabel } from './Fit.tsx'
import { LoadState } from './LoadState.tsx'
import { ModelDetail } from './ModelDetail.tsx'

/** A model with its fit and actions. The open card shows all details. */
export function ModelCard({ model }: { model: Model }): ReactNode {
  const isOpen = useModels(models => models.openId === model.id)
  const open = useModels(models => models.open)
  const fit = useFit(model)
  const [isRemoving, setRemoving] = useState(false)
  const note = toolsNote(model)
  const template = templateNote(model) ?? refusalNote(model)
  return (
    <OpenableCard
      title={model.demo ? 'Built-in demo model' : model.name}
      badges={<Badges model={model} />}
      facts={factsOf(model).join(' · ')}
      wraps
      actions={
        <>
          {showsFit(model) && !isOpen && (
            // Wide enough for every label, so that nothing moves when the fit arrives.
            <span className="flex min-h-5 min-w-46 items-center justify-end">
              <FitLabel fit={fit} />
            </span>
          )}
          {isLocal(model) && model.problem === null && <LoadButton model={model} fit={fit} isOpen={isOpen} />}
          <DefaultStar model={model} />
          <More model={model} onRemove={() => setRemoving(true)} />
        </>
      }
      notes={
        <>
          {model.problem !== null && <p className="mt-1 ps-6 text-sm text-danger">{model.problem}</p>}
          {model.file?.base && <p className="mt-1 ps-6 text-sm text-warn">{BASE_MODEL}</p>}
          {template !== undefined && <p className="mt-1 ps-6 text-sm text-warn">{template}</p>}
          {note !== undefined && <p className="mt-1 ps-6 text-sm text-warn">{note}</p>}
          <LoadState model={model} />
          {isRemoving && <RemoveModel model={model} onClose={() => setRemoving(false)} />}
        </>
      }
      isOpen={isOpen}
      onToggle={() => open(isOpen ? null : model.id)}
    >
      <ModelDetail model={model} />
    </OpenableCard>
  )
}

function Badges({ model }: { model: Model }) {
  const phase = useHost(host => (host.engine.modelId === model.id ? host.engine.phase : 'stopped'))
  const { file } = model
  const isUntriedBase = file?.base === true && model.tools === null
  return (
    <>
      {(phase === 'ready' || phase === 'busy') && (
        <span className="badge badge-good">{phase === 'busy' ? 'Answering' : 'In memory'}</span>
      )}
      {file?.base && <span className="badge">Base model</span>}
      {model.problem === null && !isUntriedBase && <span className="badge">{toolsBadge(model)}</span>}
      {file && file.vision !== '' && <span className="badge">Images</span>}
    </>
  )
}

function factsOf(model: Model): string[] {
  const { file, server, sizeBytes, contextTokens } = model
  if (model.demo) return [DEMO_HINT]
  const where = server
    ? server.nearby
      ? 'a server on this computer'
      : 'a server elsewhere'
    : (file?.folder ?? (model.mixture ? model.detail : ''))
  return [
    ...(sizeBytes === null ? [] : [`${formatBytes(sizeBytes)} on disk`]),
    ...(file ? fileFacts(file) : []),
    ...(file && file.parts > 1 ? [`in ${file.parts} parts`] : []),
    ...(contextTokens === null ? [] : [`reads up to ${formatCount(contextTokens)} tokens`]),
    ...(where === '' ? [] : [where]),
  ]
}

/** The open card has its load button below the memory bar, so this button only unloads. */
function LoadButton({ model, fit, isOpen }: { model: Model; fit: Fit | undefined; isOpen: boolean }) {
  const engine = useHost(host => host.engine)
  const { load, unload } = useModelActions()
  const isThis = engine.modelId === model.id
  const isMoving = ['starting', 'loading', 'busy'].includes(engine.phase)
  // While the model loads, the line below has the button.
  if (isThis && (engine.phase === 'loading' || engine.phase === 'starting')) return <Spinner />
  const isHere = isLoaded(engine, model.id)
  if (isOpen && !isHere) return null
  const anyway = fit?.label === 'too_big'
  const action = isHere ? 'Unload' : anyway ? 'Load anyway' : 'Load'
  return (
    <button
      type="button"
      className="btn btn-secondary min-w-28"
      aria-label={`${action}: ${model.name}`}
      disabled={isMoving}
      onClick={() => void (isHere ? unload() : load(model.id, anyway ? { anyway } : {}))}
    >
      {action}
    </button>
  )
}

/** Marks the default model for new chats with a filled star. */
function DefaultStar({ model }: { model: Model }) {
  const isDefault = useHost(host => host.defaultModelId === model.id)
  const { setDefault } = useModelActions()
  return (
    <IconButton
      label={`${isDefault ? 'Used for new chats' : 'Use for new chats'}: ${model.name}`}
      aria-pressed={isDefault}
      className={isDefault ? 'text-accent' : ''}
      onClick={() => !isDefault && void setDefault(model.id)}
    >
      <Star size={16} fill={isDefault ? 'currentColor' : 'none'} />
    </IconButton>
  )
}

function More({ model, onRemove }: { model: Model; onRemove: () => void }) {
  const { onChat } = useModelsPage()
  const entries: MenuEntry[] = []
  if (onChat && model.problem === null) {
    entries.push({
      id: 'chat',
      label: 'Chat with it',
      icon: <MessageSquarePlus size={16} />,
      onSelect: () => onChat(model),
    })
  }
  if (model.kind !== 'builtin') {
    entries.push({
      id: 'remove',
      label: model.file?.owned ? 'Delete the file' : 'Remove from the list',
      icon: <Trash2 size={16} />,
      danger: true,
      onSelect: onRemove,
    })
  }
  if (entries.length === 0) return null
  return <MoreMenu of={model.name} entries={entries} />
}

/** Confirms removal. A model in Talaria’s own folder loses its file; others only leave the list. */
function RemoveModel({ model, onClose }: { model: Model; onClose: () => void }): ReactNode {
  const { forget, deleteFile } = useModelActions()
  const [busy, setBusy] = useState(false)
  const owned = model.file?.owned === true
  const go = async () => {
    setBusy(true)
    const done = await (owned ? deleteFile(model) : forget(model))
    setBusy(false)
    // On failure a toast shows the error, and the dialog stays open for another try.
    if (done) onClose()
  }
  const says = owned
    ? `It is in Talaria’s own folder. This frees ${formatBytes(model.sizeBytes ?? 0)} and cannot be undone.`
    : model.server
      ? 'Talaria deletes its address and its key.'
      : model.mixture
        ? 'Its models stay in the list.'
        : 'The file stays where it is and can be added again.'
  return (
    <Dialog
      title={owned ? `Delete the file of ${model.name}?` : `Remove ${model.name} from the list?`}
      closeLabel="Close"
      onClose={onClose}
    >
      <p className="text-sm text-ink-2">{says}</p>
      <div className="mt-4 flex justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="btn btn-danger" disabled={busy} onClick={() => void go()}>
          {owned ? 'Delete the file' : 'Remove from the list'}
        </button>
      </div>
    </Dialog>
  )
}
