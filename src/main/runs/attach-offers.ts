import type { NewMessage, ToolMessage } from '../../shared/contract/chats/messages.ts'
import { inOrder } from '../agent/steps/step-order.ts'
import type { CallStep, TurnPorts } from '../agent/turn-types.ts'

type Offering = {
  /** The steps of the turn, which may offer something. */
  steps(): readonly CallStep[]
  /** Whether an answer claims to have saved something. Such a claim gets its own note and button. */
  claims(answer: string): boolean
}

/** Add an offer to the answer that ends a turn: an action for the user, as a button below it. */
export function attachOffers(ports: TurnPorts, { steps, claims }: Offering): TurnPorts {
  const ended: Omit<ToolMessage, 'id'>[] = []

  function withOffer(message: NewMessage & { role: 'assistant' }): NewMessage {
    if (message.calls.length > 0 || message.interrupted) return message
    try {
      for (const step of inOrder(steps(), 'offer')) {
        const offer = step.offer(message.text, ended)
        if (offer) return offer.why === 'not_saved' && claims(message.text) ? message : { ...message, offer }
      }
    } catch (error) {
      ports.report(error)
    }
    return message
  }

  return {
    ...ports,
    append(message) {
      if (message.role === 'tool') ended.push(message)
      return ports.append(message.role === 'assistant' ? withOffer(message) : message)
    },
  }
}
