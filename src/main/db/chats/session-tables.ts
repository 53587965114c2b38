import type {
  Archived,
  ChatTitle,
  Session,
  SessionChange as AskedChange,
} from '../../../shared/contract/chats/session.ts'
import type { Clock } from '../../lib/timing.ts'
import { newId } from '../../lib/ids.ts'
import { TEMPORARY_PREFIX } from '../../../shared/text/temporary-chats.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import type { Connection } from '../connection.ts'
import { lookupOf } from './session-lookup.ts'
import { createSessionStates, type SessionStates } from './session-states.ts'
import { readOptions, takeOptions, type GivenOptions } from './session-options.ts'

/** A new chat with the options that are set for it. */
export type NewSession = GivenOptions & {
  modelId: string
  workspace: string
  approval: Session['approval']
  origin: Session['origin']
  /** The thing at the origin that it began with, such as the call of a sub-agent or the id of a schedule. */
  originId?: string | undefined
  /** The chat that delegated to this one. */
  parentId?: string | undefined
  projectId?: string | null | undefined
  /** The only tools and toolsets that may be offered; empty: all. */
  onlyTools?: readonly string[] | undefined
  title?: string | undefined
  /** A temporary chat is never indexed, copied or learned from, and is removed when it ends. */
  temporary?: boolean | undefined
}

/** Absent and undefined fields stay unchanged, and so do options that are not named. */
type SessionChange = GivenOptions & {
  [K in Exclude<keyof AskedChange, keyof GivenOptions>]?: AskedChange[K] | undefined
}

/** The frozen system prompt of a session, one for each way of presenting tools. */
type FrozenPrompt = { key: string; sections: PromptText[]; toolNames: string[] }

/** One section of a prompt. The prompt is the sections joined by a blank line. */
type PromptText = { name: string; title: string; text: string }

/** A change that can be made to many chats at a time. */
type ManyChange = { archived: boolean } | { pinned: boolean } | { removed: boolean }

/**
 * `projectId`: only chats of this project. `scheduleId`: only chats of this schedule's runs. `without`:
 * origins to leave out. `withTemporary`: include temporary chats, which searches with words never find.
 */
type ListOptions = {
  query: string
  projectId?: string | null | undefined
  scheduleId?: string | null | undefined
  without?: readonly Session['origin'][]
  withTemporary?: boolean
  archived?: Archived
  limit: number
  offset: number
}

/** Chats and their frozen prompts. */
export type SessionStore = SessionStates & {
  create(session: NewSession): Session
  get(id: string): Session | undefined
  /** Whether a chat is deleted and can be restored. */
  isDeleted(id: string): boolean
  /** Return chats, newest first; including archived ones unless `archived` is given. */
  list(options: ListOptions): { sessions: Session[]; more: boolean }
  /** Return all chats with content, newest first, without temporary ones. */
  titles(limit: number): ChatTitle[]
  update(id: string, change: SessionChange): Session | undefined
  /**
   * Change all of the chats, atomically. Returns the ids of the chats that it changed, so that the opposite
   * undoes it. Chats that are gone or already in that state are left out.
   */
  changeAll(ids: readonly string[], change: ManyChange): string[]
  /** Return the folders of chats that are not deleted, newest first. */
  workspaces(limit: number): string[]
  remove(id: string): boolean
  /** Return the chats of a chat's sub-agents, including deleted ones. */
  agentsOf(id: string): string[]
  /** Restore a deleted chat; undefined if it is gone or being purged. */
  restore(id: string): Session | undefined
  frozenPrompt(id: string, key: string): FrozenPrompt | undefined
  freezePrompt(id: string, prompt: FrozenPrompt): void
  /** Return every frozen prompt of a session, unordered. */
  frozenPrompts(id: string): FrozenPrompt[]
  /** Drop the frozen prompt, so that the next message rebuilds it. */
  forgetPrompt(id: string): void
}

type Many = { ids: string; to: number; now: number }

type SessionRow = {
  id: string
  title: string
  preview: string
  model: string
  workspace: string
  pinned: number
  archived: number
  temporary: number
  draft: string
  project_id: string | null
  options: string
  origin: Session['origin']
  origin_id: string
  parent_session_id: string | null
  only_tools: string
  message_count: number
  turn_count: number
  path_moves: number
  created_at: number
  updated_at: number
  active_run_id: string | null
  last_run_id: string | null
  waiting: number | null
}

const SELECT = `
  select s.id, s.title, s.preview, s.model, s.workspace, s.pinned, s.archived_at is not null as archived, s.temporary, s.draft, s.options,
    (select p.id from projects p where p.id = s.project_id and p.deleted_at is null) as project_id,
    s.origin, s.origin_id, s.parent_session_id, s.only_tools, s.message_count, s.turn_count, s.path_moves, s.created_at, s.updated_at, r.id as active_run_id, r.waiting,
    (select l.id from runs l where l.session_id = s.id and l.logged = 1 order by l.number desc limit 1) as last_run_id
  from sessions s left join runs r on r.session_id = s.id and r.ended_at is null
  where s.deleted_at is null`
/** SQL parameter `archived`: 1 for archived chats, 0 for others, null for all. */
const LISTED = `${SELECT} and (@archived is null or (s.archived_at is not null) = @archived)
  and (@projectId is null or s.project_id = @projectId)
  and (@scheduleId is null or (s.origin = 'schedule' and s.origin_id = @scheduleId))
  and s.origin not in (select value from json_each(@without)) and s.temporary <= @temporary`
const NEWEST_FIRST = 'order by s.pinned desc, s.updated_at desc, s.id desc limit +@limit offset +@offset'
/** How many of the newest messages to search for one or two letters, which match too many. */
const LOOKED_AT = 10_000
const TITLED = 'instr(fold(s.title), fold(@text)) > 0'

/** Read and write chats. `updatedAt` is the last message's time: a new title or draft reorders nothing. */
export function createSessions({ db, atomically, durably }: Connection, clock: Clock): SessionStore {
  const insert = db.prepare(`
    insert into sessions (id, origin, origin_id, parent_session_id, only_tools, title, title_given, model, workspace,
      options, project_id, temporary, created_at, updated_at)
    values (@id, @origin, @originId, @parentId, @onlyTools, @title, @title <> '', @modelId, @workspace,
      @options, @projectId, @temporary, @now, @now)`)
  const find = db.prepare<[string], SessionRow>(`${SELECT} and s.id = +?`)
  const deleted = db.prepare<[string]>('select 1 from sessions where id = ? and deleted_at is not null')
  const findOptions = db.prepare<[string], { options: string }>('select options from sessions where id = ?')
  const listAll = db.prepare<[object], SessionRow>(`${LISTED} ${NEWEST_FIRST}`)
  const listByWords = db.prepare<[object], SessionRow>(`${LISTED}
    and (${TITLED} or s.id in (select m.session_id from messages m where m.id in (select rowid from messages_search
      where messages_search match @words order by rowid desc limit ${LOOKED_AT}))) ${NEWEST_FIRST}`)
  const listByText = db.prepare<[object], SessionRow>(`${LISTED}
    and (${TITLED} or s.id in (select m.session_id from messages m
      where m.id > (select max(id) from messages) - 20000 and instr(m.content, @literal) > 0)) ${NEWEST_FIRST}`)
  const titles = db.prepare<[number], Omit<ChatTitle, 'archived'> & { archived: number }>(`
    select id, title, updated_at as updatedAt, archived_at is not null as archived from sessions
    where deleted_at is null and temporary = 0 and (message_count > 0 or draft <> '' or pinned = 1)
    order by updated_at desc, id desc limit ?`)
  const workspaces = db.prepare<[number], { workspace: string }>(`
    select workspace from sessions where deleted_at is null and temporary = 0 group by workspace order by max(updated_at) desc limit +?`)
  const change = db.prepare(`
    update sessions set
      title = coalesce(@title, title), title_given = max(title_given, @title is not null),
      model = coalesce(@modelId, model), workspace = coalesce(@workspace, workspace),
      pinned = coalesce(@pinned, pinned),
      archived_at = case @archived when 1 then coalesce(archived_at, @now) when 0 then null else archived_at end,
      options = coalesce(@options, options),
      project_id = iif(@moves, @projectId, project_id),
      draft = case when @draftAfter < turn_count then draft else coalesce(@draft, draft) end
    where id = @id and deleted_at is null`)
  // Each statement changes the chats of a JSON list, and returns the ids of those it changed.
  const among = 'id in (select value from json_each(@ids))'
  const many = {
    archived: db.prepare<[Many], { id: string }>(`
      update sessions set archived_at = iif(@to, @now, null)
      where ${among} and deleted_at is null and temporary = 0 and (archived_at is not null) <> @to returning id`),
    pinned: db.prepare<[Many], { id: string }>(
      `update sessions set pinned = @to
        where ${among} and deleted_at is null and temporary = 0 and pinned <> @to returning id`,
    ),
    removed: db.prepare<[Many], { id: string }>(`
      update sessions set deleted_at = iif(@to, @now, null)
      where ${among} and (deleted_at is not null) <> @to and id not in (select session_id from purges)
        and origin <> 'importing' returning id`),
  }
  // Sub-agents are deleted and restored with their chat, unless they were deleted before.
  const remove = db.prepare<[{ id: string; now: number }]>(`
    update sessions set deleted_at = @now where deleted_at is null
      and (id = @id or (parent_session_id = @id and origin = 'sub_agent'))`)
  const restore = db.prepare<[{ id: string }]>(`
    update sessions set deleted_at = null where id not in (select session_id from purges) and (id = @id or
      (parent_session_id = @id and origin = 'sub_agent' and deleted_at = (select p.deleted_at from sessions p where p.id = @id)))`)
  const agentsOf = db.prepare<[string], { id: string }>(
    `select id from sessions where parent_session_id = ? and origin = 'sub_agent'`,
  )
  const findPrompt = db.prepare<[string, string], { system: string; tool_names: string }>(
    'select system, tool_names from prompts where session_id = ? and key = ?',
  )
  const findPrompts = db.prepare<[string], { key: string; system: string; tool_names: string }>(
    'select key, system, tool_names from prompts where session_id = ?',
  )
  const dropPrompts = db.prepare<[string]>('delete from prompts where session_id = ?')
  const putPrompt = db.prepare(`
    insert into prompts (session_id, key, system, tool_names) values (@id, @key, @system, @toolNames)
    on conflict do update set system = excluded.system, tool_names = excluded.tool_names`)

  const get = (id: string) => {
    const row = find.get(id)
    return row && sessionOf(row)
  }
  function lookUp(
    query: string,
    page: Omit<ListOptions, 'query' | 'archived' | 'without' | 'withTemporary'> & {
      archived: number | null
      without: string
      temporary: number
    },
  ) {
    const lookup = lookupOf(query)
    if (!lookup) return listAll.all(page)
    const parameters = { ...page, temporary: 0, ...lookup, text: query.trim().toWellFormed() }
    return ('words' in lookup ? listByWords : listByText).all(parameters)
  }

  return {
    create(given) {
      const [set, fields] = takeOptions(given)
      const {
        originId = '',
        parentId = null,
        onlyTools = [],
        title = '',
        temporary: isTemporary,
        ...session
      } = fields
      const id = newId(isTemporary ? TEMPORARY_PREFIX : 'chat', clock)
      durably(() =>
        insert.run({
          projectId: null,
          ...session,
          originId,
          parentId,
          onlyTools: JSON.stringify(onlyTools),
          options: JSON.stringify(set),
          temporary: Number(isTemporary === true),
          title,
          id,
          now: clock(),
        }),
      )
      return get(id)!
    },
    get,
    isDeleted: id => deleted.get(id) !== undefined,
    list({ query, projectId = null, scheduleId = null, without = [], limit, offset, ...which }) {
      const { archived = 'also', withTemporary = false } = which
      const left = JSON.stringify(without)
      const page = {
        projectId,
        scheduleId,
        without: left,
        limit: limit + 1,
        offset,
        archived: ASKED[archived],
        temporary: Number(withTemporary),
      }
      const rows = lookUp(query, page)
      return { sessions: rows.slice(0, limit).map(sessionOf), more: rows.length > limit }
    },
    titles: limit => titles.all(limit).map(chat => ({ ...chat, archived: chat.archived === 1 })),
    update(id, wanted) {
      // A draft is saved several times a second during typing; losing one in a power cut costs a few words.
      const commit = isDraftOnly(wanted) ? atomically : durably
      commit(() => {
        const [set, fields] = takeOptions(wanted, () => findOptions.get(id)?.options)
        const options = set && JSON.stringify(set)
        change.run({ ...NO_CHANGE, ...forSqlite(fields), options, id, now: clock() })
      })
      return get(id)
    },
    changeAll(ids, change) {
      const [what, to] = Object.entries(change)[0] as [keyof typeof many, boolean]
      const rows = durably(() => many[what].all({ ids: JSON.stringify(ids), to: Number(to), now: clock() }))
      return rows.map(({ id }) => id)
    },
    ...createSessionStates({ db, durably }, clock, get),
    workspaces: limit => workspaces.all(limit).map(row => row.workspace),
    remove: id => durably(() => remove.run({ id, now: clock() })).changes > 0,
    agentsOf: id => agentsOf.all(id).map(row => row.id),
    restore(id) {
      durably(() => restore.run({ id }))
      return get(id)
    },
    frozenPrompt(id, key) {
      const row = findPrompt.get(id, key)
      return row && promptOf({ key, ...row })
    },
    frozenPrompts: id => findPrompts.all(id).map(promptOf),
    freezePrompt(id, { key, sections, toolNames }) {
      const system = JSON.stringify(sections)
      durably(() => putPrompt.run({ id, key, system, toolNames: JSON.stringify(toolNames) }))
    },
    forgetPrompt(id) {
      durably(() => dropPrompts.run(id))
    },
  }
}

const promptOf = ({
  key,
  system,
  tool_names: names,
}: {
  key: string
  system: string
  tool_names: string
}) => ({
  key,
  sections: sectionsOf(system),
  toolNames: JSON.parse(names) as string[],
})

/** Read the sections of a prompt. Before version 4 a prompt was stored as one text. */
function sectionsOf(kept: string): PromptText[] {
  const whole: PromptText = { name: 'identity', title: 'The whole prompt', text: kept }
  if (!kept.startsWith('[{')) return [whole]
  const parsed = parseJson(kept)
  return Array.isArray(parsed) ? (parsed as PromptText[]) : [whole]
}

const NO_CHANGE = {
  title: null,
  modelId: null,
  workspace: null,
  pinned: null,
  archived: null,
  draft: null,
  moves: 0,
  projectId: null,
  draftAfter: null,
}

const ASKED = { without: 0, only: 1, also: null } as const

const isDraftOnly = ({ draft, draftAfter: _after, ...others }: SessionChange): boolean =>
  draft !== undefined && Object.values(others).every(value => value === undefined)

const forSqlite = ({ pinned, archived, ...rest }: Omit<SessionChange, keyof GivenOptions>) => ({
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  ...(pinned !== undefined && { pinned: Number(pinned) }),
  ...(archived !== undefined && { archived: Number(archived) }),
  ...(rest.projectId !== undefined && { moves: 1 }),
})

const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  title: row.title,
  preview: row.preview,
  modelId: row.model,
  workspace: row.workspace,
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  ...(row.temporary === 1 && { temporary: true as const }),
  draft: row.draft,
  projectId: row.project_id,
  ...readOptions(row.options),
  origin: row.origin,
  originId: row.origin_id,
  parentId: row.parent_session_id,
  onlyTools: (parseJson(row.only_tools) ?? []) as string[],
  messageCount: row.message_count,
  turnCount: row.turn_count,
  pathMoves: row.path_moves,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  activeRunId: row.active_run_id,
  lastRunId: row.last_run_id,
  waiting: (row.waiting ?? 0) > 0,
})
