import { existsSync } from 'node:fs'
import { optionNamed } from '../../../shared/contract/chat-options.ts'
import type { Session } from '../../../shared/contract/session.ts'
import type { Toolset } from '../../../shared/contract/settings.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import { orderValues } from '../../../shared/resolve-option.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ConfigHandle } from '../../config/load.ts'
import type { ProjectRecord } from '../../db/project-tables.ts'
import type { Store } from '../../db/store.ts'
import type { Projects } from '../../projects/open-projects.ts'
import { isInside } from '../../tools/paths/paths.ts'
import type { Registry } from '../../tools/registry.ts'
import {
  ALL_OTHERS,
  didYouMean,
  elsewhereText,
  knowToolsets,
  offText,
  stateOfTool,
  unknownSwitches,
  type KnownToolset,
  type SwitchLevel,
  type ToolsetEntry,
  type ToolsetFlaw,
} from '../../tools/toolsets.ts'
import { pathNamed, resolveAsked } from '../workspace.ts'

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
/** What is switched there. */
type Found = { folder?: string; project?: ProjectRecord | undefined; session?: Session }

/** The toolsets: which there are, which tools they give to a chat, and their switches. */
export function toolsetsFeature({ config, store, projects, registry, entries: shipped, more }: Needs) {
  const entries = [...shipped]
  const known = () =>
    knowToolsets(
      [...entries, ...more()],
      config.current.toolsets.own,
      registry.names.map(name => ({ name, toolset: registry.get(name)!.toolset })),
    )

  const flaws = (): ToolsetFlaw[] => {
    const { known: all, problems } = known()
    return [...problems, ...unknownSwitches(all, config.current.toolsets)]
  }

  /** The switches that count in a place, the most specific first. */
  function levelsOf(
    folder: string | undefined,
    session?: Pick<Session, 'toolsets' | 'projectId'>,
    project = session && projects.of(session),
  ): SwitchLevel[] {
    const { everything, folders } = config.current.toolsets
    const around = Object.keys(folders)
      .filter(each => folder !== undefined && isInside(each, folder))
      .toSorted((a, b) => b.length - a.length)
    const values = orderValues(optionNamed('toolsets'), {
      chat: session?.toolsets,
      project: project?.toolsets,
      folder: around.map(each => ({ folder: each, value: folders[each]! })),
      settings: everything,
    })
    return values.map(({ level, value, ...where }) => ({
      ...where,
      level: level === 'settings' ? 'everything' : level,
      switches: value,
    }))
  }

  const chatOf = (id: string): Session => {
    const session = store.sessions.get(id)
    if (!session) throw new Fault('not_found', 'This chat does not exist any more.')
    return session
  }

  /** The folder and the chat of a place. Throws a Fault when one of them is gone. */
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

  function listAt({ folder, project, session }: Found): Toolset[] {
    const levels = levelsOf(folder, session, project)
    const all = known().known
    return [...all.values()]
      .filter(({ isFor }) => folder === undefined || isFor?.(folder) !== false)
      .map(each => shownToolset(each, all, levels))
  }

  function shownToolset(
    { name, title, says, isOwn, includes, tools, fromTokens }: KnownToolset,
    all: ReadonlyMap<string, KnownToolset>,
    levels: readonly SwitchLevel[],
  ): Toolset {
    const states = tools.map(tool => ({
      tool,
      ...stateOfTool({ name: tool, toolset: registry.get(tool)!.toolset }, all, levels, Infinity),
    }))
    const on = states.filter(each => each.on).length
    // The most specific switch of its tools explains the state.
    const deciding = levels.find(level => states.some(each => each.at === level))
    const switchAt = (level: SwitchLevel['level']) =>
      levels.find(each => each.level === level)?.switches[name] ?? null
    return {
      name,
      title,
      says,
      isOwn,
      includes: [...includes],
      tools: states.map(each => ({
        name: each.tool,
        on: each.on,
        missing: registry.get(each.tool)!.unavailable?.() ?? null,
      })),
      state: on === 0 ? 'off' : on === tools.length ? 'on' : 'partly',
      from: deciding?.level ?? 'default',
      folder: deciding?.folder ?? null,
      fromTokens,
      switches: {
        everything: switchAt('everything'),
        folder: switchAt('folder'),
        project: switchAt('project'),
        chat: switchAt('chat'),
      },
    }
  }

  /** Refuse an unknown toolset, and name the nearest one. */
  function refuseUnknown(names: readonly string[]): void {
    const all = [...known().known.keys()]
    for (const name of names) {
      if (all.includes(name)) continue
      const tool = registry.get(name)
      const hint = tool
        ? ` That is a tool of the toolset “${tool.toolset}”.`
        : didYouMean(name, all) || ` There are: ${all.join(', ')}.`
      throw new Fault('bad_input', `There is no toolset “${name.slice(0, 100)}”.${hint}`)
    }
  }

  /** The same switches with some set, or removed for null. */
  const switched = (
    before: Readonly<Record<string, boolean>>,
    names: readonly string[],
    on: boolean | null,
  ) => {
    const others = Object.entries(before).filter(([name]) => !names.includes(name))
    return Object.fromEntries([...others, ...(on === null ? [] : names.map(name => [name, on] as const))])
  }

  function switchFolder(folder: string, names: readonly string[], on: boolean | null) {
    const { folders } = config.current.toolsets
    const { [folder]: before = {}, ...others } = folders
    const now = switched(before, names, on)
    const isEmpty = Object.keys(now).length === 0
    config.set('toolsets.folders', isEmpty ? others : { ...others, [folder]: now })
  }

  const switchEverywhere = (names: readonly string[], on: boolean | null) =>
    config.set('toolsets.everything', switched(config.current.toolsets.everything, names, on))

  function switchChat({ id, toolsets }: Session, names: readonly string[], on: boolean | null): void {
    store.sessions.update(id, { toolsets: switched(toolsets, names, on) })
  }

  /** What holds for a tool in a chat; undefined where there is no such chat or tool. */
  function findState(sessionId: string, tool: string) {
    const session = store.sessions.get(sessionId)
    const entry = registry.get(tool)
    if (!session || !entry) return undefined
    const all = known().known
    const levels = levelsOf(session.workspace, session)
    const toolset = all.get(entry.toolset)
    const state = stateOfTool({ name: tool, toolset: entry.toolset }, all, levels, Infinity)
    return { state, toolset, isHere: toolset?.isFor?.(session.workspace) !== false }
  }

  return {
    /** Add a toolset of a feature. Its tools are those in the registry that name it. */
    add: (more: readonly ToolsetEntry[]) => void entries.push(...more),
    /** What is wrong with the settings of toolsets. */
    flaws,
    /** Which tools the turns of chats have. */
    choice: {
      namesFor(session: Pick<Session, 'workspace' | 'toolsets' | 'projectId'>, contextTokens: number) {
        const all = known().known
        const levels = levelsOf(session.workspace, session)
        return registry.names.filter(name => {
          const { toolset, isDeferred } = registry.get(name)!
          const isHere = all.get(toolset)?.isFor?.(session.workspace) !== false
          return isHere && !isDeferred && stateOfTool({ name, toolset }, all, levels, contextTokens).on
        })
      },
      // A toolset for larger windows is the first to be left out of a small one.
      order: () =>
        [...known().known.values()]
          .filter(each => !each.isOwn)
          .toSorted((a, b) => a.fromTokens - b.fromTokens)
          .map(({ name }) => name),
      atOnce() {
        const all = known().known
        return registry.names.filter(name => all.get(registry.get(name)!.toolset)?.byChoice)
      },
      whyOff(sessionId: string, tool: string) {
        const found = findState(sessionId, tool)
        if (!found) return undefined
        if (!found.isHere) return elsewhereText(tool)
        return found.state.on ? undefined : offText(tool, found.state, sessionId)
      },
      unchosen(sessionId: string, tool: string) {
        const found = findState(sessionId, tool)
        const isOpen = found?.isHere && !found.state.on && found.state.at === 'default'
        return isOpen && found.toolset?.byChoice ? found.toolset.name : undefined
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
          // What was said of a folder that is gone can be removed.
          const path = pathNamed(folder)
          if (!existsSync(path) && config.current.toolsets.folders[path]) {
            switchFolder(path, names, null)
            return { toolsets: listAt({}) }
          }
        }
        const place = await placeOf(given)
        // A switch of a toolset that is not there any more can be removed.
        if (on !== null) refuseUnknown(names)
        const { session, project } = place
        if (project) {
          store.projects.update(project.id, { toolsets: switched(project.toolsets, names, on) })
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
        const only = { [ALL_OTHERS]: false, ...Object.fromEntries(names.map(name => [name, true])) }
        store.sessions.update(id, { toolsets: only })
        return { toolsets: listAt(await placeOf({ sessionId })) }
      },
    } satisfies Partial<HostHandlers>,
  }
}
