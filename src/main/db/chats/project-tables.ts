import type { ProjectOptionValues } from '../../../shared/contract/chats/chat-options.ts'
import type { Project } from '../../../shared/contract/chats/projects.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/timing.ts'
import type { Connection } from '../connection.ts'
import { readProjectOptions, takeProjectOptions } from './session-options.ts'

/** A project as stored, without computed fields. */
export type ProjectRecord = Omit<Project, 'folderProblem'>

/** The fields that the user sets. */
export type ProjectFields = Pick<
  ProjectRecord,
  'name' | 'folder' | 'instructions' | 'modelId' | 'skills' | 'options' | keyof ProjectOptionValues
>

/** Projects. A removed one is in no list, and its chats count as chats without a project. */
export type ProjectStore = {
  /** Return the projects by name. */
  list(): ProjectRecord[]
  get(id: string): ProjectRecord | undefined
  /** Create a project. `notes`: the id of its notes; by default a new id. */
  create(project: ProjectFields & { notes?: string | undefined }): ProjectRecord
  update(id: string, change: Partial<ProjectFields>): ProjectRecord | undefined
  remove(id: string): boolean
  /** Restore a removed project; undefined if it is gone. */
  restore(id: string): ProjectRecord | undefined
  /** Forget removed projects for good. */
  purgeRemoved(): void
  /** Return the ids of a project's chats that are not deleted. */
  chatsOf(id: string): string[]
}

type ProjectRow = Pick<ProjectRecord, 'id' | 'name' | 'folder' | 'instructions' | 'notes' | 'chats'> & {
  model: string | null
  skills: string | null
  options: string
  created_at: number
  updated_at: number
}

const SELECT = `
  select id, name, folder, instructions, model, skills, options, notes, created_at, updated_at,
    (select count(*) from sessions s where s.project_id = projects.id and s.deleted_at is null
      and s.archived_at is null) as chats
  from projects where deleted_at is null`

/** The table of projects. */
export function createProjects({ db, durably }: Connection, clock: Clock): ProjectStore {
  const find = db.prepare<[string], ProjectRow>(`${SELECT} and id = ?`)
  const list = db.prepare<[], ProjectRow>(`${SELECT} order by fold(name), id`)
  const put = db.prepare(`
    insert into projects (id, name, folder, instructions, model, skills, options, notes, created_at, updated_at)
    values (@id, @name, @folder, @instructions, @modelId, @skills, @options, @notes, @now, @now)
    on conflict (id) do update set name = excluded.name, folder = excluded.folder, instructions = excluded.instructions,
      model = excluded.model, skills = excluded.skills, options = excluded.options, updated_at = excluded.updated_at`)
  const remove = db.prepare<[number, string]>(
    'update projects set deleted_at = ? where id = ? and deleted_at is null',
  )
  const restore = db.prepare<[string]>('update projects set deleted_at = null where id = ?')
  const removed = db.prepare<[], { id: string }>('select id from projects where deleted_at is not null')
  // These prompts contain the project's instructions; its chats have had newer prompts since.
  const forget = db.prepare<[string]>(`delete from prompts where instr(key, '"project ' || ? || '"') > 0`)
  const leave = db.prepare(`
    update sessions set project_id = null
    where project_id is not null and project_id not in (select id from projects where deleted_at is null)`)
  const purge = db.prepare('delete from projects where deleted_at is not null')
  const chats = db.prepare<[string], { id: string }>(
    'select id from sessions where project_id = ? and deleted_at is null order by id',
  )

  const get = (id: string) => {
    const row = find.get(id)
    return row && recordOf(row)
  }
  const write = (id: string, given: ProjectFields & { notes: string }) => {
    const [options, { skills, ...fields }] = takeProjectOptions(given)
    durably(() => put.run({ ...fields, id, skills: skills && JSON.stringify(skills), options, now: clock() }))
  }

  return {
    list: () => list.all().map(recordOf),
    get,
    create({ notes, ...fields }) {
      const id = newId('project', clock)
      write(id, { ...fields, notes: notes ?? id })
      return get(id)!
    },
    update(id, change) {
      const known = get(id)
      if (!known) return undefined
      const { createdAt: _created, updatedAt: _updated, chats: _chats, ...fields } = known
      write(id, { ...fields, ...change })
      return get(id)
    },
    remove: id => durably(() => remove.run(clock(), id)).changes > 0,
    restore(id) {
      durably(() => restore.run(id))
      return get(id)
    },
    purgeRemoved() {
      durably(() => {
        for (const { id } of removed.all()) forget.run(id)
        leave.run()
        purge.run()
      })
    },
    chatsOf: id => chats.all(id).map(row => row.id),
  }
}

const recordOf = (row: ProjectRow): ProjectRecord => ({
  id: row.id,
  name: row.name,
  folder: row.folder,
  instructions: row.instructions,
  modelId: row.model,
  skills: row.skills === null ? null : ((parseJson(row.skills) ?? []) as string[]),
  ...readProjectOptions(row.options),
  notes: row.notes,
  chats: row.chats,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
