import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Model } from '../../../shared/contract/model.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { Popover, type PopoverButton } from '../../ui/Popover.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { ModelChoice } from './ModelChoice.tsx'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

type Props = {
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
}: Props): ReactNode {
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
