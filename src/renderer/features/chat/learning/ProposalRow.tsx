import { Check, Lightbulb, Undo2, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Proposal } from '../../../../shared/contract/learned/learning.ts'
import { goTo } from '../../../route.ts'
import type { Outcome } from '../../../rpc/attempt.ts'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { countOf, oneLine } from '../../../ui/text/format-values.ts'
import { isKey, keyText } from '../../../ui/keyboard/keys.ts'
import { Spinner } from '../../../ui/Progress.tsx'
import { cx } from '../../../ui/style.ts'
import type { Offer } from '../store/chat-state.ts'
import { useChat, useOpenChat } from '../store/open-chats.ts'
import { offersOf } from './chat-offers.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

const short = (headline: string) => oneLine(showHidden(headline), LONGEST)
/** Maximum length of a headline. The card on the Activity page has the full text. */
const LONGEST = 100
const statePrefixes = {
  open: '',
  kept: 'Kept: ',
  rejected: 'Rejected: ',
  undone: 'Undone: ',
  dropped: 'Dropped: ',
}

/** The proposals of the visible chat. If they cannot be read, the Activity page reports the error. */
export function useOffers(): readonly Offer[] | null {
  const { store } = useOpenChat()
  const sessionId = useChat(chat => chat.sessionId)
  const given = { sessionId: sessionId ?? '' }
  const answer = useAnswer('learning.ofChat', given, { isTold: true, isOff: sessionId === null })
  const found = answer?.ok ? answer.value : undefined
  // Store the proposals in the chat, which keeps them while its page is closed. Do so before they are
  // rendered, so that the text can keep its position.
  useEffect(() => {
    if (found) store.setState(({ offers }) => ({ offers: offersOf(offers, found) }))
  }, [found, store])
  return useChat(chat => chat.offers)
}

/** The proposals of a review in a turn: one chip each, with Accept, reword and Reject. */
export function OfferedRow({ proposals }: { proposals: readonly Proposal[] }): ReactNode {
  return (
    <ul aria-label="Found in this chat" className="flex flex-wrap gap-1.5 py-1.5">
      {proposals.map(proposal => (
        <Offered key={proposal.id} proposal={proposal} />
      ))}
    </ul>
  )
}

/** The line of a text that the user named to learn from: reading, then the number of proposals. */
export function NamedTextLine(): ReactNode {
  const named = useChat(chat => chat.named)
  const dismiss = useChat(chat => chat.dismissNamed)
  if (named === null) return null
  const { path, step, proposals, isOver } = named
  const name = oneLine(showHidden(path), LONGEST)
  const found = proposals === 0 ? 'nothing new to keep' : countOf(proposals, 'proposal', 'proposals')
  return (
    <section
      aria-label="Learning from a text"
      className="mb-2 flex flex-wrap items-center gap-2 rounded-xl border border-line bg-sunken px-3 py-2 text-sm text-ink-2"
    >
      {isOver ? <Lightbulb size={16} className="shrink-0" /> : <Spinner />}
      <output className="min-w-0 flex-1 break-words">
        {isOver ? `${name}: ${found}` : step === '' ? `Reading ${name}…` : `Reading ${name} (${step})…`}
      </output>
      {isOver && proposals > 0 && (
        <button
          type="button"
          className="btn btn-quiet min-h-6 text-xs text-accent"
          onClick={() => goTo({ page: 'activity' })}
        >
          Review them
        </button>
      )}
      <button type="button" className="btn btn-quiet min-h-6 text-xs" onClick={dismiss}>
        {isOver ? 'Close' : 'Stop'}
      </button>
    </section>
  )
}

const signs = { open: Lightbulb, kept: Check, rejected: X, undone: Undo2, dropped: X } as const

function Offered({ proposal }: { proposal: Proposal }) {
  const { id, headline, kind, op, after, state, changed } = proposal
  const rewording = useChat(chat => chat.rewordings[id])
  const keepOffer = useChat(chat => chat.keepOffer)
  const rejectOffer = useChat(chat => chat.rejectOffer)
  const undoOffer = useChat(chat => chat.undoOffer)
  const reword = useChat(chat => chat.reword)
  const { renew } = useAnswers()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const item = useRef<HTMLLIElement>(null)
  const pressed = useRef(false)
  const isOpen = state === 'open'
  const isEditing = isOpen && rewording !== undefined
  const isKeepable = isOpen && changed === null

  // A pressed button that disappears passes the focus to its replacement. Focus elsewhere stays put.
  useEffect(() => {
    if (pressed.current && !busy) item.current?.querySelector<HTMLElement>('textarea, button')?.focus(still)
    if (!busy) pressed.current = false
    // oxlint-disable-next-line react/exhaustive-deps -- what can be pressed changes with these
  }, [state, isEditing, busy])

  const act = async (asking: () => Promise<Outcome<unknown>>) => {
    setBusy(true)
    setProblem('')
    pressed.current = true
    const answer = await asking()
    // Also after a refusal: the proposal may have changed.
    await renew(['learning'])
    setBusy(false)
    setProblem(!answer.ok ? answer.fault.message : typeof answer.value === 'string' ? answer.value : '')
  }
  const edit = () => {
    if (kind === 'skill') return view()
    pressed.current = true
    reword(id, after)
  }
  const cancel = () => {
    pressed.current = true
    setProblem('')
    reword(id, null)
  }
  const view = () => goTo({ page: 'activity', itemId: id })

  const Sign = signs[state]
  return (
    <li ref={item} className={cx('max-w-full min-w-0', isEditing && 'w-full')}>
      {isEditing ? (
        <Rewording
          text={rewording}
          busy={busy}
          refused={problem !== ''}
          onChange={words => reword(id, words)}
          onKeep={() => void act(() => keepOffer(proposal, rewording.trim()))}
          onCancel={cancel}
        />
      ) : (
        <div className="chip">
          <Sign size={14} className="shrink-0 text-ink-3" />
          <span dir="auto" title={showHidden(headline)} className={cx('truncate', !isOpen && 'text-ink-3')}>
            {statePrefixes[state]}
            <span className={cx((state === 'rejected' || state === 'undone') && 'line-through')}>
              {short(headline)}
            </span>
          </span>
          {isKeepable && (
            <ChipButton
              label="Keep"
              name={`Keep: ${short(headline)}`}
              busy={busy}
              onClick={() => void act(() => keepOffer(proposal))}
            />
          )}
          {isKeepable && after !== null && op !== 'remove' && op !== 'delete' && (
            <ChipButton label="Edit" name={`Edit: ${short(headline)}`} busy={busy} onClick={edit} />
          )}
          {isOpen && (
            <ChipButton
              label="Reject"
              name={`Reject: ${short(headline)}`}
              busy={busy}
              onClick={() => void act(() => rejectOffer(id))}
            />
          )}
          {state === 'kept' && (
            <ChipButton
              label="Undo"
              name={`Undo: ${short(headline)}`}
              busy={busy}
              onClick={() => void act(() => undoOffer(id))}
            />
          )}
          <ChipButton label="View" name={`View in activity: ${short(headline)}`} onClick={view} />
        </div>
      )}
      {isOpen && changed !== null && (
        <p className="px-2.5 pt-1 text-xs text-ink-2">
          What this would change has been edited since. View shows your options.
        </p>
      )}
      {problem !== '' && (
        <p role="alert" className="px-2.5 pt-1 text-xs break-words text-danger">
          {problem}
        </p>
      )}
    </li>
  )
}

const still: FocusOptions = { preventScroll: true }

type ButtonProps = { label: string; name: string; busy?: boolean; onClick: () => void }

function ChipButton({ label, name, busy = false, onClick }: ButtonProps) {
  return (
    <button type="button" disabled={busy} aria-label={name} className="chip-btn" onClick={onClick}>
      {label}
    </button>
  )
}

/** Maximum length of an entry. The host reports the exact limit. */
const MAX_LENGTH = 20_000

type RewordingProps = {
  text: string
  busy: boolean
  refused: boolean
  onChange: (text: string) => void
  onKeep: () => void
  onCancel: () => void
}

/** A field to reword a proposal before accepting it. */
function Rewording({ text, busy, refused, onChange, onKeep, onCancel }: RewordingProps): ReactNode {
  const about = useId()
  const isReady = !busy && text.trim() !== ''
  const onKeyDown = (event: KeyboardEvent) => {
    const isKeep = isKey(event, 'enter')
    if (!isKeep && !isKey(event, 'escape')) return
    event.preventDefault()
    // Esc would otherwise stop an answer.
    event.stopPropagation()
    if (!isKeep) onCancel()
    else if (isReady) onKeep()
  }
  return (
    <div className="grid gap-2">
      <textarea
        rows={1}
        dir="auto"
        value={text}
        maxLength={MAX_LENGTH}
        aria-label="Text to keep"
        aria-invalid={refused}
        aria-describedby={about}
        className="field field-sizing-content max-h-40 resize-none"
        onChange={event => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" disabled={!isReady} className="btn btn-secondary" onClick={onKeep}>
          Keep
        </button>
        <button type="button" className="btn btn-quiet" onClick={onCancel}>
          Cancel
        </button>
        <span id={about} className="text-xs text-ink-3">
          {`${keyText('enter')} keeps it, ${keyText('escape')} cancels.`}
        </span>
      </div>
    </div>
  )
}
