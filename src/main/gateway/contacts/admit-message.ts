import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import type { AccountRow, ContactStore } from '../../db/connections/contact-tables.ts'
import { newMark } from '../../untrusted/strangers-marks.ts'
import { frameStrangersText, messageSource } from '../../untrusted/strangers-text.ts'
import type { Clock } from '../../lib/timing.ts'
import type { Admission, KnownContact } from '../gateway-parts.ts'
import type { IncomingMessage, Platform } from '../platform.ts'
import type { Pairings } from './pairing.ts'

/** Commands that are accepted even over the rate limit, because they only stop or refuse something. */
const URGENT = /^\/(?:stop|deny)(?:@\w{1,64})?(?:\s|$)/i
/** Maximum length of other people's text in one message, in UTF-16 units. */
const MOST_OF_OTHERS = 20_000

type Parts = {
  store: Pick<ContactStore, 'account' | 'group' | 'noteGroup' | 'putAccount'>
  pairings: Pick<Pairings, 'offer'>
  /** Return the contact with this id. */
  contact(this: void, id: string): KnownContact | undefined
  /** Return how often a contact wrote within the last minute, and whether its daily limit is reached. */
  rate(this: void, contactId: string): { inMinute: number; isDayUsedUp: boolean }
  now: Clock
}

const ignored = (why: string): Admission => ({ kind: 'ignored', why })

/**
 * Create the check whether a message is accepted. Strangers get no answer, whatever they write, because an
 * answer would tell them that somebody is here.
 */
export function createAdmission({ store, pairings, contact: find, rate, now }: Parts) {
  function admit(platform: Platform, message: IncomingMessage): Admission {
    const { place, from } = message
    const isPrivate = place.kind === 'private'
    if (place.kind === 'channel') return ignored('Channels give no orders.')
    if (from.isBot) return ignored('Other bots give no orders.')
    const account = store.account(platform.name, from.id)
    const contact = account && find(account.contactId)
    if (!account || !contact) {
      const mayPair = isPrivate && message.noOrder === undefined && !message.forwarded && !message.quoted
      return mayPair && pairings.offer(platform, message)
        ? { kind: 'handled' }
        : ignored('Its sender is no contact.')
    }
    if (isPrivate) rememberPlace(account, message)
    else if (!message.isAddressed) return ignored('It does not speak to the agent.')
    if (message.noOrder !== undefined)
      return isPrivate
        ? {
            kind: 'told',
            contact,
            text: `This does not count as your message: ${message.noOrder} Write it yourself.`,
          }
        : ignored(message.noOrder)
    if (!isPrivate) {
      const chat = { platform: platform.name, chatId: place.chatId, title: showHiddenInLine(place.title) }
      const isAllowed = store.group(platform.name, place.chatId)
      store.noteGroup({ ...chat, at: now() })
      if (isAllowed !== true) return ignored('This group is not allowed.')
    }
    const text = message.text.trim()
    const tooMuch = whyTooMuch(contact)
    const isUrgent = message.forwarded === undefined && message.files.length === 0 && URGENT.test(text)
    if (tooMuch !== undefined)
      return isUrgent
        ? { kind: 'speaks', contact, text, isQuiet: true }
        : { kind: 'told', contact, text: tooMuch }
    const strangers = strangersIn(message)
    if (text === '' && message.files.length === 0 && !strangers) return ignored('It holds nothing to read.')
    return { kind: 'speaks', contact, text, ...(strangers && { strangers }) }
  }

  function whyTooMuch({ id, limits }: KnownContact): string | undefined {
    const { inMinute, isDayUsedUp } = rate(id)
    if (inMinute >= limits.messagesAMinute)
      return 'That was too much for one minute. Wait a little, and send it again.'
    return isDayUsedUp ? 'You have used up your limit for today. Write again tomorrow.' : undefined
  }

  /** Store a contact's private place and name, as the messenger last reported them. */
  function rememberPlace(account: AccountRow, { place, from }: IncomingMessage) {
    // Questions go to the chat itself, not to a topic of it.
    const known = place.topic && account.place !== '' ? account.place : JSON.stringify(place)
    const name = shownName(from)
    if (known !== account.place || name !== account.name) store.putAccount({ ...account, name, place: known })
  }

  return admit
}

/** Return a sender's name for display, with hidden characters made visible. */
export const shownName = ({ name, username }: IncomingMessage['from']): string => {
  const said = showHiddenInLine(name).trim().slice(0, 80).toWellFormed()
  return username === undefined || username === ''
    ? said
    : `${said} (@${showHiddenInLine(username).slice(0, 40)})`
}

/** Return others' text in a message, framed and marked as strangers'. The agent's own is only quoted. */
function strangersIn({
  forwarded,
  quoted,
}: IncomingMessage): { text: string; marks: readonly StrangersMark[] } | undefined {
  const texts: string[] = []
  const marks: StrangersMark[] = []
  if (quoted?.isOurs && quoted.text.trim() !== '')
    texts.push(
      `The user answers your message:\n${quoted.text.slice(0, MOST_OF_OTHERS).replaceAll(/^/gm, '> ')}`,
    )
  for (const [how, text, of] of [
    ['The user answers this message:', quoted?.isOurs ? undefined : quoted?.text, quoted?.of],
    ['The user forwards this message:', forwarded, undefined],
  ] as const) {
    if (text === undefined || text.trim() === '') continue
    const source = messageSource(showHiddenInLine(of ?? ''))
    texts.push(`${how}\n${frameStrangersText(source, cutText(text))}`)
    marks.push(newMark(source))
  }
  return texts.length === 0 ? undefined : { text: texts.join('\n\n'), marks }
}

const cutText = (text: string) =>
  text.length <= MOST_OF_OTHERS
    ? showHidden(text)
    : `${showHidden(text.slice(0, MOST_OF_OTHERS).toWellFormed())}\n(The rest of it is left out.)`
