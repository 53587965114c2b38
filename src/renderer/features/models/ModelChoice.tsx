import { Library, Plus, Star, Trash2, ChevronDown } from 'lucide-react'
import type { ReactNode, KeyboardEvent } from 'react'
import type { Model } from '../../../shared/contract/model.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { formatBytes, formatCount } from '../../ui/format.ts'
import { DEMO_HINT } from './models-state.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { Popover, type PopoverButton } from '../../ui/Popover.tsx'
import { Spinner } from '../../ui/Progress.tsx'

type PillProps = {
  modelId: string
  onChoose: (id: string) => void
  onAdd: (how: 'file' | 'server') => void
  onManage?: (() => void) | undefined
  align?: 'start' | 'end'
  side?: 'below' | 'above'
  /** Renders the button. Default: the pill in the page header. */
  renderButton?: (props: PopoverButton, name: string) => ReactNode
}

/** The current model of a chat. A click shows the others. */
export function ModelPill({
  modelId,
  onChoose,
  onAdd,
  onManage,
  align = 'end',
  side = 'below',
  renderButton,
}: PillProps): ReactNode {
  const model = useHost(host => host.models.find(each => each.id === modelId))
  const loading = useHost(host => host.engine.phase === 'loading' && host.engine.modelId === modelId)
  const name = nameOf(model)
  return (
    <Popover
      label="Models"
      align={align}
      side={side}
      className="w-88 max-w-[calc(100vw-1rem)]"
      renderButton={props =>
        renderButton ? (
          renderButton(props, name)
        ) : (
          <button type="button" aria-label={`Model: ${name}`} className="pill" {...props}>
            {loading && <Spinner size={12} />}
            <span dir="auto" className="truncate">
              {showHidden(name)}
            </span>
            <ChevronDown size={14} className="shrink-0" />
          </button>
        )
      }
    >
      {close => (
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
            <Plus size={15} className="shrink-0" />
            {how === 'file' ? 'Add a model file…' : 'Add a server…'}
          </button>
        ))}
        {onManage && (
          <button type="button" className="menu-item" onClick={onManage}>
            <Library size={15} className="shrink-0" />
            All models…
          </button>
        )}
      </div>
    </>
  )
}

const KINDS = {
  builtin: 'comes with Talaria',
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
    <li className="flex items-start gap-0.5">
      <button
        type="button"
        data-model=""
        aria-pressed={chosen}
        className="menu-item min-w-0 flex-1 items-start"
        onClick={() => onChoose(model.id)}
      >
        <span className="w-4 shrink-0 pt-0.5 text-accent">{chosen && <Icon name="check" />}</span>
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <span dir="auto" className="truncate font-medium">
              {model.demo ? 'Built-in demo model' : model.name}
            </span>
            {isDefault && <span className="badge shrink-0">Default</span>}
          </span>
          {model.demo && <span className="block text-xs text-ink-2">{DEMO_HINT}</span>}
          <span className="block text-xs break-words text-ink-3">{factsOf(model)}</span>
          {model.problem !== null && <span className="block text-xs text-danger">{model.problem}</span>}
        </span>
      </button>
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
    </li>
  )
}

function factsOf(model: Model): string {
  const facts = [
    KINDS[model.kind],
    ...(model.sizeBytes === null ? [] : [formatBytes(model.sizeBytes)]),
    ...(model.contextTokens === null ? [] : [`reads up to ${formatCount(model.contextTokens)} tokens`]),
    ...(model.demo || model.detail === '' ? [] : [model.detail]),
  ]
  return facts.join(' · ')
}

function moveInList(event: KeyboardEvent<HTMLDivElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-model]')]
  const at = rows.findIndex(row => row.closest('li')?.contains(document.activeElement))
  rows[(at + step + rows.length) % rows.length]?.focus()
}
