import { Scissors } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Compaction } from '../../../../shared/contract/session.ts'
import { useOpenChat } from '../chats.ts'
import { Disclosure } from '../Disclosure.tsx'
import { SummaryText } from './SummaryText.tsx'
import { formatCount } from '../../../ui/format.ts'

/** Thousands with one decimal, such as “12.0k”; smaller numbers unchanged. */
const inShort = (tokens: number) => (tokens < 1_000 ? formatCount(tokens) : `${(tokens / 1_000).toFixed(1)}k`)
const tokensText = ({ tokensBefore, tokensAfter }: Compaction) =>
  `${inShort(tokensBefore)} → ${inShort(tokensAfter)} tokens`
const madeBy = {
  model: 'The model wrote this summary and reads it instead of the messages above.',
  local:
    'Talaria made this summary by rules because the model gave none. The model reads it instead of the messages above.',
  pruning: 'The model reads this instead of the messages above.',
}

/** A divider in the transcript where a summary ends. It expands to show the summary. */
export function CompactionRow({ compaction }: { compaction: Compaction }): ReactNode {
  const { view } = useOpenChat()
  const key = `compaction:${compaction.id}`
  const [open, setOpen] = useState(view.opened.has(key))
  const { by, focus, summary } = compaction
  const line = (
    <>
      <Scissors size={14} className="shrink-0" />
      <span className="min-w-0 break-words">
        {by === 'pruning'
          ? 'Older tool results are shortened for the model'
          : 'Earlier messages are summarised for the model'}
        {' · '}
        <span className="whitespace-nowrap tabular-nums">{tokensText(compaction)}</span>
      </span>
    </>
  )
  if (summary === '')
    return <p className="flex items-center gap-2 border-t border-line py-2 text-sm text-ink-3">{line}</p>

  const toggle = () => {
    if (open) view.opened.delete(key)
    else view.opened.add(key)
    setOpen(!open)
  }
  return (
    <Disclosure open={open} onToggle={toggle} line={line} className="my-2 border-t border-line pt-1">
      <section
        aria-label="Summary that the model reads"
        className="mt-1 mb-2 grid gap-2 rounded-xl border border-line bg-side px-3.5 py-3 text-sm"
      >
        <p className="text-xs text-ink-3">
          {madeBy[by]} {'The messages stay here, and the agent can search them.'}
        </p>
        {focus !== '' && <p className="break-words text-xs text-ink-3">{`You asked to keep: ${focus}`}</p>}
        <SummaryText text={summary} />
      </section>
    </Disclosure>
  )
}
