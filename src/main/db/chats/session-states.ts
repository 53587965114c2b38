import type { Session } from '../../../shared/contract/chats/session.ts'
import { REVIEWED_ORIGINS } from '../../../shared/origin-rules.ts'
import type { Clock } from '../../lib/timing.ts'
import type { Connection } from '../connection.ts'

/** Changes of chats other than messages: temporary chats end or are kept, and models write titles. */
export type SessionStates = {
  /** Make a temporary chat and its sub-agents ordinary and index them. Undefined if it is gone. */
  keep(id: string): Session | undefined
  /**
   * Return the temporary chats not being removed, without sub-agents; with `since`, only those idle since.
   */
  temporary(since?: number): string[]
  /** End temporary chats: delete them and their sub-agents, and queue the purge. Ignores other chats. */
  endTemporary(ids: readonly string[]): void
  /** Return the model to ask for a title: of a user's chat, never renamed, not yet asked. Else undefined. */
  wantsTitle(id: string): string | undefined
  /** Record that the model was asked for a title, and store the title unless the chat got one since. */
  giveTitle(id: string, title: string | undefined): void
}

/** The part of the session store for temporary chats and models' titles. `get` reads a chat. */
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
