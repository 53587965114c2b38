import { Box } from 'lucide-react'
import type { ReactNode } from 'react'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useAsked } from '../../rpc/use-asked.ts'
import { Popover } from '../../ui/Popover.tsx'
import { cx } from '../../ui/style.ts'

/** Whether commands run confined on this computer. A click says what that means, or what would help. */
export function ConfinementSegment(): ReactNode {
  const { client } = useLink()
  // Settings decide it too.
  const version = useHost(host => host.settingsVersion)
  const answer = useAsked(signal => attemptCall(client['app.confinement']({}, { signal })), `${version}`)
  if (!answer?.ok) return null
  const { confined, whyNot, remedy } = answer.value
  const words = confined ? 'Commands confined' : 'Commands not confined'
  return (
    <Popover
      label="Commands on this computer"
      side="above"
      align="end"
      className="w-80 max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button type="button" className="status-item hidden rail:inline-flex" {...props}>
          <Box size={13} className={cx('shrink-0', confined ? 'text-good' : 'text-warn')} />
          <span className="truncate">{words}</span>
        </button>
      )}
    >
      {() => (
        <div className="grid gap-2 text-sm text-ink-2">
          {confined ? (
            <>
              <p>A command that only reads sees this chat’s folder and the programs of the system.</p>
              <p>
                Any other command can change this chat’s folder only. It sees no keys, and has no network
                unless you allow it.
              </p>
            </>
          ) : (
            <>
              <p>{`Commands run with all your rights: ${whyNot}`}</p>
              <p>Because of that, “Auto for safe reads” asks about all but the plainest commands.</p>
              {remedy !== '' && (
                <p>
                  What helps: <span className="break-words font-mono text-xs">{remedy}</span>
                </p>
              )}
            </>
          )}
        </div>
      )}
    </Popover>
  )
}
