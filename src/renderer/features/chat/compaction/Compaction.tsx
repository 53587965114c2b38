import { Scissors } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { REFUSED_BECAUSE, type Compaction } from '../../../../shared/contract/chats/session.ts'
import { useKept } from '../../../ui/row-state.tsx'
import { formatCount } from '../../../ui/text/format-values.ts'
import { isBusy } from '../store/chat-state.ts'
import { useChat } from '../store/open-chats.ts'
import { Disclosure } from '../../../ui/Disclosure.tsx'
import { partsOf } from './chat-compaction.ts'

/** Thousands with one decimal, such as “12.0k”; smaller numbers unchanged. */
const inShort = (tokens: number) => (tokens < 1_000 ? formatCount(tokens) : `${(tokens / 1_000).toFixed(1)}k`)
const tokensText = ({ tokensBefore, tokensAfter }: Compaction) =>
  `${inShort(tokensBefore)} → ${inShort(tokensAfter)} tokens`
const madeBy = {
  model: 'The model wrote this summary and reads it instead of the messages above.',
  local:
    'Talaria built this summary by fixed rules, without a model. The model reads it instead of the messages above.',
  pruning: 'The model reads this instead of the messages above.',
}

/** A divider in the transcript where a summary ends. It expands to show the summary. */
export function CompactionRow({ compaction }: { compaction: Compaction }): ReactNode {
  const [open, setOpen] = useKept(`compaction:${compaction.id}`, false)
  const { by, focus, summary, refused } = compaction
  const made =
    refused === undefined
      ? madeBy[by]
      : `${REFUSED_BECAUSE[refused]}, so Talaria built one by fixed rules. The model reads it instead of the messages above.`
  const line = (
    <>
      <Scissors size={14} className="shrink-0" />
      <span className="min-w-0 break-words">
        {by === 'pruning'
          ? 'Older calls and their results are shortened for the model'
          : 'Earlier messages are summarised for the model'}
        {' · '}
        <span className="whitespace-nowrap tabular-nums">{tokensText(compaction)}</span>
      </span>
    </>
  )
  if (summary === '')
    return <p className="flex items-center gap-2 border-t border-line py-2 text-sm text-ink-3">{line}</p>

  return (
    <Disclosure
      open={open}
      onToggle={() => setOpen(!open)}
      line={line}
      className="my-2 border-t border-line pt-1"
    >
      <section
        aria-label="Summary that the model reads"
        className="mt-1 mb-2 grid gap-2 rounded-xl border border-line bg-side px-3.5 py-3 text-sm"
      >
        <p className="text-xs text-ink-3">
          {made} {'The messages stay here, and the agent can search them.'}
        </p>
        {focus !== '' && <p className="break-words text-xs text-ink-3">{`You asked to keep: ${focus}`}</p>}
        <SummaryText text={summary} />
      </section>
    </Disclosure>
  )
}

/** A summary with its headings and lists. All other text is shown literally, never as markup. */
function SummaryText({ text }: { text: string }): ReactNode {
  return (
    <div dir="auto" className="grid gap-2 break-words">
      {partsOf(text).map(({ heading, lines }) => (
        <div key={heading}>
          {heading !== '' && <h3 className="font-medium">{heading}</h3>}
          <ul className="list-disc ps-5 text-ink-2">
            {lines.map((line, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- lines have no identity beyond their place
              <li key={at}>{line}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

/** Lets the user replace older messages by a summary before the context window is full. */
export function CompactNow(): ReactNode {
  const compact = useChat(chat => chat.compact)
  const busy = useChat(chat => isBusy(chat) || chat.pending !== null)
  const [problem, setProblem] = useState('')
  const start = async () => {
    setProblem('')
    const begun = await compact('')
    if (!begun.ok) setProblem(begun.fault.message)
  }
  return (
    <div className="grid justify-items-start gap-1.5">
      <button type="button" disabled={busy} className="btn btn-secondary" onClick={() => void start()}>
        Compact now
      </button>
      <p className="text-xs text-ink-3">
        {busy
          ? 'Wait until this answer is done.'
          : 'Replaces older messages with a summary for the model. You still see everything here.'}
      </p>
      {problem !== '' && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}
