import { Box, Network } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'
import type { Answer } from '../../rpc/answers.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Popover } from '../../ui/Popover.tsx'
import { cx } from '../../ui/style.ts'
import { placeElements } from '../../ui/text/place-elements.tsx'

type Confinement = Answer<'app.confinement'>

/** Whether commands run confined on this computer, and if not, why; undefined until the host has answered. */
function useConfinement(): Confinement | undefined {
  const answer = useAnswer('app.confinement', {})
  return answer?.ok ? answer.value : undefined
}

/** The approval mode of a chat that has not started. */
export const useModeOfNewChats = (): ApprovalMode => useConfinement()?.newChats ?? 'ask'

/**
 * A sign at the message field that commands run unconfined, shown at every width. A click explains it and how
 * to fix it. Renders nothing if commands run confined, which is usual.
 */
export function ConfinementSign(): ReactNode {
  const state = useConfinement()
  if (!state || state.confined) return null
  return (
    <WarningSign
      label="Commands on this computer"
      name={`${state.blocked ? 'Commands blocked' : 'Not confined'}: ${state.whyNot}`}
      sign={<Box size={16} className="shrink-0" />}
      text={state.blocked ? 'Commands blocked' : 'Not confined'}
    >
      <Explanation state={state} />
    </WarningSign>
  )
}

/**
 * A sign at the message field that confined commands reach the network without asking: with full access,
 * unless the offline lock is on. If commands run unconfined, the sign beside this one says more.
 */
export function OpenNetworkSign({ isFullAccess }: { isFullAccess: boolean }): ReactNode {
  const locked = useHost(host => host.locked)
  const state = useConfinement()
  if (!isFullAccess || locked || !state?.confined) return null
  return (
    <WarningSign
      label="The network of commands"
      name="Network open: commands reach the network without asking"
      sign={<Network size={16} className="shrink-0" />}
      text="Network open"
    >
      <div className="grid gap-2 text-sm text-ink-2">
        <p>With full access, commands of this chat reach the network without asking you.</p>
        <p>To close it, use the offline lock or another permission mode.</p>
      </div>
    </WarningSign>
  )
}

type WarningProps = { label: string; name: string; sign: ReactNode; text: string; children: ReactNode }

/** A sign with text at every width. `name` starts with that text. */
function WarningSign({ label, name, sign, text, children }: WarningProps) {
  return (
    <Popover
      label={label}
      side="above"
      className="w-80 max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          aria-label={name}
          title={name}
          className="btn btn-quiet shrink-0 px-2 text-warn"
          {...props}
        >
          {sign}
          <span className="text-xs whitespace-nowrap">{text}</span>
        </button>
      )}
    >
      {() => children}
    </Popover>
  )
}

/** The state of confinement as text, for Settings. */
export function ConfinementNote(): ReactNode {
  const state = useConfinement()
  if (!state) return null
  return (
    <section aria-label="Commands on this computer" className="flex items-start gap-2">
      <Box size={16} className={cx('mt-0.5 shrink-0', state.confined ? 'text-good' : 'text-warn')} />
      <div className="min-w-0">
        <h3 className="text-sm font-medium">{titleOf(state)}</h3>
        <Explanation state={state} />
      </div>
    </section>
  )
}

const titleOf = ({ confined, blocked }: Confinement) =>
  confined ? 'Commands run confined' : blocked ? 'Commands do not run' : 'Commands run unconfined'

function Explanation({ state: { confined, blocked, whyNot, remedy } }: { state: Confinement }) {
  return (
    <div className="grid gap-2 text-sm text-ink-2">
      {confined ? (
        <>
          <p>
            A command that “Auto for safe reads” runs without a question can only read this chat’s folder and
            the system’s programs.
          </p>
          <p>
            Any other command can change only this chat’s folder. It sees no keys, and has no network unless
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
            <>
              <p>They reach all your files and the network, even while the offline lock is on.</p>
              <p>Because of that, “Auto for safe reads” asks about all but the simplest commands.</p>
            </>
          )}
          {remedy !== '' && (
            <p>
              {placeElements('What helps: {command}', {
                command: <span className="break-words font-mono text-xs">{remedy}</span>,
              })}
            </p>
          )}
        </>
      )}
    </div>
  )
}
