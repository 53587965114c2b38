import { Scissors } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Compaction } from '../../../../shared/contract/session.ts'
import { useOpenChat } from '../chats.ts'
import { Disclosure } from '../Disclosure.tsx'
import { compactionText } from './strings.ts'
import { SummaryText } from './SummaryText.tsx'

/** A line across the transcript where a summary ends, for the model; it opens to the summary. */
export function CompactionRow({ compaction }: { compaction: Compaction }): ReactNode {
  const { view } = useOpenChat()
  const key = `compaction:${compaction.id}`
  const [open, setOpen] = useState(view.opened.has(key))
  const { by, focus, summary } = compaction
  const line = (
    <>
      <Scissors size={14} className="shrink-0" />
      <span className="min-w-0 break-words">
        {by === 'pruning' ? compactionText.shortened : compactionText.summarised}
        {' · '}
        <span className="whitespace-nowrap tabular-nums">{compactionText.tokens(compaction)}</span>
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
        aria-label={compactionText.region}
        className="mt-1 mb-2 grid gap-2 rounded-xl border border-line bg-side px-3.5 py-3 text-sm"
      >
        <p className="text-xs text-ink-3">
          {compactionText.made[by]} {compactionText.kept}
        </p>
        {focus !== '' && <p className="break-words text-xs text-ink-3">{compactionText.focus(focus)}</p>}
        <SummaryText text={summary} />
      </section>
    </Disclosure>
  )
}
