import type {
  SkillBundle,
  SkillRevision,
  SkillSource,
  SkillUse,
  SkillUses,
} from '../../../shared/contract/learned/skills.ts'
import type { Connection } from '../connection.ts'

/** The stored state of a skill. `accepted`: the digest of the content accepted despite the scan. */
export type SkillState = {
  key: string
  /** Null if the user has not decided. */
  enabled: boolean | null
  accepted: string | null
  /** The author, for skills in the home folder. */
  author: 'you' | 'agent' | null
  source: SkillSource | null
  /** A pinned skill cannot be deleted, and no review writes to it. */
  pinned: boolean
}

/** A change of a skill before the log numbers it. `archive`: the backup folder; `skillId`: the location. */
export type NewSkillRevision = Omit<SkillRevision, 'id' | 'undoneBy'> & {
  skillId: string
  archive: string | null
}

export type StoredSkillRevision = SkillRevision & { skillId: string; archive: string | null }

/** The state and history of skills (`skills/`). */
export type SkillStore = {
  states(): Map<string, SkillState>
  putStates(states: readonly SkillState[]): void
  /** Store changes and the new state atomically, and clear the pending one. */
  commit(change: {
    revisions: readonly NewSkillRevision[]
    states?: readonly SkillState[]
  }): StoredSkillRevision[]
  revision(id: number): StoredSkillRevision | undefined
  /** Return revisions, newest first. */
  history(options: {
    key?: string | undefined
    sessionId?: string | undefined
    before?: number | undefined
    limit: number
  }): {
    revisions: StoredSkillRevision[]
    more: boolean
  }
  /** Return the newest revision of every deleted skill. */
  deleted(): StoredSkillRevision[]
  pending(): string | undefined
  begin(change: string): void
  giveUp(): void
  /** Record that a turn loaded a skill, once per turn. */
  use(use: { key: string; sessionId: string; messageId: number; by: SkillUse['by']; at: number }): void
  /** Return the skills that a chat has loaded, last one first, each with the message of that turn. */
  loadedIn(sessionId: string, limit: number): { key: string; messageId: number }[]
  /** Record a turn's outcome for the skills it loaded; returns their keys. `from`: outcomes to replace. */
  settle(
    turn: { sessionId: string; messageId: number },
    outcome: NonNullable<SkillUse['outcome']>,
    from: 'open' | 'any',
  ): string[]
  /** Return the bundles by name. */
  bundles(): SkillBundle[]
  putBundle(bundle: SkillBundle): void
  removeBundle(name: string): boolean
  /** Return the uses of a skill, newest first. */
  uses(key: string, limit: number): SkillUse[]
  /** Return usage by key, with the outcomes of the last three finished turns, newest first. */
  tallies(): Map<string, SkillUses & { last: SkillUse['outcome'][] }>
}

type StateRow = Omit<SkillState, 'enabled' | 'source' | 'pinned'> & {
  enabled: number | null
  source: string | null
  pinned: number
}
type RevisionRow = Omit<StoredSkillRevision, 'undoneBy' | 'files'> & { files: string }
type UseRow = { key: string; at: number; outcome: SkillUse['outcome'] }

const REVISION = `id, key, name, op, actor, note, session_id as sessionId, message_id as messageId, review_id as reviewId, at,
  files, skill_id as skillId, archive, undoes`
/** How many recent turns decide whether a skill still works. */
const LAST = 3

/** The state and history of skills, which their folders do not hold. */
export function createSkillStore({ db, durably }: Connection): SkillStore {
  const states = db.prepare<[], StateRow>(
    'select key, enabled, accepted, author, source, pinned from skill_states',
  )
  const putState = db.prepare(`
    insert into skill_states (key, enabled, accepted, author, source, pinned, updated_at)
    values (@key, @enabled, @accepted, @author, @source, @pinned, @at)
    on conflict (key) do update set enabled = excluded.enabled, accepted = excluded.accepted, author = excluded.author,
      source = excluded.source, pinned = excluded.pinned, updated_at = excluded.updated_at`)
  const log = db.prepare<[Omit<NewSkillRevision, 'files'> & { files: string }], { id: number }>(`
    insert into skill_revisions (key, name, op, actor, note, session_id, message_id, review_id, at, files, skill_id, archive,
      undoes)
    values (@key, @name, @op, @actor, @note, @sessionId, @messageId, @reviewId, @at, @files, @skillId, @archive, @undoes)
    returning id`)
  const revision = db.prepare<[number], RevisionRow>(`select ${REVISION} from skill_revisions where id = ?`)
  const undoing = db.prepare<[number], { id: number }>(
    'select id from skill_revisions where undoes = ? order by id desc limit 1',
  )
  const history = db.prepare<
    [{ key: string | null; sessionId: string | null; before: number; limit: number }],
    RevisionRow
  >(`
    select ${REVISION} from skill_revisions
    where id < @before and (@key is null or key = @key) and (@sessionId is null or session_id = @sessionId)
    order by id desc limit @limit`)
  const deleted = db.prepare<[], RevisionRow>(`
    select ${REVISION} from skill_revisions r where op = 'delete' and not exists (
      select 1 from skill_revisions l where l.key = r.key and l.id > r.id and l.op in ('create', 'delete', 'restore', 'import'))
    order by id desc limit 500`)
  const pending = db.prepare<[], { change: string }>('select change from skill_pending')
  const setPending = db.prepare<[string]>('insert or replace into skill_pending (id, change) values (1, ?)')
  const clearPending = db.prepare('delete from skill_pending')
  const use = db.prepare(`
    insert or ignore into skill_uses (key, session_id, message_id, made_by, at)
    select @key, @sessionId, @messageId, @by, @at
    where not exists (select 1 from sessions where id = @sessionId and temporary = 1)`)
  const loaded = db.prepare<[string, number], { key: string; messageId: number }>(`
    select key, max(message_id) as messageId from skill_uses where session_id = ? group by key
    order by max(id) desc limit ?`)
  const settle = db.prepare<[string, string, number, number], { key: string }>(`
    update skill_uses set outcome = ? where session_id = ? and message_id = ? and (outcome is null or ?) returning key`)
  const uses = db.prepare<[string, number], SkillUse>(`
    select u.session_id as sessionId, coalesce(nullif(s.title, ''), s.preview, '') as title, u.message_id as messageId, u.at,
      u.made_by as "by", u.outcome
    from skill_uses u left join sessions s on s.id = u.session_id and s.deleted_at is null
    where u.key = ? order by u.id desc limit ?`)
  const bundles = db.prepare<[], { name: string; keys: string }>(
    'select name, keys from skill_bundles order by name',
  )
  const putBundle = db.prepare(
    'insert or replace into skill_bundles (name, keys, updated_at) values (?, ?, ?)',
  )
  const removeBundle = db.prepare('delete from skill_bundles where name = ?')
  const allUses = db.prepare<[], UseRow>('select key, at, outcome from skill_uses order by id desc')

  const whole = ({ files, ...row }: RevisionRow): StoredSkillRevision => ({
    ...row,
    files: JSON.parse(files) as SkillRevision['files'],
    undoneBy: undoneBy(row.id),
  })

  /** An undo that was itself undone does not count. */
  function undoneBy(id: number): number | null {
    const undo = undoing.get(id)
    return undo && undoneBy(undo.id) === null ? undo.id : null
  }

  const put = (state: SkillState) =>
    putState.run({
      ...state,
      enabled: state.enabled === null ? null : Number(state.enabled),
      source: state.source && JSON.stringify(state.source),
      // A change from before pins existed has no pin.
      pinned: Number(state.pinned ?? false),
      at: Date.now(),
    })

  return {
    states: () =>
      new Map(
        states.all().map(row => [
          row.key,
          {
            ...row,
            enabled: row.enabled === null ? null : row.enabled === 1,
            source: row.source === null ? null : (JSON.parse(row.source) as SkillSource),
            pinned: row.pinned === 1,
          },
        ]),
      ),
    putStates: changed => durably(() => changed.forEach(put)),
    commit({ revisions, states: changed = [] }) {
      return durably(() => {
        changed.forEach(put)
        const ids = revisions.map(each => log.get({ ...each, files: JSON.stringify(each.files) })!.id)
        clearPending.run()
        return ids.map(id => whole(revision.get(id)!))
      })
    },
    revision(id) {
      const row = revision.get(id)
      return row && whole(row)
    },
    history({ key = null, sessionId = null, before = Number.MAX_SAFE_INTEGER, limit }) {
      const rows = history.all({ key, sessionId, before, limit: limit + 1 })
      return { revisions: rows.slice(0, limit).map(whole), more: rows.length > limit }
    },
    deleted: () => deleted.all().map(whole),
    pending: () => pending.get()?.change,
    begin: change => durably(() => void setPending.run(change)),
    giveUp: () => durably(() => void clearPending.run()),
    use: made => durably(() => void use.run(made)),
    loadedIn: (sessionId, limit) => loaded.all(sessionId, limit),
    settle: ({ sessionId, messageId }, outcome, from) =>
      durably(() => settle.all(outcome, sessionId, messageId, Number(from === 'any')).map(row => row.key)),
    bundles: () => bundles.all().map(({ name, keys }) => ({ name, keys: JSON.parse(keys) as string[] })),
    putBundle: ({ name, keys }) => durably(() => void putBundle.run(name, JSON.stringify(keys), Date.now())),
    removeBundle: name => durably(() => removeBundle.run(name).changes > 0),
    uses: (key, limit) => uses.all(key, limit),
    tallies() {
      const tallies: ReturnType<SkillStore['tallies']> = new Map()
      for (const { key, at, outcome } of allUses.all()) {
        const tally = tallies.get(key) ?? { loads: 0, well: 0, corrected: 0, failed: 0, lastAt: at, last: [] }
        tally.loads++
        if (outcome === 'well' || outcome === 'corrected' || outcome === 'failed') tally[outcome]++
        if (outcome !== null && tally.last.length < LAST) tally.last.push(outcome)
        tallies.set(key, tally)
      }
      return tallies
    },
  }
}
