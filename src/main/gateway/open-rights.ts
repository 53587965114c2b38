import { openPhoneQuestions } from './phone-questions.ts'
import { contactHandlers } from './contacts/contact-handlers.ts'
import { openContacts } from './contacts/open-contacts.ts'
import type { GatewayRights, RightsNeeds } from './gateway-parts.ts'

/** Open the contacts on messengers, their rights, and the questions that are answered there. */
export function openRights({
  store,
  outbox,
  carried,
  folderOf,
  note,
  changed,
  now,
  report,
}: RightsNeeds): GatewayRights {
  const opened = openContacts({
    store: store.contacts,
    now,
    note,
    tell: (platform, place, text) => void outbox.say(platform, place, text),
    changed,
  })
  const { contacts } = opened
  const questions = openPhoneQuestions({
    store: store.contacts,
    contacts,
    waits: { of: outbox.waitOf, put: outbox.block },
    now,
    report,
  })
  return {
    contacts,
    questions,
    shown: () => ({ contacts: opened.list(), groups: opened.groups() }),
    handlers: contactHandlers({ contacts: opened, connected: carried, folderOf }),
    forget: opened.forgetPlatform,
    close() {},
  }
}
