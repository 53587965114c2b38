import { useState, useEffect, type FormEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { ExportFormat } from '../../../shared/contract/data.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink, useHost } from '../../rpc/host-context.tsx'
import { createJob, type Job } from '../../rpc/job.ts'
import type { Link } from '../../rpc/link.ts'
import { useAsked } from '../../rpc/use-asked.ts'
import { Segmented } from '../../ui/Choice.tsx'
import { countOf, fileDay, formatBytes } from '../../ui/format.ts'
import { CopyLine } from '../../ui/IconButton.tsx'
import { WorkProgress } from '../../ui/Progress.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

type Input = Parameters<HostClient['data.export']>[0]
type Exported = { type: 'done'; path: string; bytes: number; chats: number; messages: number }
export type ExportJob = StoreApi<Job<Input, Exported>>

/** The export of chats. It outlives the page and the dialog that started it. */
export const createExport = ({ client }: Pick<Link, 'client'>): ExportJob =>
  createJob(client['data.export'], end =>
    'done' in end
      ? showToast('The export is ready.', { about: 'export' })
      : showToast(`The export failed: ${end.problem}`, { level: 'error', about: 'export' }),
  )

const formats: readonly { value: ExportFormat; label: string; ending: string }[] = [
  { value: 'html', label: 'Web page', ending: 'html' },
  { value: 'markdown', label: 'Markdown', ending: 'md' },
  { value: 'json', label: 'JSON', ending: 'json' },
]

type Props = {
  job: ExportJob
  /** Only this chat. */
  chat?: { id: string; title: string } | undefined
}

/** Asks for a format and a file, and exports one chat or all of them. */
export function ExportForm({ job, chat }: Props): ReactNode {
  const { state, start, stop, reset } = useStore(job)
  const { client } = useLink()
  const [format, setFormat] = useState(formats[0]!)
  const [typed, setTyped] = useState<string | null>(null)
  const places = useAsked(async () => attemptCall(client['data.places']({})), '')
  const [today] = useState(fileDay)
  const name = `talaria-${chat ? 'chat' : 'chats'}-${today}.${format.ending}`
  const path = typed ?? (places?.ok ? `${places.value.files}${places.value.separator}${name}` : '')

  if (state.name === 'running') {
    const label = chat ? 'Exporting the chat' : 'Exporting the chats'
    return <WorkProgress label={label} share={state.share} onStop={stop} />
  }
  if (state.name === 'done') {
    const { done } = state
    return (
      <output className="grid gap-2 text-sm">
        <p>
          {countOf(done.chats, 'chat', 'chats')} with {countOf(done.messages, 'message', 'messages')},{' '}
          {formatBytes(done.bytes)}:
        </p>
        <CopyLine label="Copy the path of the export" text={done.path} />
        <button type="button" className="btn btn-secondary justify-self-start" onClick={reset}>
          Export again
        </button>
      </output>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() === '') return
    void start({ path: path.trim(), format: format.value, ...(chat && { chat: chat.id }) })
  }
  return (
    <form className="grid max-w-xl gap-3" onSubmit={submit}>
      <Segmented
        label="Format"
        options={formats}
        value={format.value}
        onChange={value => setFormat(formats.find(each => each.value === value)!)}
      />
      <TextField
        label="File"
        hint={
          state.wasStopped
            ? 'Stopped. Nothing was written.'
            : 'The full path of a new file. Chats are written as they are, with any passwords in them.'
        }
        error={state.problem}
        dir="ltr"
        maxLength={4_096}
        value={path}
        onChange={event => setTyped(event.target.value)}
      />
      <button type="submit" className="btn btn-secondary justify-self-start" disabled={path.trim() === ''}>
        {chat ? 'Export this chat' : 'Export all chats'}
      </button>
    </form>
  )
}

type ExportDialogProps = { job: ExportJob; chatId: string; onClose: () => void }

/** Exports one chat. A running export goes on when the dialog is closed. */
export function ExportDialog({ job, chatId, onClose }: ExportDialogProps): ReactNode {
  const title = useHost(host => host.sessions[chatId]?.title) || 'New chat'
  useEffect(() => {
    if (job.getState().state.name !== 'running') job.getState().reset()
  }, [job])
  return (
    <Dialog title={`Export “${title}”`} closeLabel="Close" width="medium" onClose={onClose}>
      <ExportForm job={job} chat={{ id: chatId, title }} />
    </Dialog>
  )
}
