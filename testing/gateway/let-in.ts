import type { ApprovalAnswer } from '../../src/main/agent/turn-types.ts'
import type { GatewayRights, KnownContact, RightsNeeds } from '../../src/main/gateway/gateway-parts.ts'
import { letNobody } from './let-nobody.ts'
import type { Place } from '../../src/main/gateway/platform.ts'

// For tests: people who may write on a messenger without pairing.

/** The people who may write, by account number. */
export type Known = Readonly<Record<string, Partial<KnownContact>>>

/** One of these people as a contact of the gateway. */
export const aContact = (id: string, given: Partial<KnownContact>): KnownContact => ({
  id: `contact_${id}`,
  relation: 'you',
  name: `Person ${id}`,
  rights: 'deny',
  readsMemory: true,
  folder: null,
  modelId: null,
  limits: { messagesAMinute: 600, tokensADay: null },
  accounts: [{ platform: 'folder', accountId: id, name: `Person ${id}` }],
  ...given,
})

/** Rights of people that a test lets in. Questions are asked with two buttons, and answered by them. */
export function letIn(people: Known, { outbox }: Pick<RightsNeeds, 'outbox'>): GatewayRights {
  const contacts = Object.entries(people).map(([id, given]) => aContact(id, given))
  const open = new Map<string, (answer: ApprovalAnswer) => void>()
  const places = new Map<string, Place>()
  let asked = 0
  return {
    ...letNobody(),
    contacts: {
      ...letNobody().contacts,
      privatePlace: contactId => places.get(contactId),
      admit(_platform, { from, place, text, noOrder, forwarded, isAddressed }) {
        const contact = contacts.find(each => each.accounts[0]?.accountId === from.id)
        if (!contact || noOrder !== undefined || !isAddressed)
          return { kind: 'ignored', why: 'It is not known.' }
        if (place.kind === 'private') places.set(contact.id, place)
        const mark = { id: `forwarded-${from.id}`, source: 'a forwarded message' }
        return {
          kind: 'speaks',
          contact,
          text,
          ...(forwarded !== undefined && { strangers: { text: forwarded, marks: [mark] } }),
        }
      },
      of: (_platform, id) => contacts.find(each => each.accounts[0]?.accountId === id),
      spend: () => true,
      get: id => contacts.find(each => each.id === id),
    },
    questions: {
      ...letNobody().questions,
      async ask({ platform, place }, approval, signal, follower) {
        const id = String(++asked)
        const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>()
        open.set(id, resolve)
        outbox.say(platform, place, `May I? ${approval.title}`, {
          buttons: [
            [
              { text: 'Allow', data: `q:${id}:y` },
              { text: 'Deny', data: `q:${id}:n` },
            ],
          ],
        })
        return Promise.race([promise, follower(approval, signal)])
      },
      async press(_platform, { data }) {
        const [, id = '', yes] = data.split(':')
        open.get(id)?.({ decision: yes === 'y' ? 'once' : 'deny', note: '' })
        return open.delete(id) ? 'Done.' : 'Too late.'
      },
      answerInWords: async () => 'There is nothing to decide.',
    },
    shown: () => ({
      contacts: contacts.map(each => ({
        ...each,
        today: { messages: 0, tokens: 0 },
        lastAt: null,
        seen: '0'.repeat(64),
      })),
      groups: [],
    }),
  }
}
