import { useState, type ReactNode } from 'react'
import { SquareTerminal } from 'lucide-react'
import { OutputDialog } from './OutputDialog.tsx'
import { isRunning, useProcesses, describeProcess, useStop } from './use-processes.ts'
import type { BackgroundProcess } from '../../../shared/contract/runs/processes.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { cx } from '../../ui/style.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { countOf } from '../../ui/text/format-values.ts'

/** The running background processes of this chat, above the message field. */
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
          <ul className="grid max-h-40 grid-cols-1 gap-1 overflow-y-auto">
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

type Props = {
  process: BackgroundProcess
  onOutput: () => void
  /** Opens the chat of the process; absent inside that chat. */
  onChat?: () => void
}

/** One background process: its command, state, address and actions. */
function ProcessRow({ process, onOutput, onChat }: Props): ReactNode {
  const stop = useStop()
  const { id, command, chat, address, state } = process
  const name = `${id} ${showHiddenInLine(command)}`
  return (
    <li aria-label={name} className="grid gap-0.5 rounded-lg bg-canvas px-2.5 py-1.5 text-xs text-ink-2">
      <p className="flex items-center gap-2">
        <span
          aria-hidden="true"
          className={cx('size-2 shrink-0 rounded-full', isRunning(process) ? 'bg-good' : 'bg-ink-3')}
        />
        <span dir="ltr" title={showHiddenInLine(command)} className="min-w-0 truncate font-mono text-ink">
          {showHiddenInLine(command)}
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-x-2">
        <span>{describeProcess(process)}</span>
        {address !== null && (
          <a href={address} target="_blank" rel="noreferrer" className="text-accent hover:underline">
            {address.replace('http://', '')}
          </a>
        )}
        {onChat && (
          <button
            type="button"
            className="min-w-0 truncate text-accent hover:underline"
            aria-label={`Open the chat of ${id}`}
            onClick={onChat}
          >
            {showHiddenInLine(chat || 'New chat')}
          </button>
        )}
        <span className="flex-1" />
        <button
          type="button"
          aria-label={`Output of ${id}`}
          className="btn btn-quiet min-h-6 text-xs"
          onClick={onOutput}
        >
          Output
        </button>
        {isRunning(process) && (
          <button
            type="button"
            aria-label={`Stop ${id}`}
            className="btn btn-quiet min-h-6 text-xs text-danger"
            disabled={state === 'stopping'}
            onClick={() => void stop(id)}
          >
            Stop
          </button>
        )}
      </p>
    </li>
  )
}

type SegmentProps = {
  onOpenChat: (id: string) => void
  /** Shows the output in a dialog outside the list, because the list closes when a dialog opens. */
  onOutput: (id: string) => void
}

/** The background processes of all chats in the activity line, and what they may do beyond the usual. */
export function ProcessSegment({ onOpenChat, onOutput }: SegmentProps): ReactNode {
  const running = useProcesses().filter(isRunning)
  if (running.length === 0) return null
  const beyond = running.some(({ access }) => access === 'unconfined')
    ? 'not confined'
    : running.some(({ access }) => access === 'network')
      ? 'with network'
      : ''
  const count = countOf(running.length, 'background process', 'background processes')
  return (
    <Popover
      label="Background processes"
      side="above"
      align="end"
      className="w-110 max-w-[calc(100vw-1rem)] bg-sunken p-2"
      renderButton={props => (
        <button
          type="button"
          aria-label={beyond === '' ? `${count}. Show them` : `${count}, ${beyond}. Show them`}
          className="status-item tabular-nums"
          {...props}
        >
          <SquareTerminal size={14} className="shrink-0" />
          <span className="truncate">{count}</span>
          {beyond !== '' && <span className="shrink-0 text-warn">{beyond}</span>}
        </button>
      )}
    >
      {close => (
        <ProcessRows
          onOpenChat={id => {
            close()
            onOpenChat(id)
          }}
          onOutput={id => {
            close()
            onOutput(id)
          }}
        />
      )}
    </Popover>
  )
}

/** All background processes, including ended ones. */
function ProcessRows({ onOpenChat, onOutput }: SegmentProps) {
  return (
    <ul aria-label="Background processes" className="grid max-h-80 grid-cols-1 gap-1 overflow-y-auto">
      {useProcesses().map(process => (
        <ProcessRow
          key={process.id}
          process={process}
          onOutput={() => onOutput(process.id)}
          onChat={() => onOpenChat(process.sessionId)}
        />
      ))}
    </ul>
  )
}

/** The background processes in a dialog. It also lists ended ones, which are shown nowhere else. */
export function ProcessDialog({ onClose, ...ways }: SegmentProps & { onClose: () => void }): ReactNode {
  return (
    <Dialog title="Background processes" closeLabel="Close the processes" onClose={onClose}>
      <div className="rounded-xl bg-sunken p-2">
        <ProcessRows {...ways} />
      </div>
    </Dialog>
  )
}
