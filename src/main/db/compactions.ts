import type { Compaction } from '../../shared/contract/session.ts'
import type { Connection } from './connection.ts'
import type { Store } from './types.ts'

const COLUMNS = `id, at, head_id as headId, up_to_id as upToId, pruned_to_id as prunedToId, summary, made_by as "by", focus,
  tokens_before as tokensBefore, tokens_after as tokensAfter`

/** Compactions: summaries of older messages. The messages themselves are only marked. */
export function createCompactions({ db, durably }: Connection): Store['compactions'] {
  const insert = db.prepare<[object], { id: number }>(`
    insert into compactions (session_id, at, head_id, up_to_id, pruned_to_id, summary, made_by, focus, tokens_before,
      tokens_after, useless)
    values (@sessionId, @at, @headId, @upToId, @prunedToId, @summary, @by, @focus, @tokensBefore, @tokensAfter, @useless)
    returning id`)
  // The word index stays unchanged: a search reads this table.
  const mark = db.prepare<[string, number, number]>(
    'update messages set compacted = 1 where session_id = ? and id > ? and id <= ? and compacted = 0',
  )
  const newest = db.prepare<[string], Compaction & { useless: number }>(
    `select ${COLUMNS}, useless from compactions where session_id = ? order by id desc limit 1`,
  )
  const list = db.prepare<[string], Compaction>(
    `select ${COLUMNS} from compactions where session_id = ? order by id`,
  )
  return {
    add(compaction) {
      return durably(() => {
        const { id } = insert.get(compaction)!
        if (compaction.summary !== '') mark.run(compaction.sessionId, compaction.headId, compaction.upToId)
        const { sessionId: _sessionId, ...kept } = compaction
        return { ...kept, id }
      })
    },
    newest: sessionId => newest.get(sessionId),
    list: sessionId => list.all(sessionId),
  }
}
