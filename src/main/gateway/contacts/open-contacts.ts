import type { z } from 'zod'
import type { Contact, gateway } from '../../../shared/contract/connections/gateway.ts'
import { refuseUnseen } from '../../../shared/contract/seen.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ContactRow, ContactStore } from '../../db/connections/contact-tables.ts'
import { newId } from '../../lib/ids.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { hashShown } from '../../lib/shown-hash.ts'
import type { Clock } from '../../lib/timing.ts'
import type { Contacts, KnownContact, Speaker } from '../gateway-parts.ts'
import type { Place, Platform } from '../platform.ts'
import { createAdmission, shownName } from './admit-message.ts'
import { createPairings, type Applicant } from './pairing.ts'

/** What a new contact may use. */
const FIRST_LIMITS = {
  you: { messagesAMinute: 20, tokensADay: null },
  other: { messagesAMinute: 10, tokensADay: 200_000 },
}
const MINUTE_MS = 60_000
/** Days of spending that are kept. */
const KEPT_MS = 40 * 24 * 60 * MINUTE_MS

type Parts = {
  store: ContactStore
  now: Clock
  /** What the model of this computer can do on a messenger, where that is little; empty otherwise. */
  note(this: void): string
  /** Write to somebody's private place. */
  tell(this: void, platform: Platform, place: Place, text: string): void
  /** Contacts or groups have changed. */
  changed(this: void): void
  newCode?(this: void): string
}

/** The changes of a contact, as the contract has them. */
type Change = Omit<z.output<(typeof gateway)['gateway.change']['input']>, 'id' | 'seen'>

/** Who may speak, as the gateway asks, and as the user decides. */
export type OpenContacts = ReturnType<typeof openContacts>

/** Open the contacts of this host. */
export function openContacts({ store, now, note, tell, changed, newCode }: Parts) {
  const pairings = createPairings({
    now,
    note,
    tell: ({ platform, place }, text) => tell(platform, place, text),
    ...(newCode && { newCode }),
  })
  /** When each contact wrote within the last minute. */
  const recent = new Map<string, number[]>()
  store.dropSpending(dayOf(now() - KEPT_MS))

  const known = (row: ContactRow | undefined): KnownContact | undefined => {
    if (!row) return undefined
    const { lastAt: _lastAt, ...contact } = row
    return contact
  }
  const get = (id: string) => known(store.get(id))
  const inMinute = (id: string) => {
    const after = now() - MINUTE_MS
    const times = (recent.get(id) ?? []).filter(at => at > after)
    if (times.length === 0) recent.delete(id)
    else recent.set(id, times)
    return times
  }
  const isDayUsedUp = (id: string) => {
    const most = store.get(id)?.limits.tokensADay ?? null
    return most !== null && store.spent(id, dayOf(now())).tokens >= most
  }
  const admit = createAdmission({
    store,
    pairings,
    contact: get,
    rate: id => ({ inMinute: inMinute(id).length, isDayUsedUp: isDayUsedUp(id) }),
    now,
  })

  /** A contact as the user is shown it, with the hash of what they decide about. */
  function show(row: ContactRow): Contact {
    const { id, relation, name, rights, readsMemory, folder, modelId, limits, accounts } = row
    const decided = { id, relation, name, rights, readsMemory, folder, modelId, limits, accounts }
    return {
      ...decided,
      readsMemory: relation === 'you' || readsMemory,
      today: store.spent(id, dayOf(now())),
      lastAt: row.lastAt,
      // The name of an account changes at the will of its owner; what is decided about is the account.
      seen: hashShown({
        ...decided,
        accounts: accounts.map(({ platform, accountId }) => [platform, accountId]),
      }),
    }
  }
  function found(id: string): ContactRow {
    const row = store.get(id)
    if (!row) throw new Fault('not_found', 'This contact no longer exists.')
    return row
  }

  /** The contact that an account belongs to from now on. */
  function pair(
    { platform, from, place }: Applicant,
    as: 'you' | 'other',
    asked: string | undefined,
  ): string {
    const you = store.list().find(({ relation }) => relation === 'you')
    const chosen = asked === undefined ? undefined : found(asked)
    if (chosen && (chosen.relation === 'you') !== (as === 'you'))
      throw new Fault('bad_input', 'One contact cannot have both your account and somebody else’s.')
    // The user is one person, however many accounts they have.
    const joined = chosen ?? (as === 'you' ? you : undefined)
    const name = shownName(from)
    const id = joined?.id ?? newId('contact', now)
    if (!joined)
      store.put(
        {
          id,
          relation: as,
          name: name === '' ? from.id : name,
          rights: 'deny',
          readsMemory: as === 'you',
          folder: null,
          modelId: null,
          limits: FIRST_LIMITS[as],
          accounts: [],
          lastAt: null,
        },
        now(),
      )
    store.putAccount({
      platform: platform.name,
      accountId: from.id,
      contactId: id,
      name,
      place: JSON.stringify(place),
    })
    changed()
    const mayAsk = joined?.rights === 'ask'
    tell(platform, place, as === 'other' ? WELCOME_OTHER : mayAsk ? WELCOME_BACK : WELCOME_YOU)
    return id
  }

  const contacts: Contacts = {
    admit,
    get,
    of(platform, accountId) {
      const account = store.account(platform.name, accountId)
      return account && get(account.contactId)
    },
    privatePlace(contactId, platform) {
      const account = store
        .accountsOf(contactId)
        .find(each => each.platform === platform.name && each.place !== '')
      return account && ((parseJson(account.place) ?? undefined) as Place | undefined)
    },
    groupMoved(platform, from, to) {
      store.moveGroup(platform.name, from, to)
      changed()
    },
    spend(contactId, { messages = 0, tokens = 0 }) {
      if (!store.get(contactId)) return false
      for (let count = 0; count < messages; count++) recent.set(contactId, [...inMinute(contactId), now()])
      if (messages > 0 || tokens > 0)
        store.spend(contactId, dayOf(now()), { messages, tokens }, messages > 0 ? now() : null)
      return !isDayUsedUp(contactId)
    },
  }

  return {
    contacts,
    follow: pairings.follow,
    list: () => store.list().map(show),
    groups: () => store.groups(),
    decide(decision: {
      pairingId: string
      seen: string
      as: 'you' | 'other' | 'nobody'
      contactId?: string | undefined
    }) {
      return pairings.decide(decision, (applicant, as) => pair(applicant, as, decision.contactId))
    },
    /** Change a contact as it was seen. */
    change(id: string, seen: string, change: Change): Contact {
      const row = found(id)
      refuseUnseen(seen, show(row).seen, 'This contact')
      if (change.readsMemory === false && row.relation === 'you')
        throw new Fault('bad_input', 'Your own chats can always read what is remembered about you.')
      const { limits, ...rest } = change
      store.put({ ...row, ...givenOf(rest), limits: { ...row.limits, ...givenOf(limits ?? {}) } }, now())
      changed()
      return show(found(id))
    },
    remove(id: string) {
      if (!store.remove(id)) throw new Fault('not_found', 'This contact no longer exists.')
      recent.delete(id)
      changed()
    },
    allowGroup(platform: string, chatId: string, allowed: boolean) {
      if (!store.allowGroup(platform, chatId, allowed))
        throw new Fault('not_found', 'No contact has written to the agent in this group.')
      changed()
    },
    /** Forget everybody of one messenger. */
    forgetPlatform(platform: string) {
      store.forgetPlatform(platform)
      recent.clear()
      changed()
    },
  }
}

const WELCOME_YOU =
  'This chat is now yours: what you write here counts as if you wrote it at your computer. Anything that needs your permission is denied here, until you allow questions here on the Messengers page at the computer.'
const WELCOME_BACK =
  'This chat is now yours: what you write here counts as if you wrote it at your computer. You are asked here about anything that needs your permission.'
const WELCOME_OTHER =
  'You can write here now. Anything that would change something on the computer is denied, and nothing that you write is remembered.'

const givenOf = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The day of an instant on this computer, such as `2026-11-29`. */
function dayOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The words for who answered, and where. */
export const tellWhere = ({ contact, platform }: Pick<Speaker, 'contact' | 'platform'>): string =>
  `${contact.relation === 'you' ? 'you' : contact.name} on ${platform.title}`
