import { useEffect, useState, type ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { BackgroundProcess } from '../../../shared/contract/runs/processes.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatCount } from '../../ui/text/format-values.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { describeProcess, isRunning, useStop } from './use-processes.ts'

type Shown = { text: string; dropped: number; process: BackgroundProcess | null; problem: string }

/** Maximum number of characters of output to keep; the host has the same limit. */
const MOST_SHOWN = 64_000

/** The live output of a background process, with a button to stop it. */
export function OutputDialog({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const { text, dropped, process, problem } = useOutput(id)
  const stop = useStop()
  return (
    <Dialog title={`Output of ${id}`} closeLabel="Close the output" width="large" onClose={onClose} givesWay>
      {process && (
        <div className="mb-2 grid gap-1 text-sm text-ink-2">
          <p dir="ltr" className="font-mono text-xs break-words text-ink">
            {showHidden(process.command)}
          </p>
          <p>{describeProcess(process)}</p>
        </div>
      )}
      {problem !== '' && <p className="mb-2 text-sm text-danger">{problem}</p>}
      {dropped > 0 && (
        <p className="mb-1 text-xs text-ink-3">{`${formatCount(dropped)} earlier characters were not kept.`}</p>
      )}
      <Scrollable
        as="pre"
        label="Output"
        dir="ltr"
        atEnd
        className="max-h-[55vh] overflow-y-auto rounded-lg bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap"
      >
        {text === '' ? 'Nothing was printed yet.' : showHidden(text)}
      </Scrollable>
      {process && isRunning(process) && (
        <button type="button" className="btn btn-secondary mt-3" onClick={() => void stop(id)}>
          {`Stop ${id}`}
        </button>
      )}
    </Dialog>
  )
}

const nothing: Shown = { text: '', dropped: 0, process: null, problem: '' }

function useOutput(id: string): Shown {
  const { client } = useLink()
  const [shown, setShown] = useState(nothing)
  useEffect(() => {
    const over = new AbortController()
    void attemptCall(followOutput(client, id, over.signal, setShown)).then(answer => {
      if (!answer.ok && !over.signal.aborted)
        setShown(before => ({ ...before, problem: answer.fault.message }))
    })
    return () => over.abort()
  }, [client, id])
  return shown
}

async function followOutput(
  client: HostClient,
  id: string,
  signal: AbortSignal,
  show: (shown: Shown) => void,
): Promise<void> {
  let kept = ''
  let total = 0
  for await (const { text, dropped, process } of client['process.watch']({ id }, { signal })) {
    total += dropped + text.length
    // Dropped output leaves a gap, so only the text after it is shown.
    kept = (dropped > 0 ? text : kept + text).slice(-MOST_SHOWN)
    show({ text: kept, dropped: total - kept.length, process, problem: '' })
  }
}
