import type { Contact, GatewayGroup } from '../../../shared/contract/connections/gateway.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import type { Connection } from '../connection.ts'

/** A contact as stored, with the time it last wrote. */
export type ContactRow = Omit<Contact, 'seen' | 'today'>
/** An account on a messenger, with its private chat, as JSON of the gateway. */
export type AccountRow = {
  platform: string
  accountId: string
  contactId: string
  name: string
  place: string
}
/** A question that was sent to a phone. `data`: the meaning of its buttons, as JSON of the gateway. */
export type QuestionRow = {
  id: string
  runId: string
  approvalId: string
  contactId: string
  platform: string
  placeKey: string
  /** The message that asks the question; null until the messenger has accepted it. */
  sentId: string | null
  expiresAt: number
  state: 'open' | 'answered' | 'over'
  data: string
}

/** Contacts on messengers, allowed groups, usage, and open questions on phones. */
export type ContactStore = {
  list(): ContactRow[]
  get(id: string): ContactRow | undefined
  put(contact: ContactRow, createdAt: number): void
  /** Remove a contact with its accounts, spending and questions; false if there is none. */
  remove(id: string): boolean
  account(platform: string, accountId: string): AccountRow | undefined
  accountsOf(contactId: string): AccountRow[]
  putAccount(account: AccountRow): void
  /** What a contact used on a day; `spend` adds to it. `at`: when it wrote. */
  spent(contactId: string, day: string): { messages: number; tokens: number }
  spend(contactId: string, day: string, used: { messages: number; tokens: number }, at: number | null): void
  /** Delete the spending of the days before this one. */
  dropSpending(before: string): void
  groups(): GatewayGroup[]
  /** Return whether the user allowed a group; undefined if it is unknown. */
  group(platform: string, chatId: string): boolean | undefined
  /** Record a group in which a contact wrote to the agent. */
  noteGroup(group: { platform: string; chatId: string; title: string; at: number }): void
  /** Allow or forbid a group; false if it is unknown. */
  allowGroup(platform: string, chatId: string, allowed: boolean): boolean
  /** Change the id of a group. */
  moveGroup(platform: string, from: string, to: string): void
  addQuestion(question: QuestionRow): void
  question(id: string): QuestionRow | undefined
  /** Set the message that asks a question, or its outcome. */
  changeQuestion(id: string, change: Partial<Pick<QuestionRow, 'sentId' | 'state'>>): void
  openQuestions(): QuestionRow[]
  /** Delete ended questions that expired before an instant. */
  dropQuestions(before: number): void
  /** Forget the contacts that only use this messenger, all accounts on it, and its groups. */
  forgetPlatform(platform: string): void
}

type RawContact = {
  id: string
  relation: string
  name: string
  rights: string
  value: string
  lastAt: number | null
}
type Value = Pick<ContactRow, 'readsMemory' | 'folder' | 'modelId' | 'limits'>

const CONTACT = 'id, relation, name, rights, value, last_at as lastAt'
const ACCOUNT = 'platform, account_id as accountId, contact_id as contactId, name, place'
const QUESTION = `id, run_id as runId, approval_id as approvalId, contact_id as contactId, platform, place_key as placeKey,
  sent_id as sentId, expires_at as expiresAt, state, value as data`

/** Read a stored value; unreadable parts get the least rights. */
function readValue(value: string): Value {
  const least: Value = {
    readsMemory: false,
    folder: null,
    modelId: null,
    limits: { messagesAMinute: 10, tokensADay: 200_000 },
  }
  return { ...least, ...(parseJson(value) as Partial<Value> | undefined) }
}

/** The tables of contacts and everything that depends on them. */
export function createContactStore({ db, durably, atomically }: Connection): ContactStore {
  const list = db.prepare<[], RawContact>(`select ${CONTACT} from gateway_contacts order by created_at, id`)
  const find = db.prepare<[string], RawContact>(`select ${CONTACT} from gateway_contacts where id = ?`)
  const put = db.prepare(`
    insert into gateway_contacts (id, relation, name, rights, value, created_at, last_at)
    values (@id, @relation, @name, @rights, @value, @createdAt, @lastAt)
    on conflict (id) do update set relation = excluded.relation, name = excluded.name, rights = excluded.rights, value = excluded.value`)
  const remove = db.prepare('delete from gateway_contacts where id = ?')
  const dropQuestionsOf = db.prepare('delete from gateway_questions where contact_id = ?')
  const account = db.prepare<[string, string], AccountRow>(
    `select ${ACCOUNT} from gateway_accounts where platform = ? and account_id = ?`,
  )
  const accounts = db.prepare<[string], AccountRow>(
    `select ${ACCOUNT} from gateway_accounts where contact_id = ? order by platform, account_id`,
  )
  const putAccount = db.prepare(`
    insert into gateway_accounts (platform, account_id, contact_id, name, place)
    values (@platform, @accountId, @contactId, @name, @place)
    on conflict (platform, account_id) do update set contact_id = excluded.contact_id, name = excluded.name, place = excluded.place`)
  const spent = db.prepare<[string, string], { messages: number; tokens: number }>(
    'select messages, tokens from gateway_spending where contact_id = ? and day = ?',
  )
  const spend = db.prepare(`
    insert into gateway_spending (contact_id, day, messages, tokens) values (@contactId, @day, @messages, @tokens)
    on conflict (contact_id, day) do update set messages = messages + excluded.messages, tokens = tokens + excluded.tokens`)
  const wrote = db.prepare('update gateway_contacts set last_at = ? where id = ?')
  const dropSpending = db.prepare('delete from gateway_spending where day < ?')
  // The chat of a group without topics has the id of the group as its key.
  const groups = db.prepare<[], Omit<GatewayGroup, 'allowed'> & { allowed: number }>(`
    select g.platform, g.chat_id as placeKey, g.title, g.allowed, g.last_at as lastAt,
      (select p.session_id from gateway_places p where p.platform = g.platform and p.place_key = g.chat_id) as sessionId
    from gateway_groups g order by g.last_at desc`)
  const group = db
    .prepare<[string, string], number>(
      'select allowed from gateway_groups where platform = ? and chat_id = ?',
    )
    .pluck()
  const noteGroup = db.prepare(`
    insert into gateway_groups (platform, chat_id, title, last_at) values (@platform, @chatId, @title, @at)
    on conflict (platform, chat_id) do update set title = excluded.title, last_at = excluded.last_at`)
  const allowGroup = db.prepare('update gateway_groups set allowed = ? where platform = ? and chat_id = ?')
  const dropGroup = db.prepare('delete from gateway_groups where platform = ? and chat_id = ?')
  const moveGroup = db.prepare('update gateway_groups set chat_id = ? where platform = ? and chat_id = ?')
  const addQuestion = db.prepare(`
    insert into gateway_questions (id, run_id, approval_id, contact_id, platform, place_key, sent_id, expires_at, state, value)
    values (@id, @runId, @approvalId, @contactId, @platform, @placeKey, @sentId, @expiresAt, @state, @data)`)
  const question = db.prepare<[string], QuestionRow>(`select ${QUESTION} from gateway_questions where id = ?`)
  const changeQuestion = db.prepare(
    'update gateway_questions set sent_id = coalesce(@sentId, sent_id), state = coalesce(@state, state) where id = @id',
  )
  const open = db.prepare<[], QuestionRow>(
    `select ${QUESTION} from gateway_questions where state = 'open' order by expires_at, id`,
  )
  const dropQuestions = db.prepare(`delete from gateway_questions where state <> 'open' and expires_at < ?`)
  const forgetting = [
    `delete from gateway_questions where platform = @platform`,
    'delete from gateway_groups where platform = @platform',
    `delete from gateway_contacts where exists (select 1 from gateway_accounts a where a.contact_id = id and a.platform = @platform)
      and not exists (select 1 from gateway_accounts a where a.contact_id = id and a.platform <> @platform)`,
    'delete from gateway_accounts where platform = @platform',
  ].map(sql => db.prepare<[{ platform: string }]>(sql))

  const contactOf = ({ value, ...raw }: RawContact): ContactRow => ({
    ...(raw as Pick<ContactRow, 'id' | 'relation' | 'name' | 'rights' | 'lastAt'>),
    ...readValue(value),
    accounts: accounts.all(raw.id).map(({ platform, accountId, name }) => ({ platform, accountId, name })),
  })

  return {
    list: () => list.all().map(contactOf),
    get(id) {
      const raw = find.get(id)
      return raw && contactOf(raw)
    },
    put({ id, relation, name, rights, lastAt, readsMemory, folder, modelId, limits }, createdAt) {
      const value = JSON.stringify({ readsMemory, folder, modelId, limits } satisfies Value)
      durably(() => void put.run({ id, relation, name, rights, value, createdAt, lastAt }))
    },
    remove: id =>
      durably(() => {
        dropQuestionsOf.run(id)
        return remove.run(id).changes > 0
      }),
    account: (platform, accountId) => account.get(platform, accountId),
    accountsOf: contactId => accounts.all(contactId),
    putAccount: given => durably(() => void putAccount.run(given)),
    spent: (contactId, day) => spent.get(contactId, day) ?? { messages: 0, tokens: 0 },
    // Spending may be lost in a power cut, which only favours the contact.
    spend: (contactId, day, used, at) =>
      atomically(() => {
        spend.run({ contactId, day, ...used })
        if (at !== null) wrote.run(at, contactId)
      }),
    dropSpending: before => atomically(() => void dropSpending.run(before)),
    groups: () => groups.all().map(row => ({ ...row, allowed: row.allowed === 1 })),
    group(platform, chatId) {
      const allowed = group.get(platform, chatId)
      return allowed === undefined ? undefined : allowed === 1
    },
    noteGroup: given => atomically(() => void noteGroup.run(given)),
    allowGroup: (platform, chatId, allowed) =>
      durably(() => allowGroup.run(allowed ? 1 : 0, platform, chatId).changes > 0),
    moveGroup: (platform, from, to) =>
      durably(() => {
        if (group.get(platform, from) === undefined) return
        dropGroup.run(platform, to)
        moveGroup.run(to, platform, from)
      }),
    addQuestion: given => durably(() => void addQuestion.run(given)),
    question: id => question.get(id),
    changeQuestion: (id, { sentId = null, state = null }) =>
      durably(() => void changeQuestion.run({ id, sentId, state })),
    openQuestions: () => open.all(),
    dropQuestions: before => atomically(() => void dropQuestions.run(before)),
    forgetPlatform: platform =>
      durably(() => {
        for (const each of forgetting) each.run({ platform })
      }),
  }
}
