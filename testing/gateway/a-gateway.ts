import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { HostOptions } from '../../src/main/app/host-types.ts'
import type { GatewayRights, KnownContact, RightsNeeds } from '../../src/main/gateway/gateway-parts.ts'
import type { Place } from '../../src/main/gateway/platform.ts'
import { letNobody } from './nobody.ts'
import type { ApprovalAnswer } from '../../src/main/agent/turn-types.ts'
import { giveDatabase } from '../db/give-database.ts'
import { aHost, aServer } from '../host/a-host.ts'
import { aPhone, folderKind } from './folder-platform.ts'

// For tests: a host that carries a messenger in a folder, with people who may speak there without having been paired.

/** Who may speak, by the numbers of their accounts. */
export type Known = Readonly<Record<string, Partial<KnownContact>>>

const aContact = (id: string, given: Partial<KnownContact>): KnownContact => ({
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

/** Let the database know people, whose places are stored with them. */
export function knowPeople(home: string, people: Known): void {
  giveDatabase(home)
  const db = new Database(join(home, 'state.db'))
  const put = db.prepare(
    'insert or ignore into gateway_contacts (id, relation, name, created_at) values (?, ?, ?, 0)',
  )
  for (const [id, given] of Object.entries(people)) {
    const { relation, name, ...contact } = aContact(id, given)
    put.run(contact.id, relation, name)
  }
  db.close()
}

type Options = Partial<HostOptions> & {
  coreTools?: true
  people?: Known
  joinMs?: number
  kind?: Parameters<typeof folderKind>[1]
  /** Nobody is let in: who speaks has to be paired, as in the product. */
  isPaired?: true
}

/** A host with the messenger in `<home>/../messenger` of a test, or another folder; person 7 is its user. */
export async function aGatewayHost(
  home: string,
  { people = { 7: {} }, joinMs = 15, kind = {}, isPaired, ...options }: Options = {},
) {
  const folder = join(home, 'logs', 'messenger')
  if (!isPaired) knowPeople(home, people)
  const host = await aHost(home, {
    gateway: {
      platforms: [folderKind(folder, kind)],
      ...(!isPaired && { rights: (needs: RightsNeeds) => letIn(people, needs) }),
      joinMs,
      waitMs: 20,
    },
    ...options,
  })
  return { ...host, folder, phone: aPhone(folder, { id: '7', name: 'Ada' }) }
}

/** The same with a model that says what it is told to, and the messenger switched on. */
export async function aTalkingHost(home: string, options: Options = {}) {
  const host = await aGatewayHost(home, options)
  const server = await aServer(host.client)
  await host.client['model.setDefault']({ id: server.modelId })
  await host.client['gateway.connect']({ platform: 'folder' })
  return { ...host, server }
}
