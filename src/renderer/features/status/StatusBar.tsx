import { Cpu, GraduationCap, Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Usage } from '../../../shared/contract/messages.ts'
import type { Model } from '../../../shared/contract/model.ts'
import { goTo } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { formatCount, formatDuration, formatRate, formatShare } from '../../ui/format.ts'
import { Popover, type PopoverButton } from '../../ui/Popover.tsx'
import { cx } from '../../ui/style.ts'
import { ConfinementSign } from './ConfinementSign.tsx'
import { EngineSegment } from './EngineSegment.tsx'
import { ReachSegment } from './ReachSegment.tsx'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

type Draw = (props: PopoverButton, name: string) => ReactNode
type Props = {
  model: Model | undefined
  usage: Usage | null
  /** The model list and the permission menu belong to other features; this passes them their button. */
  renderModel: (draw: Draw) => ReactNode
  renderPermission: (draw: Draw) => ReactNode
  /** How many background processes run. */
  processes?: ReactNode
  /** Opens the record of what left this computer, and why. */
  onPrivacy?: () => void
}

/** The status bar: engine, model, context use, learning, permissions, and where messages go. */
export function StatusBar(props: Props): ReactNode {
  const { model, usage, renderModel, renderPermission, processes, onPrivacy } = props
  return (
    <footer aria-label="Status" className="status-bar">
      <EngineSegment model={model} />
      <span className="hidden min-w-0 wide:flex">
        {renderModel((props, name) => (
          <button type="button" aria-label={`Model: ${name}`} className="status-item" {...props}>
            <Cpu size={13} className="shrink-0" />
            <span className="truncate">{showHidden(name)}</span>
          </button>
        ))}
      </span>
      {usage && usage.contextTokens > 0 && <ContextSegment usage={usage} />}
      <span className="flex-1" />
      {processes}
      <LearningSegment />
      <span className="hidden min-w-0 rail:flex">
        {renderPermission((props, name) => (
          <button type="button" aria-label={`Permissions: ${name}`} className="status-item" {...props}>
            <Shield size={13} className="shrink-0" />
            <span className="truncate">{showHidden(name)}</span>
          </button>
        ))}
      </span>
      <ConfinementSign place="status bar" />
      <ReachSegment model={model} onPrivacy={onPrivacy} />
    </footer>
  )
}

/** How full the context window is. A click shows the cost of the last answer. */
function ContextSegment({ usage }: { usage: Usage }): ReactNode {
  const used = usage.promptTokens + usage.outputTokens
  const share = used / usage.contextTokens
  const rows: readonly (readonly [string, string])[] = [
    ['Context used', `${formatCount(used)} of ${formatCount(usage.contextTokens)} tokens`],
    ['Speed', `${formatRate(usage.tokensPerSecond)} tokens a second`],
    ['First token after', formatDuration(usage.firstTokenMs)],
    ['Written', `${formatCount(usage.outputTokens)} tokens`],
    [
      'Read',
      usage.reusedTokens > 0
        ? `${formatCount(usage.evaluatedTokens)} tokens new, ${formatCount(usage.reusedTokens)} reused`
        : `${formatCount(usage.evaluatedTokens)} tokens`,
    ],
  ]
  return (
    <Popover
      label="Last answer"
      side="above"
      className="w-max max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          aria-label={`Context ${formatShare(share)} used. Show figures of the last answer`}
          className="status-item shrink-0 whitespace-nowrap tabular-nums"
          {...props}
        >
          {`Context ${formatShare(share)}`}
        </button>
      )}
    >
      {() => (
        <>
          <h2 className="mb-2 text-sm font-semibold">Last answer</h2>
          <dl className="grid grid-cols-[auto_auto] gap-x-5 gap-y-1 text-xs tabular-nums">
            {rows.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-ink-3">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Popover>
  )
}

const standNames = { idle: 'Learning idle', off: 'Learning off', reviewing: 'Reviewing' }

type Stand = 'idle' | 'off' | 'reviewing'

/**
 * Whether a review runs, and how many proposals wait. Links to the Activity page. In a narrow window the sign moves instead of
 * the word, and only the number stands beside it.
 */
function LearningSegment(): ReactNode {
  const stand = useStand()
  const open = useHost(host => host.learningOpen)
  const isQuiet = stand !== 'reviewing' && open === 0
  const words = [
    ...(stand === 'reviewing' || open === 0 ? [standNames[stand]] : []),
    ...(open > 0 ? [`${formatCount(open)} waiting`] : []),
  ].join(' · ')
  return (
    <button
      type="button"
      aria-label={`${words}. Show what was learned`}
      title={words}
      className={cx(
        'status-item',
        isQuiet && 'hidden rail:inline-flex',
        open > 0 && 'font-medium text-accent',
      )}
      onClick={() => goTo({ page: 'activity' })}
    >
      <GraduationCap size={14} className={cx('shrink-0', stand === 'reviewing' && 'pulse')} />
      <span className="hidden truncate rail:inline">{words}</span>
      {open > 0 && <span className="rail:hidden">{formatCount(open)}</span>}
    </button>
  )
}

/** The state of learning. */
function useStand(): Stand {
  const answer = useAnswer('learning.activity', { limit: 1 })
  if (!answer?.ok) return 'idle'
  const { reviews, settings } = answer.value
  if (reviews.some(({ state }) => state === 'running')) return 'reviewing'
  return settings.mode === 'off' ? 'off' : 'idle'
}
