import { existsSync } from 'node:fs'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import { Fault } from '../../../../shared/rpc.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { ProjectRecord } from '../../../db/chats/project-tables.ts'
import type { Store } from '../../../db/store.ts'
import { pathNamed, resolveAsked } from '../../../files/workspace.ts'
import type { Projects } from '../../../projects/open-projects.ts'
import { changeSwitches, onlyThese, openToolsets } from '../../../tools/open-toolsets.ts'
import type { Registry } from '../../../tools/registry/registry.ts'
import type { ToolsetEntry } from '../../../tools/registry/toolsets.ts'

type Needs = {
  config: ConfigHandle
  store: Pick<Store, 'sessions' | 'projects'>
  projects: Pick<Projects, 'of' | 'get'>
  registry: Registry
  entries: readonly ToolsetEntry[]
  /** Toolsets that come and go while the host runs. */
  more(): readonly ToolsetEntry[]
}

type Place = { folder?: string | undefined; projectId?: string | undefined; sessionId?: string | undefined }
/** The place whose switches are read or set. */
type Found = { folder?: string; project?: ProjectRecord | undefined; session?: Session }

/** For how many chats the toolsets left out are kept. */
const MOST_NOTED = 500

/** The toolsets of the host, and their switches: in the settings, in projects and in chats. */
export function toolsetsFeature({ config, store, projects, registry, entries, more }: Needs) {
  const { add, flaws, listAt, refuseUnknown, choice } = openToolsets({
    settings: () => config.current.toolsets,
    chatOf: id => store.sessions.get(id),
    projectOf: projects.of,
    registry,
    entries,
    more,
  })

  /** The newest chats whose prompts leave toolsets out, by id. */
  const leftOut = new Map<string, { names: readonly string[]; contextTokens: number }>()

  /** The toolsets that do not fit a chat, without those that were switched off since. */
  function leftOutOf({ session, ...place }: Found) {
    const left = session && leftOut.get(session.id)
    if (!left) return null
    const on = new Set(
      listAt({ ...place, session }).flatMap(each => (each.state === 'off' ? [] : [each.name])),
    )
    const names = left.names.filter(name => on.has(name))
    return names.length === 0 ? null : { names, contextTokens: left.contextTokens }
  }

  const chatOf = (id: string): Session => {
    const session = store.sessions.get(id)
    if (!session) throw new Fault('not_found', 'This chat no longer exists.')
    return session
  }

  /** Return the folder and the chat of a place. Throws a Fault if one of them is gone. */
  async function placeOf({ folder, projectId, sessionId }: Place): Promise<Found> {
    if ([folder, projectId, sessionId].filter(each => each !== undefined).length > 1)
      throw new Fault('bad_input', 'Name a folder, a project or a chat, not several of them.')
    if (projectId !== undefined) {
      const project = projects.get(projectId)
      return { project, ...(project.folder !== null && { folder: project.folder }) }
    }
    if (sessionId === undefined) return folder === undefined ? {} : { folder: await resolveAsked(folder) }
    const session = chatOf(sessionId)
    return { folder: session.workspace, session }
  }

  function switchFolder(folder: string, names: readonly string[], on: boolean | null) {
    const { folders } = config.current.toolsets
    const { [folder]: before = {}, ...others } = folders
    const now = changeSwitches(before, names, on)
    const isEmpty = Object.keys(now).length === 0
    config.set('toolsets.folders', isEmpty ? others : { ...others, [folder]: now })
  }

  const switchEverywhere = (names: readonly string[], on: boolean | null) =>
    config.set('toolsets.everything', changeSwitches(config.current.toolsets.everything, names, on))

  function switchChat({ id, toolsets }: Session, names: readonly string[], on: boolean | null): void {
    store.sessions.update(id, { toolsets: changeSwitches(toolsets, names, on) })
  }

  return {
    add,
    flaws,
    choice: {
      ...choice,
      noteLeftOut(sessionId: string, left: { names: readonly string[]; contextTokens: number }) {
        leftOut.delete(sessionId)
        if (left.names.length > 0) leftOut.set(sessionId, left)
        if (leftOut.size > MOST_NOTED) leftOut.delete(leftOut.keys().next().value!)
      },
      switchOn(toolset: string, sessionId: string | undefined) {
        if (sessionId === undefined) switchEverywhere([toolset], true)
        else switchChat(chatOf(sessionId), [toolset], true)
      },
    },
    handlers: {
      async 'toolset.list'(given) {
        config.reload()
        const place = await placeOf(given)
        const wrong = config.problems().filter(each => each.text.startsWith('toolsets.'))
        return {
          toolsets: listAt(place),
          leftOut: leftOutOf(place),
          problems: [...wrong, ...flaws()].map(each => each.text),
          folders: Object.entries(config.current.toolsets.folders).map(([folder, switches]) => ({
            folder,
            isGone: !existsSync(folder),
            switches,
          })),
        }
      },
      async 'toolset.switch'({ names, on, ...given }) {
        const { folder } = given
        if (on === null && folder !== undefined) {
          // Allow removing the switch of a folder that no longer exists.
          const path = pathNamed(folder)
          if (!existsSync(path) && config.current.toolsets.folders[path]) {
            switchFolder(path, names, null)
            return { toolsets: listAt({}) }
          }
        }
        const place = await placeOf(given)
        // Allow removing the switch of a toolset that no longer exists.
        if (on !== null) refuseUnknown(names)
        const { session, project } = place
        if (project) {
          store.projects.update(project.id, { toolsets: changeSwitches(project.toolsets, names, on) })
          return { toolsets: listAt({ ...place, project: projects.get(project.id) }) }
        }
        if (session) {
          switchChat(session, names, on)
          return { toolsets: listAt({ ...place, session: chatOf(session.id) }) }
        }
        if (place.folder !== undefined) switchFolder(place.folder, names, on)
        else switchEverywhere(names, on)
        return { toolsets: listAt(place) }
      },
      async 'toolset.only'({ sessionId, names }) {
        refuseUnknown(names)
        if (sessionId === undefined) return { toolsets: listAt({}) }
        const { id } = chatOf(sessionId)
        store.sessions.update(id, { toolsets: onlyThese(names) })
        return { toolsets: listAt(await placeOf({ sessionId })) }
      },
    } satisfies Partial<HostHandlers>,
  }
}
