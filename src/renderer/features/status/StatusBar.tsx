import { Cpu, Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Usage } from '../../../shared/contract/messages.ts'
import type { Model } from '../../../shared/contract/model.ts'
import type { PopoverButton } from '../../ui/Popover.tsx'
import { ContextSegment } from './ContextSegment.tsx'
import { EngineSegment } from './EngineSegment.tsx'
import { LearningSegment } from './LearningSegment.tsx'
import { ReachSegment } from './ReachSegment.tsx'

type Draw = (props: PopoverButton, name: string) => ReactNode
type Props = {
  model: Model | undefined
  usage: Usage | null
  /** The model list and the permission menu belong to other features; this passes them their button. */
  renderModel: (draw: Draw) => ReactNode
  renderPermission: (draw: Draw) => ReactNode
  /** Opens the record of what left this computer, and why. */
  onPrivacy?: () => void
}

/** The status bar: engine, model, context use, learning, permissions, and where messages go. */
export function StatusBar(props: Props): ReactNode {
  const { model, usage, renderModel, renderPermission, onPrivacy } = props
  return (
    <footer aria-label="Status" className="status-bar">
      <EngineSegment model={model} />
      <span className="hidden min-w-0 wide:flex">
        {renderModel((props, name) => (
          <button type="button" aria-label={`Model: ${name}`} className="status-item" {...props}>
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
          <button type="button" aria-label={`Permissions: ${name}`} className="status-item" {...props}>
            <Shield size={13} className="shrink-0" />
            <span className="truncate">{name}</span>
          </button>
        ))}
      </span>
      <ReachSegment model={model} onPrivacy={onPrivacy} />
    </footer>
  )
}
