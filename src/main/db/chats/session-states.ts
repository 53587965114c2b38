import type { Session } from '../../../shared/contract/chats/session.ts'
import { REVIEWED_ORIGINS } from '../../../shared/origin-rules.ts'
import type { Clock } from '../../lib/timing.ts'
import type { Connection } from '../connection.ts'

/** What changes in chats besides their messages: temporary ones end or are kept, and models write titles. */
export type SessionStates = {
  /** Make an ordinary chat of a temporary one, with its sub-agents; it is indexed from then on. Undefined when it is gone. */
  keep(id: string): Session | undefined
  /** The temporary chats that are not about to be removed, without sub-agents of one; or only those without a message since a time. */
  temporary(since?: number): string[]
  /** End temporary chats: they and their sub-agents are deleted, and about to be removed for good. Others stay as they are. */
  endTemporary(ids: readonly string[]): void
  /** The model of a chat that still needs a title: it is the user’s, nobody renamed it, and no model was asked yet. Undefined for any other chat. */
  wantsTitle(id: string): string | undefined
  /** Keep that its model was asked for a title, and the title unless it is undefined or somebody gave one meanwhile. */
  giveTitle(id: string, title: string | undefined): void
}

/** The part of the chats' store that ends and keeps temporary chats, and takes the titles of models. `get` reads a chat. */
export function createSessionStates(
  { db, durably }: Pick<Connection, 'db' | 'durably'>,
  clock: Clock,
  get: (id: string) => Session | undefined,
): SessionStates {
  const UNTITLED = `id = @id and title_given = 0 and title_asked = 0 and temporary = 0 and deleted_at is null`
  const wantsTitle = db.prepare<[{ id: string; origins: string }], { model: string }>(`
    select model from sessions where ${UNTITLED} and origin in (select value from json_each(@origins))`)
  const giveTitle = db.prepare<[{ id: string; title: string | null }]>(
    `update sessions set title = coalesce(@title, title), title_asked = 1 where ${UNTITLED}`,
  )
  const withAgents = `(id in (select value from json_each(@ids))
    or (origin = 'sub_agent' and parent_session_id in (select value from json_each(@ids))))`
  const keep = db.prepare<[{ ids: string }]>(
    `update sessions set temporary = 0 where temporary = 1 and deleted_at is null and ${withAgents}`,
  )
  const temporary = db.prepare<[{ since: number }], { id: string }>(`
    select id from sessions s where temporary = 1 and updated_at < @since and id not in (select session_id from purges)
      and not (origin = 'sub_agent' and exists (select 1 from sessions p where p.id = s.parent_session_id
        and p.temporary = 1 and p.id not in (select session_id from purges)))`)
  const endTemporary = db.prepare<[{ ids: string; now: number }]>(`
    update sessions set deleted_at = coalesce(deleted_at, @now) where temporary = 1 and ${withAgents}`)
  const purge = db.prepare<[{ ids: string }]>(`
    insert into purges (session_id, created_at, deleted_at, asked)
      select id, created_at, deleted_at, 1 from sessions where temporary = 1 and ${withAgents}
      on conflict do update set asked = 1`)

  return {
    wantsTitle: id => wantsTitle.get({ id, origins: JSON.stringify(REVIEWED_ORIGINS) })?.model,
    giveTitle: (id, title) => void durably(() => giveTitle.run({ id, title: title ?? null })),
    keep(id) {
      durably(() => keep.run({ ids: JSON.stringify([id]) }))
      return get(id)
    },
    temporary: (since = Number.MAX_SAFE_INTEGER) => temporary.all({ since }).map(row => row.id),
    endTemporary: ids =>
      durably(() => {
        endTemporary.run({ ids: JSON.stringify(ids), now: clock() })
        purge.run({ ids: JSON.stringify(ids) })
      }),
  }
}
