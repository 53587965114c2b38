import { Delegated } from '../../../shared/contract/runs/delegation.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import type { Connection } from '../connection.ts'

/** Sub-agents of chats, by the id of their own chat. Deleting either chat deletes the row. */
export type DelegationStore = {
  put(agent: Delegated): void
  get(sessionId: string): Delegated | undefined
  /** Return the sub-agents of a chat, oldest first. */
  ofChat(parentId: string): Delegated[]
  /** Return the sub-agents that had not ended when last saved. */
  open(): Delegated[]
}

type Row = { body: string }

/** The table of sub-agents. */
export function createDelegations({ db, durably }: Connection): DelegationStore {
  const put = db.prepare(`
    insert into delegations (session_id, parent_session_id, started_at, ended_at, body)
    values (@sessionId, @parentId, @startedAt, @endedAt, @body)
    on conflict do update set ended_at = excluded.ended_at, body = excluded.body`)
  const get = db.prepare<[string], Row>('select body from delegations where session_id = ?')
  const ofChat = db.prepare<[string], Row>(
    'select body from delegations where parent_session_id = ? order by started_at, rowid',
  )
  const open = db.prepare<[], Row>(
    'select body from delegations where ended_at is null order by started_at, rowid',
  )
  const read = (rows: readonly Row[]) =>
    rows.flatMap(({ body }) => {
      const known = Delegated.safeParse(parseJson(body))
      return known.success ? [known.data] : []
    })
  return {
    put: ({ sessionId, parentId, startedAt, endedAt, ...rest }) =>
      void durably(() =>
        put.run({
          sessionId,
          parentId,
          startedAt,
          endedAt,
          body: JSON.stringify({ sessionId, parentId, startedAt, endedAt, ...rest }),
        }),
      ),
    get: id => read([get.get(id)].flatMap(row => row ?? []))[0],
    ofChat: id => read(ofChat.all(id)),
    open: () => read(open.all()),
  }
}
