import { useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { AccessChoice, Approval, Decision } from '../../../shared/contract/run.ts'
import { useChat } from './chats.ts'

type Answering = {
  /** The card, which gets the focus while the answer is sent, and hands it on when it disappears. */
  card: RefObject<HTMLElement | null>
  /** Why the answer did not arrive; empty otherwise. */
  problem: string
  sent: boolean
  answer: (decision: Decision, note?: string, access?: AccessChoice, read?: boolean) => Promise<void>
}

/** Sends the answer to a question of a run, once. */
export function useAnswer({ id }: Approval, onAnswered: () => void): Answering {
  const decide = useChat(chat => chat.decide)
  const [problem, setProblem] = useState('')
  const [sent, setSent] = useState(false)
  const card = useRef<HTMLElement>(null)

  // When the focused card disappears, the focus must not fall back to the top of the page.
  const giveFocusOn = useEffectEvent(onAnswered)
  useLayoutEffect(() => {
    const element = card.current
    return () => {
      if (element?.contains(document.activeElement)) giveFocusOn()
    }
  }, [])

  return {
    card,
    problem,
    sent,
    async answer(decision, note = '', access = 'confined', read = false) {
      if (sent) return
      // A disabled button loses the focus, and keyboard users could then not tab on to the message field.
      if (card.current?.contains(document.activeElement)) card.current.focus({ preventScroll: true })
      setSent(true)
      const outcome = await decide(id, { decision, note, access, ...(read && { read: true as const }) })
      if (outcome.ok) return
      setSent(false)
      // Another window has already answered. The run reports it.
      if (outcome.fault.code !== 'not_found') setProblem(outcome.fault.message)
    },
  }
}
