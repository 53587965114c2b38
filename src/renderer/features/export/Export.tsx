import { useState, useEffect, type FormEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { ExportFormat } from '../../../shared/contract/data.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink, useHost } from '../../rpc/host-context.tsx'
import { createJob, type Job } from '../../rpc/job.ts'
import type { Link } from '../../rpc/link.ts'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Segmented } from '../../ui/fields/Choice.tsx'
import { countOf, fileDay, formatBytes } from '../../ui/text/format-values.ts'
import { copyText, CopyLine } from '../../ui/IconButton.tsx'
import { WorkProgress } from '../../ui/Progress.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { useSuggested } from '../../ui/fields/use-suggested.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { readChatText, type What } from './chat-text.ts'

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
const branchChoices = [
  { value: 'path', label: 'The chat as it is now' },
  { value: 'all', label: 'All branches' },
] as const

/** The reason why the button is disabled. */
const NO_PATH = 'Type the path of the new file first.'

type Props = {
  job: ExportJob
  /** Export only this chat. */
  chat?: { id: string; title: string; hasBranches: boolean } | undefined
  /** Export only these chats. */
  chats?: readonly string[]
  /** Print the chat. */
  onPrint?: (what: What) => void
}

/** Asks what to export, in which format and to which file. Exports one chat, some chats or all. */
export function ExportForm({ job, chat, chats, onPrint }: Props): ReactNode {
  const { state, start, stop, reset } = useStore(job)
  const { client } = useLink()
  const [format, setFormat] = useState(formats[0]!)
  const [branches, setBranches] = useState<What['branches']>('path')
  const [tools, setTools] = useState(true)
  const places = useAnswer('data.places', {})
  const [today] = useState(fileDay)
  const name = `talaria-${chat ? 'chat' : 'chats'}-${today}.${format.ending}`
  const { field, retype } = useSuggested(
    places?.ok ? `${places.value.files}${places.value.separator}${name}` : '',
  )
  const path = field.value
  const what = { branches, tools }

  if (state.name === 'running') {
    const label = chat ? 'Exporting the chat' : 'Exporting the chats'
    return <WorkProgress label={label} share={state.share} onStop={stop} />
  }
  if (state.name === 'done') {
    const { done } = state
    return (
      <output className="grid gap-2 text-sm">
        <p>
          {`${countOf(done.chats, 'chat', 'chats')} with ${countOf(done.messages, 'message', 'messages')}, ${formatBytes(done.bytes)}:`}
        </p>
        <CopyLine label="Copy the path of the export" text={done.path} />
        <button type="button" className="btn btn-secondary justify-self-start" onClick={reset}>
          Export again
        </button>
      </output>
    )
  }
  const choose = (value: ExportFormat) => {
    const chosen = formats.find(each => each.value === value)!
    setFormat(chosen)
    retype(typed => typed.replace(new RegExp(`\\.${format.ending}$`, 'i'), `.${chosen.ending}`))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() === '') return
    void start({
      path: path.trim(),
      format: format.value,
      ...what,
      ...(chat && { chat: chat.id }),
      ...(chats && { chats: [...chats] }),
    })
  }
  const copy = async (id: string) => {
    const read = await attemptCall(readChatText(client, { ...what, chat: id, format: format.value }))
    if (!read.ok) return showToast(read.fault.message, { level: 'error', about: 'export' })
    if (await copyText(read.value.text, 'Save the chat as a file instead.'))
      showToast(`The chat is on the clipboard as ${format.label}.`, { about: 'export' })
  }
  return (
    <form className="grid max-w-xl gap-3" onSubmit={submit}>
      <Segmented label="Format" options={formats} value={format.value} onChange={choose} />
      {(chat?.hasBranches ?? true) && (
        <Segmented label="Branches" options={branchChoices} value={branches} onChange={setBranches} />
      )}
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={tools}
          onChange={event => setTools(event.target.checked)}
        />
        Include tool input and results
      </label>
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
        {...field}
      />
      <div className="flex flex-wrap gap-2">
        <button
          type="submit"
          className={chat || chats ? 'btn btn-primary' : 'btn btn-secondary'}
          disabled={path.trim() === ''}
          title={path.trim() === '' ? NO_PATH : undefined}
        >
          {chat
            ? 'Export this chat'
            : chats
              ? `Export ${countOf(chats.length, 'chat', 'chats')}`
              : 'Export all chats'}
        </button>
        {chat && (
          <button type="button" className="btn btn-secondary" onClick={() => void copy(chat.id)}>
            Copy
          </button>
        )}
        {chat && onPrint && (
          <button type="button" className="btn btn-secondary" onClick={() => onPrint(what)}>
            Print…
          </button>
        )}
      </div>
      {path.trim() === '' && <p className="text-xs text-ink-3">{NO_PATH}</p>}
    </form>
  )
}

type ExportDialogProps = {
  job: ExportJob
  chatId: string
  onPrint: (what: What) => void
  onClose: () => void
}

/** Exports one chat. A running export continues after the dialog is closed. */
export function ExportDialog({ job, chatId, onPrint, onClose }: ExportDialogProps): ReactNode {
  const title = showTitle(useHost(host => host.sessions[chatId]?.title) ?? '')
  const hasBranches = useHost(host => (host.sessions[chatId]?.pathMoves ?? 0) > 0)
  useEffect(() => {
    if (job.getState().state.name !== 'running') job.getState().reset()
  }, [job])
  return (
    <Dialog title={`Export “${title}”`} closeLabel="Close" width="medium" onClose={onClose}>
      <ExportForm job={job} chat={{ id: chatId, title, hasBranches }} onPrint={onPrint} />
    </Dialog>
  )
}

type ExportManyProps = { job: ExportJob; ids: readonly string[]; onClose: () => void }

/** Exports the selected chats of the list into one file. */
export function ExportManyDialog({ job, ids, onClose }: ExportManyProps): ReactNode {
  useEffect(() => {
    if (job.getState().state.name !== 'running') job.getState().reset()
  }, [job])
  return (
    <Dialog
      title={`Export ${countOf(ids.length, 'chat', 'chats')}`}
      closeLabel="Close"
      width="medium"
      onClose={onClose}
    >
      <ExportForm job={job} chats={ids} />
    </Dialog>
  )
}
