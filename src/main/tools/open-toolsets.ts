import { optionNamed } from '../../shared/contract/chats/chat-options.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import type { Toolset } from '../../shared/contract/settings.ts'
import { orderValues } from '../../shared/resolve-option.ts'
import { Fault } from '../../shared/rpc.ts'
import { isInside } from '../files/paths/resolve-path.ts'
import type { Registry } from './registry/registry.ts'
import {
  ALL_OTHERS,
  didYouMean,
  elsewhereText,
  knowToolsets,
  offText,
  stateOfTool,
  unknownSwitches,
  type KnownToolset,
  type OwnToolset,
  type SwitchLevel,
  type Switches,
  type ToolsetEntry,
  type ToolsetFlaw,
} from './registry/toolsets.ts'

/** The toolsets in config.yaml: the user's own ones, and the switches for everything and for folders. */
type ToolsetSettings = {
  own: Readonly<Record<string, OwnToolset>>
  everything: Switches
  folders: Readonly<Record<string, Switches>>
}

/** The fields of a chat that decide which tools it has. */
type ChatSwitches = Pick<Session, 'workspace' | 'toolsets' | 'projectId'>
type ProjectSwitches = { toolsets: Switches }

/** The scope for which toolsets are listed: everything, a folder, a project or a chat. */
export type ToolsetPlace = {
  folder?: string
  project?: ProjectSwitches | undefined
  session?: ChatSwitches
}

type Parts = {
  settings(): ToolsetSettings
  /** The chat with this id; undefined if it does not exist. */
  chatOf(id: string): ChatSwitches | undefined
  /** The project that a chat belongs to. */
  projectOf(session: Pick<Session, 'projectId'>): ProjectSwitches | undefined
  registry: Registry
  entries: readonly ToolsetEntry[]
  /** Toolsets that come and go while the host runs. */
  more(): readonly ToolsetEntry[]
}

/** Create the service that knows all toolsets and decides which tools each chat gets. */
export function openToolsets({ settings, chatOf, projectOf, registry, entries: shipped, more }: Parts) {
  const entries = [...shipped]
  const known = () =>
    knowToolsets(
      [...entries, ...more()],
      settings().own,
      registry.names.map(name => ({ name, toolset: registry.get(name)!.toolset })),
    )

  /** The switches that apply in a place, the most specific first. */
  function levelsOf({
    folder,
    session,
    project = session && projectOf(session),
  }: ToolsetPlace): SwitchLevel[] {
    const { everything, folders } = settings()
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

  const levelsIn = (session: ChatSwitches) => levelsOf({ folder: session.workspace, session })

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
    // The state is explained by the most specific switch of the tools.
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

  /** The state of a tool in a chat; undefined if there is no such chat or tool. */
  function findState(sessionId: string, tool: string) {
    const session = chatOf(sessionId)
    const entry = registry.get(tool)
    if (!session || !entry) return undefined
    const all = known().known
    const toolset = all.get(entry.toolset)
    const state = stateOfTool({ name: tool, toolset: entry.toolset }, all, levelsIn(session), Infinity)
    return { state, toolset, isHere: toolset?.isFor?.(session.workspace) !== false }
  }

  return {
    /** Add toolsets of a feature. Their tools are those in the registry that name them. */
    add: (more: readonly ToolsetEntry[]) => void entries.push(...more),
    /** The mistakes in the settings of toolsets. */
    flaws(): ToolsetFlaw[] {
      const { known: all, problems } = known()
      return [...problems, ...unknownSwitches(all, settings())]
    },
    /** The toolsets in a place, in the form that users are shown. */
    listAt(place: ToolsetPlace): Toolset[] {
      const { folder } = place
      const levels = levelsOf(place)
      const all = known().known
      return [...all.values()]
        .filter(({ isFor }) => folder === undefined || isFor?.(folder) !== false)
        .map(each => shownToolset(each, all, levels))
    },
    /** Throw a Fault for an unknown toolset, naming the most similar one. */
    refuseUnknown(names: readonly string[]): void {
      const all = [...known().known.keys()]
      for (const name of names) {
        if (all.includes(name)) continue
        const tool = registry.get(name)
        const hint = tool
          ? ` That is a tool of the toolset “${tool.toolset}”.`
          : didYouMean(name, all) || ` There are: ${all.join(', ')}.`
        throw new Fault('bad_input', `There is no toolset “${name.slice(0, 100)}”.${hint}`)
      }
    },
    /** Decides which tools the turns of chats have. */
    choice: {
      namesFor(session: ChatSwitches, contextTokens: number) {
        const all = known().known
        const levels = levelsIn(session)
        return registry.names.filter(name => {
          const { toolset, isDeferred } = registry.get(name)!
          const isHere = all.get(toolset)?.isFor?.(session.workspace) !== false
          return isHere && !isDeferred && stateOfTool({ name, toolset }, all, levels, contextTokens).on
        })
      },
      // In a small window, toolsets made for larger windows are left out first.
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
    },
  }
}

/** Return a copy of the switches with some of them set, or removed if `on` is null. */
export function changeSwitches(before: Switches, names: readonly string[], on: boolean | null) {
  const others = Object.entries(before).filter(([name]) => !names.includes(name))
  return Object.fromEntries([...others, ...(on === null ? [] : names.map(name => [name, on] as const))])
}

/** The switches for a chat that has only these toolsets. */
export const onlyThese = (names: readonly string[]): Record<string, boolean> => ({
  [ALL_OTHERS]: false,
  ...Object.fromEntries(names.map(name => [name, true])),
})
