import { useState, type ReactNode } from 'react'
import type { Attachment } from '../../../../shared/contract/chats/attachments.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { useAnswer, useSettled } from '../../../rpc/use-answer.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { countOf } from '../../../ui/text/format-values.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { useChat } from '../store/open-chats.ts'
import { pageName, sizeLine, snippetsOf } from './attachment-words.ts'

type Start = { from: number; offset: number }
const START: Start = { from: 1, offset: 0 }

/** The text of an attachment, as models read it, with a search in it. It needs no model. */
export function AttachedText({
  attachment,
  onClose,
}: {
  attachment: Attachment
  onClose: () => void
}): ReactNode {
  const [query, setQuery] = useState('')
  const asked = useSettled(query.trim(), 150)
  return (
    <Dialog title={attachment.name} closeLabel="Close" width="large" onClose={onClose} givesWay>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="-mt-3 text-xs text-ink-2">{sizeLine(attachment)}</p>
        {attachment.problems?.map(problem => (
          <p key={problem} className="text-sm text-warn">
            {problem}
          </p>
        ))}
        <TextField
          label="Search in this text"
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
        <Scrollable label={`Text of ${attachment.name}`} className="attached-text">
          <Parts key={asked} attachment={attachment} query={asked} />
        </Scrollable>
      </div>
    </Dialog>
  )
}

/** The requested parts, one call each. */
function Parts({ attachment, query }: { attachment: Attachment; query: string }) {
  const [starts, setStarts] = useState<readonly Start[]>([START])
  return starts.map((start, index) => (
    <Part
      key={`${start.from}:${start.offset}`}
      {...{ attachment, query, start }}
      onMore={index === starts.length - 1 ? next => setStarts([...starts, next]) : undefined}
    />
  ))
}

type PartProps = {
  attachment: Attachment
  query: string
  start: Start
  onMore: ((next: Start) => void) | undefined
}

function Part({ attachment: { hash, kind }, query, start, onMore }: PartProps) {
  const sessionId = useChat(chat => chat.sessionId) ?? ''
  const answer = useAnswer('attachment.text', { sessionId, hash, query, ...start }, { isOnce: true })
  if (!answer)
    return (
      <output className="late flex items-center gap-2 py-2 text-ink-2">
        <Spinner /> Reading…
      </output>
    )
  if (!answer.ok) return <Problem text={answer.fault.message} />
  const { pages, total, next } = answer.value
  const isStart = start.from === 1 && start.offset === 0
  const isNothing = isStart && pages.every(({ text }) => text.trim() === '')
  return (
    <>
      {isStart && query !== '' && (
        <output className="block pb-2 font-sans text-xs text-ink-2">
          {pages.length === 0
            ? 'Nothing was found.'
            : total > 1 && next === null && `Found on ${countOf(pages.length, 'page', 'pages')}.`}
        </output>
      )}
      {isNothing && query === '' && <p className="text-ink-2">It has no text.</p>}
      {pages.map(({ n, text }) => (
        <section key={n}>
          {total > 1 && (
            <h3 className="pt-2 pb-1 font-sans text-xs font-semibold text-ink-2">{`${pageName(kind)} ${n}`}</h3>
          )}
          <PageText text={text} query={query} />
        </section>
      ))}
      {next && onMore && (
        <button type="button" className="btn btn-secondary my-2 font-sans" onClick={() => onMore(next)}>
          Show more
        </button>
      )}
    </>
  )
}

/** The text of a page or, for a search, the passages with matches. */
function PageText({ text, query }: { text: string; query: string }) {
  const snippets = query === '' ? [] : snippetsOf(text, query)
  if (snippets.length === 0) return <div dir="auto">{showHidden(text)}</div>
  return (
    <ul className="grid gap-2">
      {snippets.map(({ before, found, after }, index) => (
        // Several matches may have the same words around them.
        <li key={`${index}:${before}`} dir="auto" className="border-s-2 border-line-strong ps-2.5">
          {showHidden(before)}
          <mark>{showHidden(found)}</mark>
          {showHidden(after)}
        </li>
      ))}
    </ul>
  )
}
