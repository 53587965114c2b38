import { Cloud, Cpu, Lock, Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Usage } from '../../../shared/contract/messages.ts'
import type { Model } from '../../../shared/contract/model.ts'
import type { PopoverButton } from '../../ui/Popover.tsx'
import { ContextSegment } from './ContextSegment.tsx'
import { EngineSegment } from './EngineSegment.tsx'
import { LearningSegment } from './LearningSegment.tsx'
import { statusText } from './strings.ts'

type Draw = (props: PopoverButton, name: string) => ReactNode
type Props = {
  model: Model | undefined
  usage: Usage | null
  /** The model list and the permission menu belong to other features; they get their button from here. */
  renderModel: (draw: Draw) => ReactNode
  renderPermission: (draw: Draw) => ReactNode
}

/** One quiet line: how the engine stands, what answers, how full its view is, what is learned, what may run, and where words go. */
export function StatusBar({ model, usage, renderModel, renderPermission }: Props): ReactNode {
  return (
    <footer aria-label={statusText.bar} className="status-bar">
      <EngineSegment model={model} />
      <span className="hidden min-w-0 wide:flex">
        {renderModel((props, name) => (
          <button type="button" aria-label={statusText.model(name)} className="status-item" {...props}>
            <Cpu size={13} className="shrink-0" />
            <span className="truncate">{name}</span>
          </button>
        ))}
      </span>
      {usage && usage.contextTokens > 0 && <ContextSegment usage={usage} />}
      <span className="flex-1" />
      <LearningSegment />
      <span className="hidden min-w-0 rail:flex">
        {renderPermission((props, name) => (
          <button type="button" aria-label={statusText.permission(name)} className="status-item" {...props}>
            <Shield size={13} className="shrink-0" />
            <span className="truncate">{name}</span>
          </button>
        ))}
      </span>
      {model && <Reach model={model} />}
    </footer>
  )
}

/** Whether what is written leaves this computer. */
function Reach({ model }: { model: Model }) {
  const local = model.kind !== 'server'
  const Sign = local ? Lock : Cloud
  const [whole, short] = local
    ? [statusText.offline, statusText.offlineShort]
    : [statusText.online(model.name), statusText.onlineShort]
  return (
    <span title={whole} className="inline-flex min-w-0 items-center gap-1.5 px-2 text-xs text-ink-2">
      <Sign size={13} className={local ? 'shrink-0 text-good' : 'shrink-0 text-warn'} />
      <span className="hidden truncate wide:inline">{whole}</span>
      <span className="truncate wide:hidden">{short}</span>
    </span>
  )
}
