import { Brain } from 'lucide-react'
import type { ReactNode } from 'react'
import { useChat } from './chats.ts'
import { Disclosure } from './Disclosure.tsx'
import { useOpened } from './remember.ts'
import { formatDuration } from '../../ui/format.ts'

const thoughtText = (ms: number | null) => (ms === null ? 'Thoughts' : `Thought for ${formatDuration(ms)}`)

/** The model's thoughts before an answer, collapsed, and their duration. `stored` is null until it ends. */
export function Reasoning({
  id,
  stored,
  thoughtMs,
}: {
  id: string
  stored: string | null
  thoughtMs: number | null
}): ReactNode {
  const [open, setOpen] = useOpened(`${id}:reasoning`)
  const liveMs = useChat(chat => (stored === null ? chat.live.thoughtMs : null))
  const thinking = stored === null && liveMs === null
  const title = thinking ? 'Thinking…' : thoughtText(thoughtMs ?? liveMs)
  return (
    <Disclosure
      open={open}
      onToggle={() => setOpen(!open)}
      className="mb-1"
      inline
      line={
        <>
          <Brain size={15} className="shrink-0" />
          <span className={thinking ? 'pulse' : ''}>{title}</span>
        </>
      }
    >
      {stored === null ? <LiveThoughts /> : <Thoughts text={stored} />}
    </Disclosure>
  )
}

function LiveThoughts() {
  return <Thoughts text={useChat(chat => chat.live.reasoning)} />
}

function Thoughts({ text }: { text: string }) {
  return (
    <div
      dir="auto"
      className="ms-2 mb-2 border-s-2 border-line ps-4 text-sm break-words whitespace-pre-wrap text-ink-2"
    >
      {text.trim()}
    </div>
  )
}
