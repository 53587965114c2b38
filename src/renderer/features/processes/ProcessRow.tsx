import type { ReactNode } from 'react'
import type { BackgroundProcess } from '../../../shared/contract/processes.ts'
import { showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { cx } from '../../ui/style.ts'
import { describeProcess, isRunning, useStop } from './use-processes.ts'

type Props = {
  process: BackgroundProcess
  onOutput: () => void
  /** Opens the chat that it belongs to; absent inside that chat. */
  onChat?: () => void
}

/** One background process: what it is, how it runs, its address, and what can be done. */
export function ProcessRow({ process, onOutput, onChat }: Props): ReactNode {
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
