import { Library, Plus, Star, Trash2, ChevronDown } from 'lucide-react'
import type { ReactNode, KeyboardEvent } from 'react'
import type { Model } from '../../../shared/contract/models/model.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { formatBytes, formatCount } from '../../ui/text/format-values.ts'
import { DEMO_HINT } from './models-state.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { Popover } from '../../ui/Popover.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'

type PillProps = {
  modelId: string
  onChoose: (id: string) => void
  onAdd: (how: 'file' | 'server') => void
  onManage?: (() => void) | undefined
  /**
   * A sign beside the model's name, for what the user should know before writing, with its text for screen
   * readers.
   */
  sign?: { icon: ReactNode; says: string } | undefined
  /** Shown below the models. */
  renderBelow?: ((close: () => void) => ReactNode) | undefined
}

/** The current model of a chat, at its message field. A click shows the others. */
export function ModelPill({ modelId, onChoose, onAdd, onManage, sign, renderBelow }: PillProps): ReactNode {
  const model = useHost(host => host.models.find(each => each.id === modelId))
  const loading = useHost(host => host.engine.phase === 'loading' && host.engine.modelId === modelId)
  const name = nameOf(model)
  const label = sign ? `Model: ${name}. ${sign.says}` : `Model: ${name}`
  return (
    <Popover
      label="Models"
      side="above"
      className="w-88 max-w-[calc(100vw-1rem)]"
      renderButton={props => (
        <button
          type="button"
          aria-label={label}
          title={label}
          className="btn btn-quiet max-w-56 min-w-0 px-2"
          {...props}
        >
          {loading && <Spinner size={12} />}
          {sign?.icon}
          <span dir="auto" className="truncate text-xs font-normal">
            {showHidden(name)}
          </span>
          <ChevronDown size={14} className="shrink-0" />
        </button>
      )}
    >
      {close => (
        <>
          <ModelChoice
            chosen={modelId}
            onChoose={id => {
              close()
              onChoose(id)
            }}
            onAdd={how => {
              close()
              onAdd(how)
            }}
            onManage={
              onManage &&
              (() => {
                close()
                onManage()
              })
            }
          />
          {renderBelow && (
            <div className="mt-1 grid gap-3 border-t border-line p-2.5">{renderBelow(close)}</div>
          )}
        </>
      )}
    </Popover>
  )
}

function nameOf(model: Model | undefined): string {
  if (!model) return 'No model'
  return model.demo ? 'Built-in demo model' : model.name
}

type Props = {
  chosen: string
  onChoose: (id: string) => void
  onAdd: (how: 'file' | 'server') => void
  /** Open the Models page. */
  onManage?: (() => void) | undefined
}

/** The available models, and the two ways to add more. */
export function ModelChoice({ chosen, onChoose, onAdd, onManage }: Props): ReactNode {
  return (
    <>
      <ModelList chosen={chosen} onChoose={onChoose} />
      <div className="mt-1 border-t border-line pt-1">
        {(['file', 'server'] as const).map(how => (
          <button key={how} type="button" className="menu-item" onClick={() => onAdd(how)}>
            <Plus size={16} className="shrink-0" />
            {how === 'file' ? 'Add a model file…' : 'Add a server…'}
          </button>
        ))}
        {onManage && (
          <button type="button" className="menu-item" onClick={onManage}>
            <Library size={16} className="shrink-0" />
            All models…
          </button>
        )}
      </div>
    </>
  )
}

const KINDS = {
  builtin: 'built in',
  file: 'on this computer',
  server: 'on a server',
  mixture: 'a mixture',
} as const

type ModelListProps = { chosen: string; onChoose: (id: string) => void }

/** All available models. Arrow keys move between them. */
function ModelList({ chosen, onChoose }: ModelListProps): ReactNode {
  const models = useHost(host => host.models)
  return (
    <div role="presentation" onKeyDown={moveInList}>
      <ul aria-label="Which model answers in this chat" className="grid gap-0.5">
        {models.map(model => (
          <Row key={model.id} model={model} chosen={model.id === chosen} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  )
}

function Row({ model, chosen, onChoose }: { model: Model; chosen: boolean; onChoose: (id: string) => void }) {
  const isDefault = useHost(host => host.defaultModelId === model.id)
  const { client } = useLink()
  const tell = (outcome: Outcome<unknown>, done?: string) => {
    if (!outcome.ok) showToast(outcome.fault.message, { level: 'error' })
    else if (done !== undefined) showToast(done)
  }
  return (
    <li className="model-row group">
      <button
        type="button"
        data-model=""
        aria-pressed={chosen}
        title={aboutOf(model)}
        className="menu-item"
        onClick={() => onChoose(model.id)}
      >
        <span className="w-4 shrink-0 text-accent">{chosen && <Icon name="check" />}</span>
        <span dir="auto" className={cx('min-w-0 truncate', chosen && 'font-medium')}>
          {showHidden(nameOf(model))}
        </span>
        {isDefault && <span className="badge shrink-0">Default</span>}
        <ShortFact model={model} />
      </button>
      <span className="model-row-actions">
        {!isDefault && (
          <IconButton
            small
            label={`Use for new chats: ${model.name}`}
            onClick={() => void attemptCall(client['model.setDefault']({ id: model.id })).then(tell)}
          >
            <Star size={14} />
          </IconButton>
        )}
        {model.kind !== 'builtin' && (
          <IconButton
            small
            label={`Remove from the list: ${model.name}`}
            onClick={() =>
              void attemptCall(client['model.forget']({ id: model.id })).then(outcome =>
                tell(outcome, `${model.name} was removed from the list. Its file stays where it is.`),
              )
            }
          >
            <Trash2 size={14} />
          </IconButton>
        )}
      </span>
    </li>
  )
}

/** A short fact beside the name of a model: that it cannot be used now, its size, or where it runs. */
function ShortFact({ model }: { model: Model }) {
  const { problem, kind, sizeBytes, server } = model
  if (problem !== null) return <span className="model-fact text-danger">not ready</span>
  const where = server?.nearby ? KINDS.file : KINDS[kind]
  return (
    <span className="model-fact text-ink-3">
      {sizeBytes === null || model.demo ? where : formatBytes(sizeBytes)}
    </span>
  )
}

/** More facts about a model, for the tooltip of its row. */
function aboutOf(model: Model): string {
  const facts = [
    KINDS[model.kind],
    ...(model.sizeBytes === null ? [] : [formatBytes(model.sizeBytes)]),
    ...(model.contextTokens === null ? [] : [`reads up to ${formatCount(model.contextTokens)} tokens`]),
    ...(model.demo || model.detail === '' ? [] : [showHidden(model.detail)]),
  ].join(' · ')
  const hints = [...(model.demo ? [DEMO_HINT] : []), ...(model.problem === null ? [] : [model.problem])]
  return [facts, ...hints].join('\n')
}

function moveInList(event: KeyboardEvent<HTMLDivElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-model]')]
  const at = rows.findIndex(row => row.closest('li')?.contains(document.activeElement))
  rows[(at + step + rows.length) % rows.length]?.focus()
}
