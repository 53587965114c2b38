import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { AccessChoice, Approval, Decision } from '../../../../shared/contract/runs/run.ts'
import { useConnection } from '../../../rpc/host-context.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { findTyped, keepTyped } from '../../../ui/fields/typed-texts.ts'
import { currentTurn, isBusy } from '../store/chat-state.ts'
import { useChat, useOpenChat } from '../store/open-chats.ts'

const cardsOf = (sessionId: string | null) => `card/${sessionId}/`

/** The storage key for the text typed on a card. */
export const cardPlace = (sessionId: string | null, approvalId: string): string =>
  `${cardsOf(sessionId)}${approvalId}`

type Answering = {
  /** The card. It gets the focus while the answer is sent, and passes the focus on when it disappears. */
  card: RefObject<HTMLElement | null>
  /** Why the answer did not arrive; empty otherwise. */
  problem: string
  sent: boolean
  answer: (decision: Decision, note?: string, access?: AccessChoice, read?: boolean) => Promise<void>
}

/** Sends the answer to a question of a run, once. */
export function useDecision({ id }: Approval, onAnswered: () => void): Answering {
  const decide = useChat(chat => chat.decide)
  const sessionId = useChat(chat => chat.sessionId)
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
      // The answer included the typed text, or the user decided without it.
      if (outcome.ok) return keepTyped(cardPlace(sessionId, id), undefined)
      setSent(false)
      // Another window has already answered. The run reports it.
      if (outcome.fault.code !== 'not_found') setProblem(outcome.fault.message)
    },
  }
}

/**
 * Moves text typed on a card to the message field, if the card is gone because the run ended or it was
 * answered elsewhere. The text was neither sent nor discarded.
 */
export function useLostWords(): void {
  const { store } = useOpenChat()
  const isConnected = useConnection() === 'connected'
  const sessionId = useChat(chat => chat.sessionId)
  const isReady = useChat(chat => chat.phase === 'ready')
  const isWorking = useChat(chat => isBusy(chat) || chat.pending !== null)
  const waits = useChat(
    chat =>
      currentTurn(chat)
        ?.waiting.map(({ id }) => id)
        .join(' ') ?? '',
  )
  useEffect(() => {
    if (!isConnected || !isReady || isWorking || sessionId === null || waits !== '') return
    // A running turn is found only a moment after the chat was opened.
    const timer = setTimeout(() => {
      const lost = findTyped(cardsOf(sessionId))
      if (lost.length === 0) return
      const { draft, setDraft } = store.getState()
      setDraft([draft, ...lost.map(({ text }) => text)].filter(text => text.trim() !== '').join('\n\n'))
      for (const { place } of lost) keepTyped(place, undefined)
      showToast('The card is no longer waiting. What you typed on it is now in the message field.')
    }, LOST_MS)
    return () => clearTimeout(timer)
  }, [store, isConnected, isReady, isWorking, sessionId, waits])
}

/** How long a card may be missing after a chat opens or reconnects, in ms. */
const LOST_MS = 1_500
