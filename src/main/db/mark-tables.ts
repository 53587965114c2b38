import type { Connection } from './connection.ts'

/** The marks of strangers' texts that a person ended, by chat. */
export type MarkStore = {
  /** The ids of the marks that a person ended in a chat. */
  ended(this: void, sessionId: string): ReadonlySet<string>
  /** The person has read these texts: in this chat they, and what is made from them, are not marked any more. */
  end(this: void, sessionId: string, ids: readonly string[], at: number): void
}

/** Read and write ended marks. What a person said to have read is stored with the result of the call that was asked about. */
export function createMarks({ db }: Connection): MarkStore {
  const stored = db
    .prepare<[string], string>(
      `select read.value ->> 'id' from messages m, json_each(m.attached, '$.read') read
      where m.session_id = ? and m.role = 'tool' and m.attached is not null`,
    )
    .pluck()
  const meanwhile = new Map<string, Set<string>>()
  return {
    ended: sessionId => new Set([...stored.all(sessionId), ...(meanwhile.get(sessionId) ?? [])]),
    end(sessionId, ids) {
      meanwhile.set(sessionId, new Set([...(meanwhile.get(sessionId) ?? []), ...ids]))
    },
  }
}
