import type { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { mergeMarks } from '../../untrusted/strangers-marks.ts'
import type { Connection } from '../connection.ts'

/** The marks of strangers' texts, beyond those that are read together with their messages. */
export type MarkStore = {
  /** Return the ids of the marks that the user ended in a chat, on every branch. */
  ended(this: void, sessionId: string): ReadonlySet<string>
  /** End the marks of texts that the user has read; texts made from them in this chat lose theirs too. */
  end(this: void, sessionId: string, ids: readonly string[], at: number): void
  /** Return all marks of a chat's messages, on every branch and including those that a summary replaced. */
  ofChat(this: void, sessionId: string): readonly StrangersMark[]
  /** Return the marks of these messages. */
  ofMessages(this: void, ids: readonly number[]): readonly StrangersMark[]
  /** Return the marks of what a chat list shows: the title, and the start of the last message. */
  ofTitles(this: void, sessionIds: readonly string[]): readonly StrangersMark[]
  /** Return the marks of a saved long result; undefined if none were stored under this name. */
  ofOutput(this: void, name: string): readonly StrangersMark[] | undefined
  /** Return the marks of all saved long results. */
  ofOutputs(this: void): readonly StrangersMark[]
  /** Add marks to a saved long result. An empty list records that it has none. */
  keepOutput(this: void, name: string, marks: readonly StrangersMark[]): void
}

/** More rows than files (`MOST_FILES` in `tools/registry/shorten-result.ts`), so no file lacks its marks. */
const MOST_OUTPUTS = 1_000

/** Read marks from their column. */
export const marksFrom = (json: string): readonly StrangersMark[] => JSON.parse(json) as StrangersMark[]

/** Read and write marks. */
export function createMarks({ db, durably }: Connection): MarkStore {
  const ended = db.prepare<[string], string>('select mark from ended_marks where session_id = ?').pluck()
  const end = db.prepare<[{ sessionId: string; ids: string; at: number }]>(`
    insert into ended_marks (session_id, mark, at) select @sessionId, value, @at from json_each(@ids) where true
    on conflict do nothing`)
  const MARKS = `m.attached -> 'marks'`
  const HAS = `m.attached is not null and json_type(m.attached, '$.marks') = 'array'`
  const ofChat = db
    .prepare<[string], string>(
      `select ${MARKS} from messages m where m.session_id = ? and ${HAS} order by id`,
    )
    .pluck()
  const ofMessages = db
    .prepare<[string], string>(
      `select ${MARKS} from messages m where m.id in (select value from json_each(?)) and ${HAS} order by id`,
    )
    .pluck()
  const shown = db.prepare<[string], { first: number | null; last: number | null }>(`
    select
      (select id from messages m where m.session_id = s.value and m.role = 'user' order by id limit 1) as first,
      (select id from messages m where m.session_id = s.value and m.role <> 'tool' and m.active = 1
        order by id desc limit 1) as last
    from json_each(?) s`)
  const output = db.prepare<[string], string>('select marks from output_marks where name = ?').pluck()
  const outputs = db.prepare<[], string>(`select marks from output_marks where marks <> '[]'`).pluck()
  const keep = db.prepare<[string, string]>(
    'insert into output_marks (name, marks) values (?, ?) on conflict (name) do update set marks = excluded.marks',
  )
  // Names sort in the order in which they were made.
  const forget = db.prepare<[number]>(
    'delete from output_marks where name in (select name from output_marks order by name desc limit -1 offset ?)',
  )
  const all = (found: readonly string[]) => mergeMarks(...found.map(marksFrom))
  const marksOf = (ids: readonly (number | null)[]) => all(ofMessages.all(JSON.stringify(ids)))
  const ofOutput = (name: string) => {
    const found = output.get(name)
    return found === undefined ? undefined : marksFrom(found)
  }
  return {
    ended: sessionId => new Set(ended.all(sessionId)),
    end: (sessionId, ids, at) => durably(() => void end.run({ sessionId, ids: JSON.stringify(ids), at })),
    ofChat: sessionId => all(ofChat.all(sessionId)),
    ofMessages: marksOf,
    ofTitles: sessionIds =>
      marksOf(shown.all(JSON.stringify(sessionIds)).flatMap(({ first, last }) => [first, last])),
    ofOutput,
    ofOutputs: () => all(outputs.all()),
    keepOutput: (name, marks) =>
      durably(() => {
        keep.run(name, JSON.stringify(mergeMarks(ofOutput(name), marks)))
        forget.run(MOST_OUTPUTS)
      }),
  }
}
