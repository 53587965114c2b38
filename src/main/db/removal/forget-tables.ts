import type { Connection } from '../connection.ts'
import { forgetTexts, type Forgotten } from './forget-texts.ts'

/** A chat that contains words of a forgotten entry. */
export type HoldingChat = { id: string; title: string; at: number; isDeleted: boolean }

/** Entries of the memory that are being forgotten for good. */
export type ForgetStore = {
  /** Return these entries and all with the same text or one of `also`, with every text they ever had. */
  wholeOf(ids: readonly string[], also?: readonly string[]): Forgotten
  /** Return chats that contain a text, or two of its rarest words; newest first. */
  chatsHolding(texts: readonly string[]): HoldingChat[]
  /** Store what to forget, so that it is finished after a crash. */
  begin(job: Forgotten): void
  /** Return the started job; without texts if only unused bytes remain to be cleaned. */
  pending(): Forgotten | undefined
  /** Delete the rows, but keep the job. */
  erase(job: Forgotten): void
  /** Keep only the fact that bytes remain to be cleaned. */
  blank(): void
  finish(): void
}

/** Maximum number of chats to name. */
const MOST_CHATS = 50
/** How many rarest words to use (a chat must contain two), and how many messages to count at most. */
const RAREST = 3
const COUNTED = 2_000

/** Entries being forgotten, and the chats that still contain them. */
export function createForgetStore({ db, durably }: Connection): ForgetStore {
  const put = db.prepare('insert or replace into memory_forgetting (id, job) values (1, ?)')
  const get = db.prepare<[], { job: string }>('select job from memory_forgetting')
  const end = db.prepare('delete from memory_forgetting')
  const sameText = db.prepare<[{ ids: string; also: string }], { id: string }>(`
    select id from memory_entries where id in (select value from json_each(@ids))
      or text in (select value from json_each(@also))
      or text in (select text from memory_entries where id in (select value from json_each(@ids)))`)
  const textsOf = db.prepare<[{ ids: string }], { text: string }>(`
    select text from memory_entries where id in (select value from json_each(@ids))
    union select before from memory_revisions where op <> 'move' and before is not null
      and entry_id in (select value from json_each(@ids))
    union select after from memory_revisions where op <> 'move' and after is not null
      and entry_id in (select value from json_each(@ids))`)
  const CHAT = `select distinct s.id, coalesce(nullif(s.title, ''), s.preview) as title, s.updated_at as at,
    s.deleted_at is not null as isDeleted from messages m join sessions s on s.id = m.session_id`
  const verbatim = db.prepare<[string], Row>(
    `${CHAT} where instr(fold(m.content), fold(?)) > 0 order by s.updated_at desc limit ${MOST_CHATS}`,
  )
  const matching = db.prepare<[string], Row>(`${CHAT} where m.id in (select rowid from messages_search
    where messages_search match ?) order by s.updated_at desc limit ${MOST_CHATS}`)
  const counted = db.prepare<[string], { n: number }>(
    `select count(*) as n from (select rowid from messages_search where messages_search match ? limit ${COUNTED})`,
  )
  type Row = Omit<HoldingChat, 'isDeleted'> & { isDeleted: number }

  /** Build a query for two of the rarest known words of a text. */
  function queryOf(text: string): string | undefined {
    const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [])]
    const known = words
      .map(word => ({ word, n: counted.get(`"${word}"`)!.n }))
      .filter(({ n }) => n > 0)
      .toSorted((a, b) => a.n - b.n)
    // Half of the words must be known, or every chat with “likes” would count.
    if (known.length * 2 < words.length || known.length === 0) return undefined
    const rarest = known.slice(0, RAREST).map(({ word }) => `"${word}"`)
    const pairs = rarest.flatMap((one, at) => rarest.slice(at + 1).map(other => `(${one} AND ${other})`))
    return pairs.length === 0 ? rarest[0] : pairs.join(' OR ')
  }

  return {
    wholeOf(ids, also = []) {
      const given = { ids: JSON.stringify(ids), also: JSON.stringify(also) }
      const all = sameText.all(given).map(({ id }) => id)
      return { ids: all, texts: textsOf.all({ ids: JSON.stringify(all) }).map(({ text }) => text) }
    },
    chatsHolding(texts) {
      const found = new Map<string, HoldingChat>()
      for (const text of texts) {
        const query = queryOf(text)
        for (const row of [...verbatim.all(text), ...(query === undefined ? [] : matching.all(query))])
          found.set(row.id, { ...row, isDeleted: row.isDeleted === 1 })
      }
      return [...found.values()].toSorted((a, b) => b.at - a.at).slice(0, MOST_CHATS)
    },
    begin: job => durably(() => void put.run(JSON.stringify(job))),
    pending() {
      const row = get.get()
      return row && (JSON.parse(row.job) as Forgotten)
    },
    erase: job =>
      durably(() => {
        forgetTexts(db, job)
        put.run(JSON.stringify(job))
      }),
    blank: () => durably(() => void put.run(JSON.stringify({ ids: [], texts: [] } satisfies Forgotten))),
    finish: () => durably(() => void end.run()),
  }
}
