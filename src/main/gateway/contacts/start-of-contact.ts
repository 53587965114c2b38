import type { ApprovalMode, Origin } from '../../../shared/contract/chats/session.ts'
import type { Budget } from '../../agent/budget.ts'
import type { Contacts, Speaker } from '../gateway-parts.ts'

/** The settings that a contact's chat, and each of its runs, starts with. */
export type StartOfContact = {
  /** For `session.create` and for the run. */
  origin: Extract<Origin, 'messenger' | 'messenger_other'>
  /** For `session.create`: gives the chat access to memory, if the user allowed that. Empty in groups. */
  originId: string
  mode(): ApprovalMode
  /** Counts the contact's tokens, and ends the turn at its daily limit. Tokens are counted only here. */
  budget: Budget
}

/**
 * Return the start settings for a contact in a place. Only in a private place does the paired user count as
 * the user: in a group others read and write too. `modeOfChat` is the chat's mode in the window, which a
 * contact never exceeds.
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
      // The user may reduce the rights, or remove the contact, during a turn.
      const rights = contacts.get(contact.id)?.rights
      if (rights !== 'ask' || !contacts.privatePlace(contact.id, platform)) return 'none'
      return isUser && ofChat === 'reads' ? 'reads' : 'ask'
    },
    budget: {
      takeStep() {
        if (!contacts.spend(contact.id, {})) return 'This contact has used up its limit for today.'
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
