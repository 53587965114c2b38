import { stat } from 'node:fs/promises'
import { unsetForProject } from '../../shared/contract/chats/chat-options.ts'
import type { MemoryProject } from '../../shared/contract/learned/memory.ts'
import type { Project } from '../../shared/contract/chats/projects.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { refuseOwnFolder, resolveAsked } from '../files/workspace.ts'
import type { ProjectFields as AllFields, ProjectRecord } from '../db/chats/project-tables.ts'
import type { Store } from '../db/store.ts'
import { fileErrorCode } from '../lib/expected-errors.ts'
import { projectOf } from '../memory/note-files.ts'
import { invisibleIn, unsafeReason } from '../untrusted/unsafe-text.ts'
import { isInside } from '../files/paths/resolve-path.ts'
import { openOtherOptions, type OtherOption, type OtherOptions } from './other-options.ts'

/** What the person sets for a project; what is absent stays as it is. */
type ProjectChange = {
  [K in keyof AllFields]?: Project[K] | undefined
} & { fromFile?: boolean | undefined }

type ProjectFields = Partial<AllFields>

export type Projects = {
  list(): Promise<Project[]>
  /** Throws a `not_found` Fault when it is gone. */
  get(id: string): ProjectRecord
  create(given: ProjectChange & { name: string }): Promise<Project>
  update(id: string, change: ProjectChange): Promise<Project>
  remove(id: string): void
  restore(id: string): Promise<Project>
  /** The project of a chat; undefined when it has none. */
  of(this: void, session: Pick<Session, 'projectId'>): ProjectRecord | undefined
  /** The options of chats that parts of the host bring. */
  options: OtherOptions
  /** The folder or the project whose notes a chat has. */
  notesOf(this: void, session: Pick<Session, 'projectId' | 'workspace'>): string | MemoryProject
  /** The project whose folder is this one, or the nearest that it is in. */
  inFolder(folder: string): ProjectRecord | undefined
  /** The folder of a project, real and usable; undefined when it has none. Throws a Fault that names the project. */
  folderOf(project: Pick<Project, 'name' | 'folder'>): Promise<string | undefined>
}

/** Far more than anybody opens; each is a section of the list of chats. */
const MOST = 200

/** Open the projects of a home. Those that were removed before this start are forgotten. */
export function openProjects(
  home: string,
  store: Pick<Store, 'projects'>,
  others: readonly OtherOption[],
): Projects {
  const { projects } = store
  const of: Projects['of'] = ({ projectId }) => (projectId === null ? undefined : projects.get(projectId))
  const options = openOtherOptions(others, of)
  projects.purgeRemoved()

  const get = (id: string): ProjectRecord => {
    const found = projects.get(id)
    if (!found) throw new Fault('not_found', 'This project does not exist any more.')
    return found
  }

  /** A change with its values checked. `id` is that of the project that is changed. */
  async function checked({ fromFile = false, ...change }: ProjectChange, id?: string) {
    const known = id === undefined ? undefined : get(id)
    const folder = change.folder
    const isNewFolder = typeof folder === 'string' && folder !== known?.folder
    const next: ProjectFields = {
      ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
      ...(change.name !== undefined && { name: checkName(change.name) }),
      ...(change.instructions !== undefined && {
        instructions: checkInstructions(change.instructions, fromFile),
      }),
      ...(isNewFolder && { folder: await usableFolder(folder) }),
      ...(change.options && { options: withSet(known?.options, options.check(change.options, 'project')) }),
      ...(change.skills && { skills: [...new Set(change.skills)] }),
    }
    // Last, without a pause before it is written, so that two windows cannot both take a name.
    const others = projects.list().filter(each => each.id !== id)
    const sameName = others.find(each => next.name !== undefined && folded(each.name) === folded(next.name))
    if (sameName) throw new Fault('bad_input', `A project named “${sameName.name}” already exists.`)
    const sameFolder = others.find(each => next.folder != null && each.folder === next.folder)
    if (sameFolder)
      throw new Fault('bad_input', `The project “${sameFolder.name}” already uses the folder ${next.folder}.`)
    return next
  }

  async function usableFolder(given: string): Promise<string> {
    const folder = await resolveAsked(given)
    refuseOwnFolder(home, folder)
    return folder
  }

  const shown = async (record: ProjectRecord): Promise<Project> => ({
    ...record,
    folderProblem: await problemOf(record.folder),
  })

  return {
    list: () => Promise.all(projects.list().map(shown)),
    get,
    async create(given) {
      if (projects.list().length >= MOST)
        throw new Fault('bad_input', `There can be at most ${MOST} projects.`)
      const next = await checked(given)
      const made = projects.create({
        ...EMPTY,
        ...next,
        name: next.name!,
        // Notes that chats in this folder have already are those of the project.
        notes: next.folder == null ? undefined : projectOf(next.folder).id,
      })
      return shown(made)
    },
    async update(id, change) {
      const changed = projects.update(id, await checked(change, id))
      return shown(changed ?? get(id))
    },
    remove(id) {
      get(id)
      projects.remove(id)
    },
    async restore(id) {
      if (!projects.restore(id)) get(id)
      return shown(get(id))
    },
    of,
    options,
    notesOf({ projectId, workspace }) {
      const project = projectId === null ? undefined : projects.get(projectId)
      return project ? { id: project.notes, name: project.name, folder: project.folder ?? '' } : workspace
    },
    inFolder: folder =>
      projects
        .list()
        .filter(each => each.folder !== null && isInside(each.folder, folder))
        .toSorted((a, b) => b.folder!.length - a.folder!.length)[0],
    async folderOf({ name, folder }) {
      if (folder === null) return undefined
      try {
        return await usableFolder(folder)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        throw new Fault(
          'bad_input',
          `The folder of the project “${name}” cannot be used. ${error.message} Give the project another folder. You can still read its chats.`,
        )
      }
    },
  }
}

const EMPTY = { ...unsetForProject(), folder: null, instructions: '', modelId: null, skills: null }

/** The same options with some set, or taken back for null. */
const withSet = (before: Readonly<Record<string, unknown>> = {}, set: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries({ ...before, ...set }).filter(([, value]) => value !== null))

const folded = (name: string) => name.normalize('NFKC').toLowerCase()

/** A name in one line that shows what it is. */
function checkName(given: string): string {
  const name = given.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  if (name === '') throw new Fault('bad_input', 'A project needs a name.')
  if (/\p{Cc}/u.test(name) || invisibleIn(name) !== undefined)
    throw new Fault('bad_input', 'The name contains invisible characters. Type it again.')
  return name
}

/** Why a folder cannot be used now; null when it can, and for none. */
async function problemOf(folder: string | null): Promise<string | null> {
  if (folder === null) return null
  try {
    return (await stat(folder)).isDirectory() ? null : `${folder} is a file now, not a folder.`
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(fileErrorCode(error))
      ? `The folder ${folder} no longer exists.`
      : `The folder ${folder} cannot be opened.`
  }
}

/**
 * The text of instructions, tidied. The person may tell a model whatever they want, but not with characters that they cannot see,
 * which a text copied from elsewhere may hold. A text from a file is checked as those of strangers are. Throws a `bad_input` Fault.
 */
export function checkInstructions(given: string, isFromFile: boolean): string {
  const text = given.replace(/\r\n?/g, '\n').trim()
  const hidden = invisibleIn(text) ?? /(?![\t\n])\p{Cc}/u.exec(text)?.[0]
  if (hidden !== undefined)
    throw new Fault(
      'bad_input',
      `The instructions contain invisible characters (${codeOf(hidden)}), which a model would read. Type that passage again.`,
    )
  const reason = isFromFile ? unsafeReason(text, 'project') : undefined
  if (reason !== undefined)
    throw new Fault('bad_input', `The instructions were not imported: the text of the file ${reason}.`)
  return text
}

/** `invisibleIn` names the character already. */
const codeOf = (found: string) =>
  found.startsWith('U+') ? found : `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
