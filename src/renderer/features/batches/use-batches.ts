import { useEffect, useState } from 'react'
import type { BatchState } from '../../../shared/contract/runs/batch.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useConnection, useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/Toasts.tsx'

/**
 * The host's batches, newest first; undefined before its first answer. `problem` says why they cannot be
 * read.
 */
type Known = { batches: readonly BatchState[] | undefined; problem: string }

/** Follow the host's batches while the component is rendered, and again after each lost connection. */
export function useBatches(): Known {
  const { client } = useLink()
  const connection = useConnection()
  const [known, setKnown] = useState<Known>({ batches: undefined, problem: '' })
  useEffect(() => {
    if (connection !== 'connected') return
    const over = new AbortController()
    void attemptCall(followBatches(client, over.signal, setKnown)).then(answer => {
      // The window itself reports a lost connection.
      if (answer.ok || over.signal.aborted || answer.fault.code === 'disconnected') return
      setKnown(({ batches }) => ({ batches, problem: answer.fault.message }))
    })
    return () => over.abort()
  }, [client, connection])
  return known
}

async function followBatches(
  client: HostClient,
  signal: AbortSignal,
  tell: (known: Known) => void,
): Promise<void> {
  for await (const { batches } of client['batch.watchList']({}, { signal }))
    if (!signal.aborted) tell({ batches, problem: '' })
}

/** Pause or resume a batch. Resolves once the host has done so; errors appear as toasts. */
export function useBatchActions() {
  const { client } = useLink()
  const tell = async (asked: Promise<unknown>) => {
    const answer = await attemptCall(asked)
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
  return {
    pause: (id: string) => tell(client['batch.pause']({ id })),
    resume: (id: string) => tell(client['batch.resume']({ id })),
  }
}
