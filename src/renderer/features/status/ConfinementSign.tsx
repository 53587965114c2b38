import { Box } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Popover } from '../../ui/Popover.tsx'
import { cx } from '../../ui/style.ts'

type Confinement = { confined: boolean; blocked: boolean; whyNot: string; remedy: string }

/** Whether commands run confined on this computer, and if not, why; undefined until the host has answered. */
function useConfinement(): Confinement | undefined {
  const answer = useAnswer('app.confinement', {})
  return answer?.ok ? answer.value : undefined
}

const look = {
  'status bar': { button: 'status-item hidden rail:inline-flex', size: 13, confined: 'Commands confined' },
  composer: { button: 'btn btn-quiet min-w-0 px-2', size: 15, confined: 'Confined' },
} as const

/**
 * Says whether commands run confined on this computer. A click explains that, or what would help. Beside the
 * composer it also says why not, as far as there is space.
 */
export function ConfinementSign({ place }: { place: keyof typeof look }): ReactNode {
  const state = useConfinement()
  if (!state) return null
  const { confined, blocked, whyNot } = state
  const { button, size, confined: good } = look[place]
  const inComposer = place === 'composer'
  const bad = blocked ? 'Commands blocked' : inComposer ? 'Not confined' : 'Commands not confined'
  return (
    <Popover
      label="Commands on this computer"
      side="above"
      align={inComposer ? 'start' : 'end'}
      className="w-80 max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          className={button}
          {...(inComposer && {
            'aria-label': `${titleOf(state)}${confined ? '' : `: ${whyNot}`}`,
          })}
          {...props}
        >
          <Box size={size} className={cx('shrink-0', confined ? 'text-good' : 'text-warn')} />
          <span
            className={cx(
              inComposer ? 'text-xs font-normal whitespace-nowrap' : 'truncate',
              inComposer && confined && 'hidden rail:inline',
            )}
          >
            {confined ? good : bad}
          </span>
          {inComposer && !confined && (
            <span className="hidden truncate text-xs font-normal text-ink-3 wide:inline">{whyNot}</span>
          )}
        </button>
      )}
    >
      {() => <Explanation state={state} />}
    </Popover>
  )
}

/** The same as text, for Settings. */
export function ConfinementNote(): ReactNode {
  const state = useConfinement()
  if (!state) return null
  return (
    <section aria-label="Commands on this computer" className="flex items-start gap-2">
      <Box size={15} className={cx('mt-0.5 shrink-0', state.confined ? 'text-good' : 'text-warn')} />
      <div className="min-w-0">
        <h3 className="text-sm font-medium">{titleOf(state)}</h3>
        <Explanation state={state} />
      </div>
    </section>
  )
}

const titleOf = ({ confined, blocked }: Confinement) =>
  confined ? 'Commands run confined' : blocked ? 'Commands do not run' : 'Commands run not confined'

function Explanation({ state: { confined, blocked, whyNot, remedy } }: { state: Confinement }) {
  return (
    <div className="grid gap-2 text-sm text-ink-2">
      {confined ? (
        <>
          <p>
            A command that “Auto for safe reads” runs without a question can only read: this chat’s folder and
            the programs of the system.
          </p>
          <p>
            Any other command can change this chat’s folder only. It sees no keys, and has no network unless
            you allow it.
          </p>
        </>
      ) : (
        <>
          <p>
            {blocked
              ? `Settings allow only confined commands: ${whyNot}`
              : `Commands run with all your rights: ${whyNot}`}
          </p>
          {!blocked && (
            <p>Because of that, “Auto for safe reads” asks about all but the plainest commands.</p>
          )}
          {remedy !== '' && (
            <p>
              What helps: <span className="break-words font-mono text-xs">{remedy}</span>
            </p>
          )}
        </>
      )}
    </div>
  )
}
