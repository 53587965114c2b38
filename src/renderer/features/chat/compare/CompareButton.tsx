import { Columns2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { Select } from '../../../ui/fields/Choice.tsx'
import { SignPopover } from '../../../ui/Popover.tsx'
import { isBusy } from '../store/chat-state.ts'
import { useChat, useModel } from '../store/open-chats.ts'

/** Sends the draft to two models, in a window that has two. */
export function CompareButton(): ReactNode {
  const isPossible = useHost(host => host.models.filter(({ problem }) => problem === null).length > 1)
  if (!isPossible) return null
  return (
    <SignPopover
      label="Compare two models"
      title="Compare two models"
      sign={<Columns2 size={16} className="shrink-0" />}
      text="Compare"
      hidesText="first"
    >
      {close => <Choose close={close} />}
    </SignPopover>
  )
}

function Choose({ close }: { close: () => void }) {
  const models = useHost(host => host.models)
  const usable = models.filter(({ problem }) => problem === null)
  const usual = useModel()?.id ?? ''
  const [first, setFirst] = useState(usable.some(({ id }) => id === usual) ? usual : (usable[0]?.id ?? ''))
  const [second, setSecond] = useState(usable.find(({ id }) => id !== first)?.id ?? '')
  const isEmpty = useChat(chat => chat.draft.trim() === '')
  const busy = useChat(chat => isBusy(chat) || chat.pending !== null)
  const compareWith = useChat(chat => chat.compareWith)
  const hasFiles = useChat(chat => chat.unsent.length + chat.arriving.length > 0)
  const [problem, setProblem] = useState('')
  const options = usable.map(({ id, name }) => ({ value: id, label: name }))
  const why = busy
    ? 'Wait until this answer is done.'
    : isEmpty
      ? 'Write a message first.'
      : hasFiles
        ? 'A comparison cannot include attachments. They are kept for your next message.'
        : first === second
          ? 'Choose two different models.'
          : problem
  const send = async () => {
    const started = await compareWith([first, second])
    if (started.ok) close()
    else setProblem(started.fault.message)
  }
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-2">
        Both answer your message without tools. You keep one; the other stays as a branch.
      </p>
      <Select label="First model" showLabel value={first} options={options} onChange={setFirst} />
      <Select label="Second model" showLabel value={second} options={options} onChange={setSecond} />
      {why !== '' && <p className="text-sm text-ink-2">{why}</p>}
      <button
        type="button"
        className="btn btn-primary justify-self-start"
        disabled={busy || isEmpty || first === second}
        onClick={() => void send()}
      >
        Send to both
      </button>
    </div>
  )
}
