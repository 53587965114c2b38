import { useState, type ReactNode } from 'react'
import { OutputDialog } from './OutputDialog.tsx'
import { ProcessRow } from './ProcessRow.tsx'
import { isRunning, useProcesses } from './use-processes.ts'

/** Above the message field: the background processes of this chat that run. */
export function ChatProcesses({ sessionId }: { sessionId: string | null }): ReactNode {
  const running = useProcesses().filter(each => each.sessionId === sessionId && isRunning(each))
  const [shown, setShown] = useState<string | null>(null)
  return (
    <>
      {running.length > 0 && (
        <section
          aria-label="Background processes of this chat"
          className="mb-2 rounded-xl border border-line bg-sunken p-1.5"
        >
          <ul className="grid max-h-40 gap-1 overflow-y-auto">
            {running.map(process => (
              <ProcessRow key={process.id} process={process} onOutput={() => setShown(process.id)} />
            ))}
          </ul>
        </section>
      )}
      {shown !== null && <OutputDialog key={shown} id={shown} onClose={() => setShown(null)} />}
    </>
  )
}
