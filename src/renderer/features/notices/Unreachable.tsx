import type { ReactNode } from 'react'
import { useConnection, useLink } from '../../rpc/host-context.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { noticesText } from './strings.ts'

/** The whole window, for as long as the host has never answered. */
export function Unreachable(): ReactNode {
  const connection = useConnection()
  const { retryNow } = useLink()
  if (connection !== 'lost') {
    return (
      <main className="late flex h-full items-center justify-center text-sm text-ink-3">
        <output className="flex items-center gap-2">
          <Spinner />
          {noticesText.connecting}
        </output>
      </main>
    )
  }
  return (
    <main className="flex h-full flex-col items-center justify-center gap-2 p-6 text-center">
      <h1 className="text-lg font-semibold">{noticesText.gone}</h1>
      <p className="max-w-md text-sm text-ink-2">{noticesText.goneHint}</p>
      <button type="button" className="btn btn-primary mt-2" onClick={retryNow}>
        {noticesText.retry}
      </button>
    </main>
  )
}
