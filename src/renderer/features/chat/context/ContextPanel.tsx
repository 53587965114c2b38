import { useState, type ReactNode } from 'react'
import type { HostClient } from '../../../../shared/contract/index.ts'
import type { PromptSection } from '../../../../shared/contract/chats/session.ts'
import { sayRereads } from '../../../../shared/words/model-words.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useAnswer, useIsAsked } from '../../../rpc/use-answer.ts'
import { formatCount, formatShare } from '../../../ui/text/format-values.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { isBusy } from '../store/chat-state.ts'
import { useChat, useSession } from '../store/open-chats.ts'
import { CompactNow } from '../compaction/Compaction.tsx'
import { contextShare, tokensUsed, useContextUse } from './ContextFigure.tsx'
import { Bar, ContextSection } from './ContextParts.tsx'
import { byCount } from '../../../../shared/text/amounts.ts'

const changedText = (titles: readonly string[]) =>
  byCount(
    titles.length,
    `1 change applies to new chats: ${titles.join(', ')}.`,
    `${formatCount(titles.length)} changes apply to new chats: ${titles.join(', ')}.`,
  )

/** The current context of the model: its size, its parts, and the exact text of each. */
export function ContextPanel(): ReactNode {
  const id = useChat(chat => chat.sessionId)
  return id === null ? (
    <p className="text-sm text-ink-3">Nothing yet. What the model sees is built with your first message.</p>
  ) : (
    <ContextOf id={id} />
  )
}

function ContextOf({ id }: { id: string }) {
  const { context, reading, reload } = useContextOfChat(id)
  if (context === undefined) {
    return (
      <output className="late flex items-center gap-2 text-sm text-ink-3">
        <Spinner />
        Reading…
      </output>
    )
  }
  if (!context.ok) {
    return (
      <div role="alert" className="grid justify-items-start gap-2 text-sm text-danger">
        <p>{`What the model sees could not be read: ${context.fault.message}`}</p>
        <button type="button" className="btn btn-secondary" onClick={reload}>
          Try again
        </button>
      </div>
    )
  }
  return (
    <div aria-busy={reading}>
      <Context id={id} context={context.value} onApplied={reload} />
    </div>
  )
}

type ContextProps = { id: string; context: ContextOfChat; onApplied: () => void }

function Context({ id, context, onApplied }: ContextProps) {
  const { sections, tokens, contextTokens } = context
  const shown = sections.filter(section => section.text !== '' || section.tokens > 0 || section.stale)
  return (
    <div className="grid grid-cols-1 gap-3 text-sm">
      <Summary context={context} />
      <Stale id={id} sections={sections.filter(section => section.stale)} onApplied={onApplied} />
      {sections
        .filter(section => section.leftOut !== undefined)
        .map(section => (
          <LeftOut key={section.name} id={id} section={section} onApplied={onApplied} />
        ))}
      <Bar sections={shown} free={Math.max(0, contextTokens - tokens)} />
      <ul aria-label="Parts" className="-mx-2 grid grid-cols-1">
        {shown.map((section, index) => (
          // Names may repeat; the index makes the key unique.
          // oxlint-disable-next-line react/no-array-index-key
          <ContextSection key={`${section.name}${index}`} section={section} />
        ))}
      </ul>
      <p className="text-xs text-ink-3">
        {`What the model sees with your next message, in this order: about ${formatCount(tokens)} tokens.`}
      </p>
      <CompactNow />
    </div>
  )
}

function Summary({ context: { tokens, contextTokens, rereads } }: { context: ContextOfChat }) {
  const known = contextTokens > 0
  return (
    <div>
      <Headline tokens={tokens} contextTokens={contextTokens} />
      {known && tokens > contextTokens && (
        <p className="mt-1 text-xs text-warn">
          This exceeds the context window, so the oldest turns are left out.
        </p>
      )}
      {rereads && <p className="mt-1 text-xs break-words text-ink-2">{sayRereads(rereads)}</p>}
    </div>
  )
}

/** How full the context is: as counted by the model for its last answer, or estimated if there is none. */
function Headline({ tokens, contextTokens }: Pick<ContextOfChat, 'tokens' | 'contextTokens'>) {
  const usage = useContextUse()
  const share = usage && contextShare(usage)
  const [used, window] = usage ? [tokensUsed(usage), usage.contextTokens] : [tokens, contextTokens]
  const about =
    share !== null
      ? `${formatShare(share)} of the context window, as counted by the model for its last answer.`
      : window > 0
        ? `${formatShare(used / window)} of the context window. Estimated: the model counts a little differently.`
        : 'Estimated: the model counts a little differently.'
  return (
    <>
      <p className="font-medium tabular-nums">
        {window > 0 ? `${formatCount(used)} of ${formatCount(window)} tokens` : `${formatCount(used)} tokens`}
      </p>
      <p className="text-xs text-ink-3">{about}</p>
    </>
  )
}

type LeftOutProps = { id: string; section: PromptSection; onApplied: () => void }

/** Which of the folder’s instructions or tools the model does not see, and why. */
function LeftOut({ id, section, onApplied }: LeftOutProps) {
  const { client } = useLink()
  const busy = useChat(isBusy)
  const folder = useSession()?.workspace
  const [problem, setProblem] = useState('')
  if (!section.leftOut) return null
  const { text, untrusted } = section.leftOut
  const trust = async () => {
    const trusted = await attemptCall(client['skills.trust']({ folder: folder ?? '', trusted: true }))
    const applied = trusted.ok ? await attemptCall(client['session.refreshPrompt']({ id })) : trusted
    if (applied.ok) onApplied()
    else setProblem(applied.fault.message)
  }
  return (
    <div className="grid grid-cols-1 gap-2 rounded-xl border border-line bg-sunken px-3 py-2.5">
      <p className="wrap-anywhere whitespace-pre-line">{`Left out: ${text}`}</p>
      {untrusted && folder !== undefined && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <button type="button" disabled={busy} className="btn btn-secondary" onClick={() => void trust()}>
            Trust this folder
          </button>
          <span className="min-w-0 flex-1 basis-32 text-xs text-ink-2">
            Chats here then follow this file and may use the folder’s skills.
          </span>
        </div>
      )}
      {problem !== '' && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

type StaleProps = { id: string; sections: readonly PromptSection[]; onApplied: () => void }

/** Memory has changed since the chat began. The chat keeps its first version until the user updates it. */
function Stale({ id, sections, onApplied }: StaleProps) {
  const { client } = useLink()
  const busy = useChat(isBusy)
  const [applying, setApplying] = useState(false)
  const [problem, setProblem] = useState('')
  if (sections.length === 0) return null
  const apply = async () => {
    setApplying(true)
    setProblem('')
    const applied = await attemptCall(client['session.refreshPrompt']({ id }))
    setApplying(false)
    if (applied.ok) onApplied()
    else setProblem(applied.fault.message)
  }
  return (
    <div className="grid grid-cols-1 gap-2 rounded-xl border border-warn-line bg-warn-soft px-3 py-2.5">
      <p className="wrap-anywhere">{changedText(sections.map(section => section.title))}</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          disabled={applying || busy}
          className="btn btn-secondary"
          onClick={() => void apply()}
        >
          Apply here now
        </button>
        <span className="min-w-0 flex-1 basis-32 text-xs text-ink-2">
          {busy
            ? 'Wait until this answer is done.'
            : 'The model then reads the prompt again, which takes a moment.'}
        </span>
      </div>
      {problem !== '' && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

/** The context of the model in a chat. */
type ContextOfChat = Awaited<ReturnType<HostClient['session.context']>>

/**
 * The context of the model in a chat, reloaded when it may have changed. Undefined until the first response;
 * the last value stays while the next loads.
 */
function useContextOfChat(id: string): {
  context: Outcome<ContextOfChat> | undefined
  /** Whether a newer value is loading. */
  reading: boolean
  reload: () => void
} {
  const busy = useChat(isBusy)
  const messages = useChat(chat => chat.messages.at(-1)?.id)
  const { modelId, workspace, approval, toolsets, personality, projectId, instructions } = useSession() ?? {}
  const [asked, setAsked] = useState(0)
  // Every step of a turn changes the history. Reloading at its end is soon enough.
  const settled = busy ? 'busy' : messages
  const own = [modelId, workspace, approval, toolsets, personality, projectId, instructions]
  return {
    context: useAnswer('session.context', { id }, { by: JSON.stringify([id, settled, own, asked]) }),
    reading: useIsAsked('session.context'),
    reload: () => setAsked(asked + 1),
  }
}
