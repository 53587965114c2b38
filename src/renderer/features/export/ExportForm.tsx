import { useState, type FormEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useAsked } from '../../rpc/use-asked.ts'
import { Segmented } from '../../ui/Choice.tsx'
import { countOf, fileDay, formatBytes } from '../../ui/format.ts'
import { CopyButton } from '../../ui/IconButton.tsx'
import { WorkProgress } from '../../ui/Progress.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { formats, type ExportJob } from './export-store.ts'

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
        <p className="flex items-center gap-2">
          <code dir="ltr" className="text-xs break-all">
            {done.path}
          </code>
          <CopyButton label="Copy the path of the export" doneLabel="Copied" text={() => done.path} />
        </p>
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
