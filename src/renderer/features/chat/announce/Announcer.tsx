import { useEffect, useState, type ReactNode } from 'react'
import { currentTurn, isBusy } from '../store/chat-state.ts'
import { useOpenChat } from '../store/open-chats.ts'
import { learnedText, learnedVerb, skillVerb } from '../transcript/changes-by-turn.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { takeSentences } from './take-sentences.ts'

/** Announces complete sentences of an answer, and approval questions, to a screen reader. */
export function Announcer(): ReactNode {
  const { store } = useOpenChat()
  const [said, setSaid] = useState('')
  useEffect(() => {
    let upTo = 0
    return store.subscribe((now, before) => {
      if (now.live !== before.live) {
        const stored = now.messages === before.messages ? undefined : now.messages.at(-1)
        // The last text may arrive in the same frame as the stored message.
        const whole = stored?.role === 'assistant' ? stored.text : null
        const text = whole ?? now.live.text
        // A discarded reply is removed. The next one is announced from its start.
        if (!text.trimStart().startsWith(before.live.text.slice(0, upTo).trim())) upTo = 0
        const taken = takeSentences(text, upTo, whole !== null)
        upTo = whole === null ? taken.upTo : 0
        if (taken.text !== '') setSaid(taken.text)
      }
      const asked = currentTurn(now)?.waiting[0]
      if (asked && asked.id !== currentTurn(before)?.waiting[0]?.id)
        setSaid(
          asked.question
            ? `Talaria asks you: ${showHidden(asked.question.text)}`
            : `Talaria asks for your permission: ${showHidden(asked.title)}`,
        )
      const change = now.learned.at(-1)
      if (change && isBusy(now) && change.id !== before.learned.at(-1)?.id)
        setSaid(`${learnedVerb(change.op)}: ${learnedText(change)}`)
      const skill = now.skillChanges.at(-1)
      if (skill && isBusy(now) && skill.id !== before.skillChanges.at(-1)?.id)
        setSaid(`${skillVerb(skill.op)}: ${skill.name}`)
      const used = currentTurn(now)?.used.at(-1)
      if (used && isBusy(now) && used !== currentTurn(before)?.used.at(-1))
        setSaid(`Used the skill ${used.name}`)
      const claim = currentTurn(now)?.claims.at(-1)
      if (claim && claim !== currentTurn(before)?.claims.at(-1))
        setSaid(
          claim.isForgetting
            ? 'The answer claims it forgot something, but nothing was forgotten.'
            : 'The answer claims it saved something, but nothing was saved. Save it now?',
        )
      const note = currentTurn(now)?.notes.at(-1)
      if (note && note.key !== currentTurn(before)?.notes.at(-1)?.key) setSaid(`${note.text} ${note.fix}`)
    })
  }, [store])
  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only" data-testid="announcer">
      {said}
    </div>
  )
}
