import { SquareTerminal } from 'lucide-react'
import type { ReactNode } from 'react'
import { countOf } from '../../ui/format.ts'
import { Popover } from '../../ui/Popover.tsx'
import { ProcessRow } from './ProcessRow.tsx'
import { isRunning, useProcesses } from './use-processes.ts'

type Props = {
  onOpenChat: (id: string) => void
  /** Shows the output in a dialog. It is not inside the list, which closes when a dialog opens. */
  onOutput: (id: string) => void
}

/** In the status bar: how many background processes run, in all chats. A click lists them. Nothing is drawn without any. */
export function ProcessSegment({ onOpenChat, onOutput }: Props): ReactNode {
  const processes = useProcesses()
  const running = processes.filter(isRunning).length
  if (processes.length === 0) return null
  return (
    <Popover
      label="Background processes"
      side="above"
      align="end"
      className="w-110 max-w-[calc(100vw-1rem)] bg-sunken p-2"
      renderButton={props => (
        <button
          type="button"
          aria-label={`${countOf(running, 'background process', 'background processes')}. Show them`}
          className="status-item tabular-nums"
          {...props}
        >
          <SquareTerminal size={13} className="shrink-0" />
          <span>{running}</span>
        </button>
      )}
    >
      {close => (
        <ul aria-label="Background processes" className="grid max-h-80 gap-1 overflow-y-auto">
          {processes.map(process => (
            <ProcessRow
              key={process.id}
              process={process}
              onOutput={() => {
                close()
                onOutput(process.id)
              }}
              onChat={() => {
                close()
                onOpenChat(process.sessionId)
              }}
            />
          ))}
        </ul>
      )}
    </Popover>
  )
}
