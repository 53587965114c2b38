import { ChevronDown, Ellipsis, ShieldQuestion } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import type { AccessChoice, Approval, Decision } from '../../../../shared/contract/runs/run.ts'
import { Menu, type MenuEntry } from '../../../ui/Menu.tsx'
import { Kbd } from '../../../ui/text/InlineText.tsx'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { useTyped } from '../../../ui/fields/typed-texts.ts'
import { AskingCard } from './AskingCard.tsx'
import { ApprovalDetail } from './ApprovalDetail.tsx'
import { currentTurn } from '../store/chat-state.ts'
import { useChat } from '../store/open-chats.ts'
import { CommandAccess } from './CommandAccess.tsx'
import { QuestionCard } from './QuestionCard.tsx'
import { TextsBehind } from './TextsBehind.tsx'
import { cardPlace, useDecision, useLostWords } from './use-decision.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { byCount, listNames } from '../../../../shared/text/amounts.ts'

type ApprovalsProps = {
  onAnswered: () => void
  /** The sub-agent that asks, if its questions are shown in the chat that it works for. */
  agent?: Approval['agent']
}

/** The label of the main button. A call allowed in a trial run is also allowed in later runs. */
function allowLabel({ tool, trial, mayAllowInChat }: Approval): string {
  if (trial !== undefined && mayAllowInChat) return 'Always allow in this schedule'
  return tool === 'describe_picture' ? 'Allow' : 'Allow once'
}

/** The pending approvals, one at a time, above the composer. */
export function Approvals({ onAnswered, agent }: ApprovalsProps): ReactNode {
  const asked = useChat(chat => currentTurn(chat)?.waiting[0])
  const first = asked && agent ? { ...asked, agent } : asked
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
  const { card, problem, sent, answer: send } = useDecision(approval, onAnswered)
  const sessionId = useChat(chat => chat.sessionId)
  // A denial note that was started is restored, and so is its field.
  const [note, setNote] = useTyped(cardPlace(sessionId, approval.id))
  const [explaining, setExplaining] = useState(note !== '')
  const more = useRef<HTMLButtonElement>(null)
  const [access, setAccess] = useState<AccessChoice>('confined')
  const aboutRead = useId()
  // A rule never removes confinement.
  const isTakenOff = access === 'unconfined' && approval.command?.whyNot === ''
  const mayAllowHere = approval.folderRules !== undefined && !isTakenOff
  const answer = (decision: Decision, note = '') => send(decision, note, access)

  const ruleButton = approval.sends ? 'Always for this site' : 'Allow in this folder'

  const { texts = [] } = approval
  /** Marks the texts on the card as read, and allows the call once. */
  const answerAsRead = () => send('once', '', access, true)

  const others: MenuEntry[] = [
    ...(mayAllowHere
      ? [
          {
            id: 'folder',
            label: ruleButton,
            hint: `Creates the rule ${showHidden(listNames(approval.folderRules ?? []))}. ${approval.trial !== undefined ? 'It applies only to this schedule.' : 'You can remove it in Settings > Permissions.'}`,
            onSelect: () => void answer('folder'),
          },
        ]
      : []),
    ...(approval.always === undefined
      ? []
      : [
          {
            id: 'always',
            label: 'Always allow',
            hint: `Lets ${showHidden(approval.always)} run in every chat without asking, as long as it does not change. You can undo this in Settings > Permissions or on the page Connections.`,
            onSelect: () => void answer('always'),
          },
        ]),
    { id: 'explain', label: 'Deny and explain…', onSelect: () => setExplaining(true) },
  ]

  const onKeyDown = (event: KeyboardEvent) => {
    // In the menu, Esc closes the menu.
    if (explaining || (event.target instanceof Element && event.target.closest('[popover]'))) return
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
      icon={<ShieldQuestion size={18} className="text-warn" />}
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
              requestAnimationFrame(() => more.current?.focus())
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
              {/* An answer about pictures also applies to later ones. */}
              {allowLabel(approval)} <Kbd keys="enter" />
            </button>
            {texts.length > 0 && (
              <button
                type="button"
                disabled={sent}
                aria-describedby={aboutRead}
                className="btn btn-secondary"
                onClick={() => void answerAsRead()}
              >
                I have read it, continue <Kbd keys="r" />
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
            <button
              type="button"
              disabled={sent}
              className="btn btn-secondary"
              onClick={() => void answer('deny')}
            >
              Deny <Kbd keys="escape" />
            </button>
            <MoreAnswers button={more} entries={others} disabled={sent} />
          </div>
        )
      }
    >
      <ApprovalDetail approval={approval} />
      {texts.length > 0 && <TextsBehind texts={texts} />}
      {texts.length > 0 && !explaining && (
        <p id={aboutRead} className="text-xs text-ink-3">
          {byCount(
            texts.length,
            '“I have read it” allows this once. Talaria does not ask about this text again in this chat, but it asks about any new text.',
            '“I have read it” allows this once. Talaria does not ask about these texts again in this chat, but it asks about any new text.',
          )}
        </p>
      )}
      {approval.command && <CommandAccess command={approval.command} access={access} onChange={setAccess} />}
      {approval.trial !== undefined && <p className="text-sm">{approval.trial}</p>}
    </AskingCard>
  )
}

type MoreProps = {
  button: RefObject<HTMLButtonElement | null>
  entries: readonly MenuEntry[]
  disabled: boolean
}

/** The less common answers, behind one button; a single one gets its own button. */
function MoreAnswers({ button: ref, entries, disabled }: MoreProps): ReactNode {
  const [first] = entries
  if (first && entries.length === 1)
    return (
      <button ref={ref} type="button" disabled={disabled} className="btn btn-quiet" onClick={first.onSelect}>
        {first.label}
      </button>
    )
  return (
    <Menu
      label="More answers"
      side="above"
      align="end"
      entries={entries}
      renderButton={props => (
        <button ref={ref} type="button" disabled={disabled} className="btn btn-quiet" {...props}>
          <span className="sr-only rail:not-sr-only">More answers</span>
          <ChevronDown size={14} className="hidden rail:block" />
          <Ellipsis size={16} className="rail:hidden" />
        </button>
      )}
    />
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
