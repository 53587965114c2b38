import { useState, type ReactNode } from 'react'
import { versionOrigin, type McpServerState } from '../../../shared/contract/connections/mcp.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Problem } from '../../ui/Banner.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { TextDiff } from '../../ui/text/TextDiff.tsx'

type Props = { server: McpServerState }

/**
 * The button that finds the exact version of the package that a server downloads, and shows the command with
 * it.
 */
export function PinVersion({ server }: Props): ReactNode {
  const [asks, setAsks] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className="btn btn-secondary justify-self-start"
        onClick={() => setAsks(true)}
      >
        Pin an exact version…
      </button>
      {asks && <PinDialog server={server} onClose={() => setAsks(false)} />}
    </>
  )
}

function PinDialog({ server: { name, shown }, onClose }: Props & { onClose: () => void }) {
  const { client } = useLink()
  const answer = useAnswer('mcp.version', { name }, { isOnce: true })
  const [problem, setProblem] = useState('')
  const found = answer?.ok ? answer.value : undefined

  async function pin(): Promise<void> {
    if (!found) return
    const put = await attemptCall(client['mcp.put']({ server: found.server, seen: found.seen }))
    if (!put.ok) return setProblem(put.fault.message)
    onClose()
    // The test accepts the tools as that version lists them.
    if (found.server.enabled) void attemptCall(client['mcp.test']({ name }))
  }

  return (
    <Dialog title={`Pin the version of ${name}`} closeLabel="Close" width="medium" onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Problem text={answer?.ok === false ? answer.fault.message : problem} />
        <output className="text-sm text-ink-2">
          {found
            ? versionOrigin(found.version, found.from)
            : !answer && (
                <span className="flex items-center gap-2">
                  <Spinner />
                  Looking for the version…
                </span>
              )}
        </output>
        {found && (
          <>
            <TextDiff label="What changes in the command" before={shown} after={found.shown} />
            <DialogButtons label={`Pin ${found.version}`} onClick={() => void pin()} onCancel={onClose} />
          </>
        )}
      </div>
    </Dialog>
  )
}
