import type { ApprovalMode, Origin } from '../../../shared/contract/chats/session.ts'
import type { Budget } from '../../agent/budget.ts'
import type { Contacts, Speaker } from '../gateway-parts.ts'

/** What a chat of a contact begins with, and what each of its runs is started with. */
export type StartOfContact = {
  /** For `session.create` and for the run. */
  origin: Extract<Origin, 'messenger' | 'messenger_other'>
  /** For `session.create`: by it a chat reads what is remembered, where the user allowed that. Empty in groups. */
  originId: string
  mode(): ApprovalMode
  /** Counts the tokens of the contact, and ends the turn once its day is used up; nobody else counts them. */
  budget: Budget
}

/**
 * What follows for a chat from who speaks and where. The user, alone with the agent, is the user; in a group others read and write too.
 * `modeOfChat` is the mode that the chat has in the window. A contact never gets more than it asks for.
 */
export function startOfContact(
  { platform, place, contact }: Speaker,
  contacts: Pick<Contacts, 'get' | 'spend' | 'privatePlace'>,
  modeOfChat: () => ApprovalMode,
): StartOfContact {
  const isPrivate = place.kind === 'private'
  const isUser = isPrivate && contact.relation === 'you'
  const used = { steps: 0, tokens: 0 }
  return {
    origin: isUser ? 'messenger' : 'messenger_other',
    originId: isPrivate ? contact.id : '',
    mode() {
      const ofChat = modeOfChat()
      if (ofChat === 'chat_only' || ofChat === 'none') return ofChat
      // The user may lower the rights, or remove the contact, while a turn runs.
      const rights = contacts.get(contact.id)?.rights
      if (rights !== 'ask' || !contacts.privatePlace(contact.id, platform)) return 'none'
      return isUser && ofChat === 'reads' ? 'reads' : 'ask'
    },
    budget: {
      takeStep() {
        if (!contacts.spend(contact.id, {})) return 'This contact has reached its daily limit.'
        used.steps++
        return undefined
      },
      spend(tokens) {
        used.tokens += tokens
        contacts.spend(contact.id, { tokens })
      },
      used,
    },
  }
}
