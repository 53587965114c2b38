import { z } from 'zod'
import { Attachment } from '../../../shared/contract/chats/attachments.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { Connection } from '../connection.ts'

/** A local file as it was when it was attached. */
const SourceFile = z.object({
  path: z.string(),
  bytes: z.number(),
  modifiedMs: z.number(),
  hash: z.string().optional(),
})
type SourceFile = { path: string; bytes: number; modifiedMs: number; hash?: string | undefined }

/** The files attached to messages and drafts. Contents are in the home folder, named by their hashes. */
export type AttachmentStore = {
  /** Return the unsent attachments of a chat, in the order they were added. */
  unsent(sessionId: string): Attachment[]
  /** Attach a file to a draft, replacing one of equal content. Throws `not_found` if the chat is gone. */
  add(sessionId: string, attachment: Attachment, source?: SourceFile): void
  /** Return the file that an unsent attachment was copied from; undefined if it came as bytes. */
  sourceOf(sessionId: string, hash: string): SourceFile | undefined
  /** Change an attachment of the draft; false if it is not in the draft. */
  change(sessionId: string, attachment: Attachment): boolean
  /** Remove attachments from the draft. Returns how many were in it. */
  takeBack(sessionId: string, hashes: readonly string[]): number
  /** Return a chat's newest attachment with this content, unsent or on any branch. */
  find(sessionId: string, hash: string): Attachment | undefined
  /** Return the attachments on a chat's path, newest first. */
  ofPath(sessionId: string): Attachment[]
  /** Return the hashes of the contents that only this chat uses. */
  onlyIn(sessionId: string): string[]
  /** Return the stored description of a picture by its hash; undefined if there is none. */
  descriptionOf(this: void, hash: string): string | undefined
  /** Store the description of a picture, for every place where it is attached. */
  describe(this: void, hash: string, description: string): void
  /** Whether a chat has any attachments, sent or unsent. */
  isIn(this: void, sessionId: string): boolean
  /** Whether any attachment uses a content. */
  isUsed(this: void, hash: string): boolean
  /** Return a model's recent reading speed in tokens per second; undefined if unknown. */
  readSpeed(this: void, model: string): number | undefined
}

/** How many of the newest messages to check for reading speed, and the minimum tokens that count. */
const LOOKED_AT = 2_000
const TELLING_TOKENS = 100

/** Read and write attachments. */
export function createAttachments({ db, durably }: Connection): AttachmentStore {
  const unsent = db
    .prepare<[string], string>(
      'select value from attachments where session_id = ? and message_id is null order by id',
    )
    .pluck()
  const add = db.prepare<[{ sessionId: string; hash: string; value: string }]>(`
    insert into attachments (session_id, hash, value)
      select id, @hash, @value from sessions where id = @sessionId and deleted_at is null
    on conflict (session_id, hash) where message_id is null do update set value = excluded.value`)
  const change = db.prepare<[{ sessionId: string; hash: string; value: string }]>(
    'update attachments set value = json_patch(value, @value) where session_id = @sessionId and hash = @hash and message_id is null',
  )
  const source = db
    .prepare<[string, string], string>(
      "select value -> '$.source' from attachments where session_id = ? and hash = ? and message_id is null",
    )
    .pluck()
  const takeBack = db.prepare<[string, string]>(`
    delete from attachments where session_id = ? and message_id is null and hash in (select value from json_each(?))`)
  const find = db
    .prepare<[string, string], string>(
      'select value from attachments where session_id = ? and hash = ? order by id desc limit 1',
    )
    .pluck()
  const ofPath = db
    .prepare<[string], string>(
      `select a.value from attachments a join messages m on m.id = a.message_id
        where a.session_id = ? and m.active = 1 order by a.id desc`,
    )
    .pluck()
  const onlyIn = db
    .prepare<[string], string>(
      `select distinct hash from attachments a where session_id = ?
        and not exists (select 1 from attachments o where o.hash = a.hash and o.session_id <> a.session_id)`,
    )
    .pluck()
  const inChat = db.prepare<[string]>('select 1 from attachments where session_id = ? limit 1')
  const used = db.prepare<[string]>('select 1 from attachments where hash = ? limit 1')

  const described = db
    .prepare<[string], string>(
      `select value ->> 'description' from attachments where hash = ? and value ->> 'description' is not null limit 1`,
    )
    .pluck()
  const describe = db.prepare<[{ hash: string; description: string }]>(
    `update attachments set value = json_set(value, '$.description', @description) where hash = @hash`,
  )
  const describeInMessages = db.prepare<[{ hash: string; description: string }]>(`
    update messages set attached = json_set(attached, '$.attachments', json((
        select json_group_array(json(iif(value ->> 'hash' = @hash, json_set(value, '$.description', @description), value)))
          from json_each(messages.attached, '$.attachments'))))
      where id in (select message_id from attachments where hash = @hash and message_id is not null)
        and json_type(attached, '$.attachments') = 'array'`)

  const speed = db
    .prepare<[string], number>(
      `select usage ->> 'prefillPerSecond' from (select id, model, usage from messages order by id desc limit ${LOOKED_AT})
        where model = ? and usage is not null and usage ->> 'evaluatedTokens' >= ${TELLING_TOKENS}
          and usage ->> 'prefillPerSecond' > 0 order by id desc limit 1`,
    )
    .pluck()

  const read = (value: string) => Attachment.parse(JSON.parse(value))
  const rowOf = (sessionId: string, attachment: Attachment, source?: SourceFile) => ({
    sessionId,
    hash: attachment.hash,
    value: JSON.stringify({ ...attachment, source }),
  })
  return {
    unsent: sessionId => unsent.all(sessionId).map(read),
    sourceOf(sessionId, hash) {
      const value = source.get(sessionId, hash)
      return typeof value === 'string' ? SourceFile.parse(JSON.parse(value)) : undefined
    },
    add: (sessionId, attachment, source) =>
      durably(() => {
        if (add.run(rowOf(sessionId, attachment, source)).changes === 0)
          throw new Fault('not_found', 'This chat no longer exists.')
      }),
    change: (sessionId, attachment) => durably(() => change.run(rowOf(sessionId, attachment)).changes > 0),
    takeBack: (sessionId, hashes) => durably(() => takeBack.run(sessionId, JSON.stringify(hashes)).changes),
    find(sessionId, hash) {
      const value = find.get(sessionId, hash)
      return value === undefined ? undefined : read(value)
    },
    ofPath: sessionId => ofPath.all(sessionId).map(read),
    onlyIn: sessionId => onlyIn.all(sessionId),
    descriptionOf: hash => described.get(hash),
    describe: (hash, description) =>
      durably(() => {
        describe.run({ hash, description })
        describeInMessages.run({ hash, description })
      }),
    isIn: sessionId => inChat.get(sessionId) !== undefined,
    isUsed: hash => used.get(hash) !== undefined,
    readSpeed: model => speed.get(model),
  }
}
