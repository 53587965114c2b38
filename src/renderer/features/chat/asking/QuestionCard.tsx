import { MessageCircleQuestion } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Approval, Decision } from '../../../../shared/contract/runs/run.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Kbd } from '../../../ui/text/InlineText.tsx'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { useTyped } from '../../../ui/fields/typed-texts.ts'
import { AskingCard } from './AskingCard.tsx'
import { TextsBehind } from './TextsBehind.tsx'
import { useChat } from '../store/open-chats.ts'
import { cardPlace, useDecision } from './use-decision.ts'

type Props = { approval: Approval; question: NonNullable<Approval['question']>; onAnswered: () => void }

/** A question of the model, with its choices and a field for another answer. */
export function QuestionCard({ approval, question, onAnswered }: Props): ReactNode {
  const { card, problem, sent, answer: send } = useDecision(approval, onAnswered)
  const { texts = [] } = approval
  const [isRead, setRead] = useState(false)
  const answer = (decision: Decision, note = '') => send(decision, note, 'confined', isRead)
  const sessionId = useChat(chat => chat.sessionId)
  const [said, setSaid] = useTyped(cardPlace(sessionId, approval.id))

  const onKeyDown = (event: KeyboardEvent) => {
    if (isKey(event, 'escape')) {
      event.preventDefault()
      void answer('deny')
    }
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const choice = /^[1-9]$/.test(event.key) ? question.choices[Number(event.key) - 1] : undefined
    if (choice === undefined) return
    event.preventDefault()
    void answer('once', choice)
  }

  return (
    <AskingCard
      card={card}
      onKeyDown={onKeyDown}
      icon={<MessageCircleQuestion size={18} className="text-accent" />}
      title={<span className="whitespace-pre-wrap">{showHidden(question.text)}</span>}
      problem={problem}
      className="border-accent"
      answers={
        <form
          className="approval-answers"
          onSubmit={event => {
            event.preventDefault()
            if (said.trim() !== '') void answer('once', said.trim())
          }}
        >
          <div className="min-w-48 flex-1">
            <TextField
              label={question.choices.length > 0 ? 'Or in your own words' : 'Your answer'}
              value={said}
              maxLength={2_000}
              spellCheck
              onChange={event => setSaid(event.target.value)}
            />
          </div>
          <div className="flex gap-2 self-end">
            <button type="submit" disabled={sent || said.trim() === ''} className="btn btn-primary">
              Answer
            </button>
            <button
              type="button"
              disabled={sent}
              className="btn btn-quiet"
              onClick={() => void answer('deny')}
            >
              Do not answer <Kbd keys="escape" />
            </button>
          </div>
        </form>
      }
    >
      {approval.reason !== '' && <p className="text-sm text-ink-2">{showHidden(approval.reason)}</p>}
      {texts.length > 0 && <TextsBehind texts={texts} />}
      {texts.length > 0 && (
        <label className="flex items-start gap-2 text-sm text-ink">
          <input
            type="checkbox"
            className="check mt-0.5"
            checked={isRead}
            onChange={event => setRead(event.target.checked)}
          />
          I have read it. Talaria no longer needs to ask about it in this chat.
        </label>
      )}
      {question.choices.length > 0 && (
        <ul className="grid gap-1.5">
          {question.choices.map((choice, at) => (
            <li key={choice}>
              <button
                type="button"
                disabled={sent}
                className="btn btn-secondary h-auto w-full justify-start py-1.5 text-start whitespace-normal"
                onClick={() => void answer('once', choice)}
              >
                <span dir="auto" className="min-w-0 flex-1 break-words">
                  {showHidden(choice)}
                </span>
                <Kbd keys={String(at + 1)} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </AskingCard>
  )
}
