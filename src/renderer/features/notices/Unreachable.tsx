import type { ReactNode } from 'react'
import { useConnection, useLink } from '../../rpc/host-context.tsx'
import { Spinner } from '../../ui/Progress.tsx'

/** Fills the window until the host has responded once. */
export function Unreachable(): ReactNode {
  const connection = useConnection()
  const { retryNow } = useLink()
  if (connection !== 'lost') {
    return (
      <main className="late flex h-full items-center justify-center text-sm text-ink-3">
        <output className="flex items-center gap-2">
          <Spinner />
          Connecting to Talaria…
        </output>
      </main>
    )
  }
  return (
    <main className="flex h-full flex-col items-center justify-center gap-2 p-6 text-center">
      <h1 className="text-lg font-semibold">Talaria cannot be reached</h1>
      <p className="max-w-md text-sm text-ink-2">
        Talaria may not be running, or it restarted at another address. Start it again, or open the address
        that it prints. This page keeps trying.
      </p>
      <button type="button" className="btn btn-primary mt-2" onClick={retryNow}>
        Try now
      </button>
    </main>
  )
}
