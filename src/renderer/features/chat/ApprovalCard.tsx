import { ShieldQuestion } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { AccessChoice, Approval, Decision } from '../../../shared/contract/run.ts'
import { Kbd } from '../../ui/InlineText.tsx'
import { isKey } from '../../ui/keys.ts'
import { TextField } from '../../ui/TextField.tsx'
import { useTyped } from '../../ui/typed-texts.ts'
import { AskingCard } from './AskingCard.tsx'
import { ApprovalDetail } from './CallDetail.tsx'
import { currentTurn } from './chat-state.ts'
import { useChat } from './chats.ts'
import { CommandAccess } from './CommandAccess.tsx'
import { QuestionCard } from './QuestionCard.tsx'
import { TextsBehind } from './TextsBehind.tsx'
import { cardPlace, useAnswer, useLostWords } from './use-answer.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

/** The pending approvals, one at a time, above the composer. */
export function Approvals({ onAnswered }: { onAnswered: () => void }): ReactNode {
  const first = useChat(chat => currentTurn(chat)?.waiting[0])
  useLostWords()
  if (!first) return null
  const { id, question } = first
  return question ? (
    <QuestionCard key={id} approval={first} question={question} onAnswered={onAnswered} />
  ) : (
    <ApprovalCard key={id} approval={first} onAnswered={onAnswered} />
  )
}

type Props = { approval: Approval; onAnswered: () => void }

function ApprovalCard({ approval, onAnswered }: Props) {
  const { card, problem, sent, answer: send } = useAnswer(approval, onAnswered)
  const sessionId = useChat(chat => chat.sessionId)
  // The words of a refusal that was begun are still there, so its field is.
  const [note, setNote] = useTyped(cardPlace(sessionId, approval.id))
  const [explaining, setExplaining] = useState(note !== '')
  const explain = useRef<HTMLButtonElement>(null)
  const [access, setAccess] = useState<AccessChoice>('confined')
  const aboutRule = useId()
  const aboutRead = useId()
  // A rule never takes confinement off.
  const isTakenOff = access === 'unconfined' && approval.command?.whyNot === ''
  const mayAllowHere = approval.folderRules !== undefined && !isTakenOff
  const answer = (decision: Decision, note = '') => send(decision, note, access)

  const ruleButton = approval.sends ? 'Always for this site' : 'Allow in this folder'

  const { texts = [] } = approval
  /** Ends the marks of the texts on the card, and allows the call once. */
  const answerAsRead = () => send('once', '', access, true)

  const onKeyDown = (event: KeyboardEvent) => {
    if (explaining) return
    const onCard = event.target === event.currentTarget
    if (onCard && texts.length > 0 && isKey(event, 'r')) {
      event.preventDefault()
      void answerAsRead()
    }
    const decision =
      onCard && isKey(event, 'enter')
        ? 'once'
        : isKey(event, 'mod+enter') && approval.mayAllowInChat
          ? 'chat'
          : isKey(event, 'escape')
            ? 'deny'
            : undefined
    if (!decision) return
    event.preventDefault()
    void answer(decision)
  }

  return (
    <AskingCard
      card={card}
      onKeyDown={onKeyDown}
      icon={<ShieldQuestion size={17} className="text-warn" />}
      title={
        <>
          {approval.agent && <span className="text-ink-2">{`${showHidden(approval.agent.name)}: `}</span>}
          {showHidden(approval.title)}
        </>
      }
      problem={problem}
      answers={
        explaining ? (
          <DenialNote
            note={note}
            onNote={setNote}
            onSend={() => void answer('deny', note.trim())}
            onCancel={() => {
              setNote('')
              setExplaining(false)
              requestAnimationFrame(() => explain.current?.focus())
            }}
          />
        ) : (
          <div className="approval-answers">
            <button
              type="button"
              disabled={sent}
              className="btn btn-primary"
              onClick={() => void answer('once')}
            >
              {/* An answer about pictures counts for later ones too. */}
              {approval.tool === 'describe_picture' ? 'Allow' : 'Allow once'} <Kbd keys="enter" />
            </button>
            {texts.length > 0 && (
              <button
                type="button"
                disabled={sent}
                aria-describedby={aboutRead}
                className="btn btn-secondary"
                onClick={() => void answerAsRead()}
              >
                I have read it, go on <Kbd keys="r" />
              </button>
            )}
            {approval.mayAllowInChat && (
              <button
                type="button"
                disabled={sent}
                className="btn btn-secondary"
                onClick={() => void answer('chat')}
              >
                {approval.agent ? `Allow for ${showHidden(approval.agent.name)}` : 'Allow in this chat'}{' '}
                <Kbd keys="mod+enter" />
              </button>
            )}
            {mayAllowHere && (
              <button
                type="button"
                disabled={sent}
                aria-describedby={aboutRule}
                className="btn btn-secondary"
                onClick={() => void answer('folder')}
              >
                {ruleButton}
              </button>
            )}
            {approval.always !== undefined && (
              <button
                type="button"
                disabled={sent}
                aria-describedby={aboutRule}
                className="btn btn-secondary"
                onClick={() => void answer('always')}
              >
                Always allow
              </button>
            )}
            <button
              type="button"
              disabled={sent}
              className="btn btn-secondary"
              onClick={() => void answer('deny')}
            >
              Deny <Kbd keys="escape" />
            </button>
            <button
              ref={explain}
              type="button"
              disabled={sent}
              className="btn btn-quiet"
              onClick={() => setExplaining(true)}
            >
              Deny and explain…
            </button>
          </div>
        )
      }
    >
      <ApprovalDetail approval={approval} />
      {texts.length > 0 && <TextsBehind texts={texts} />}
      {texts.length > 0 && !explaining && (
        <p id={aboutRead} className="text-xs text-ink-3">
          {`“I have read it” allows this once, and ${texts.length > 1 ? 'these texts no longer make' : 'this text no longer makes'} Talaria ask in this chat. A new text asks again.`}
        </p>
      )}
      {approval.command && <CommandAccess command={approval.command} access={access} onChange={setAccess} />}
      {approval.trial !== undefined && <p className="text-sm">{approval.trial}</p>}
      {mayAllowHere && !explaining && (
        <p id={aboutRule} className="hidden text-xs text-ink-3 rail:block">
          {`“${ruleButton}” makes the rule ${showHidden(approval.folderRules?.join(' and ') ?? '')}. ${approval.trial !== undefined ? 'It holds for this schedule alone.' : 'You can remove it in Settings.'}`}
        </p>
      )}
      {approval.always !== undefined && !explaining && (
        <p id={aboutRule} className="hidden text-xs text-ink-3 rail:block">
          {`“Always allow” lets ${showHidden(approval.always)} run without a question in every chat, as long as it stays as it is. You can end that in Settings.`}
        </p>
      )}
    </AskingCard>
  )
}

/** Denies a call with a reason that the model reads. */
function DenialNote({
  note,
  onNote,
  onSend,
  onCancel,
}: {
  note: string
  onNote: (note: string) => void
  onSend: () => void
  onCancel: () => void
}): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className="grid gap-2"
      onSubmit={event => {
        event.preventDefault()
        onSend()
      }}
    >
      <TextField
        ref={field}
        label="What should it do instead?"
        value={note}
        maxLength={2_000}
        spellCheck
        onChange={event => onNote(event.target.value)}
        onKeyDown={event => {
          if (!isKey(event, 'escape')) return
          event.preventDefault()
          onCancel()
        }}
      />
      <div className="flex gap-2">
        <button type="submit" className="btn btn-secondary">
          Deny and send
        </button>
        <button type="button" className="btn btn-quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
