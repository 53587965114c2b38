import { nearNames } from '../../lib/words/similarity.ts'

/** A toolset that comes with Talaria or that a feature adds. Each of its tools names the toolset. */
export type ToolsetEntry = {
  name: string
  title: string
  /** Says what its tools do, in one short sentence for the user. */
  says: string
  /** The smallest context window, in tokens, for which new chats get the toolset by default. */
  fromTokens: number
  /** Other toolsets whose tools are included. */
  includes?: readonly string[]
  /** Whether chats that work in this folder may have the toolset; absent if all may. */
  isFor?(folder: string): boolean
  /**
   * Off until the user switches it on. A switch takes effect from the next message on, even in a chat that
   * already has its prompt, because the user asked for it.
   */
  byChoice?: true
}

/** A toolset from config.yaml. It names tools of other toolsets and includes whole ones. */
export type OwnToolset = { says: string; includes: readonly string[]; tools: readonly string[] }

/** Toolsets that were switched on or off, by name. `*` means all that are not named. */
export type Switches = Readonly<Record<string, boolean>>

/** The level of a switch: everything, a folder with its content, a project, or one chat. */
export type SwitchLevel = {
  level: 'everything' | 'folder' | 'project' | 'chat'
  folder?: string
  switches: Switches
}

/** A toolset with all of its tools, including those of included toolsets. */
export type KnownToolset = Required<Omit<ToolsetEntry, 'isFor' | 'byChoice'>> &
  Pick<ToolsetEntry, 'isFor' | 'byChoice'> & { isOwn: boolean; tools: readonly string[] }

/** Whether a tool is on, and what decided it. `by` is the toolset that was switched. */
export type ToolState = { on: boolean; at: SwitchLevel | 'default'; by: string }

/** The toolset for questions to other models. Its entry and its tool use this name. */
export const MIXTURE_TOOLSET = 'mixture'

/** Stands for every toolset that is not named in the same list. */
export const ALL_OTHERS = '*'

/** A mistake in a setting of toolsets. `setting` is the name of the setting without its path. */
export type ToolsetFlaw = { setting: string; text: string }

/** Resolve all toolsets, and report mistakes in config.yaml's. `tools`: all tools with their toolset. */
export function knowToolsets(
  entries: readonly ToolsetEntry[],
  own: Readonly<Record<string, OwnToolset>>,
  tools: readonly { name: string; toolset: string }[],
): { known: ReadonlyMap<string, KnownToolset>; problems: ToolsetFlaw[] } {
  const declared = new Set(entries.map(each => each.name))
  const bare = [...new Set(tools.map(each => each.toolset))]
    .filter(name => !declared.has(name))
    .map((name): ToolsetEntry => ({ name, title: name, says: '', fromTokens: 0 }))
  const given = new Map([...entries, ...bare].map(entry => [entry.name, entry]))
  const problems: ToolsetFlaw[] = []
  const flaw = (name: string, text: string) => problems.push({ setting: `toolsets.own.${name}`, text })
  const mine = Object.entries(own).filter(([name]) => {
    if (given.has(name)) flaw(name, `“${name}” is a toolset of Talaria. Give yours another name.`)
    return !given.has(name)
  })
  const parts = new Map<string, { includes: readonly string[]; tools: readonly string[] }>()
  for (const { name, includes = [] } of given.values())
    parts.set(name, {
      includes,
      tools: tools.filter(each => each.toolset === name).map(each => each.name),
    })
  const named = [...given.keys(), ...mine.map(([name]) => name)]
  const toolNames = tools.map(each => each.name)
  for (const [name, { includes, tools: single }] of mine) {
    for (const each of includes.filter(other => !named.includes(other)))
      flaw(name, `The toolset “${name}” includes “${each}”, which does not exist.${didYouMean(each, named)}`)
    for (const each of single.filter(other => !toolNames.includes(other)))
      flaw(
        name,
        `The toolset “${name}” has the tool “${each}”, which does not exist.${didYouMean(each, toolNames)}`,
      )
    parts.set(name, { includes, tools: single.filter(each => toolNames.includes(each)) })
  }
  const toolsOf = (name: string, seen: ReadonlySet<string> = new Set()): string[] => {
    const part = parts.get(name)
    if (!part || seen.has(name)) return []
    const inner = new Set([...seen, name])
    return [...part.tools, ...part.includes.flatMap(each => toolsOf(each, inner))]
  }
  const known = new Map<string, KnownToolset>()
  const add = (entry: ToolsetEntry, isOwn: boolean) => {
    const all = new Set(toolsOf(entry.name))
    const { includes = [] } = entry
    known.set(entry.name, { ...entry, includes, isOwn, tools: toolNames.filter(each => all.has(each)) })
  }
  for (const entry of given.values()) add(entry, false)
  for (const [name, { says, includes }] of mine) {
    add({ name, title: name, says, fromTokens: 0, includes }, true)
    if (known.get(name)!.tools.length === 0) flaw(name, `The toolset “${name}” has no tools.`)
  }
  return { known, problems }
}

/** The switches in the settings whose toolset does not exist. */
export function unknownSwitches(
  known: ReadonlyMap<string, KnownToolset>,
  { everything, folders }: { everything: Switches; folders: Readonly<Record<string, Switches>> },
): ToolsetFlaw[] {
  const names = [...known.keys()]
  const flaws = (setting: string, switches: Switches) =>
    Object.keys(switches)
      .filter(name => name !== ALL_OTHERS && !known.has(name))
      .map(name => ({
        setting,
        text: `${setting} names “${name}”, which is no toolset.${didYouMean(name, names)}`,
      }))
  return [
    ...flaws('toolsets.everything', everything),
    ...Object.values(folders).flatMap(switches => flaws('toolsets.folders', switches)),
  ]
}

/** A hint such as ` Did you mean “files”?`; empty if no name is similar. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const [near] = nearNames(wanted, names, 1)
  return near === undefined ? '' : ` Did you mean “${near}”?`
}

/**
 * Decide whether a tool is on. The most specific level with a switch for it wins. At one level the smallest
 * switched toolset wins; of equal ones, the one that is off. Without a switch, the model's context window
 * decides.
 */
export function stateOfTool(
  { name, toolset }: { name: string; toolset: string },
  known: ReadonlyMap<string, KnownToolset>,
  levels: readonly SwitchLevel[],
  contextTokens: number,
): ToolState {
  const sizeOf = (each: string) =>
    each === ALL_OTHERS ? Number.MAX_SAFE_INTEGER : (known.get(each)?.tools.length ?? 0)
  for (const at of levels) {
    const [first] = Object.entries(at.switches)
      .filter(([each]) => each === ALL_OTHERS || known.get(each)?.tools.includes(name))
      .toSorted(([a, isOn], [b, isOther]) => sizeOf(a) - sizeOf(b) || Number(isOn) - Number(isOther))
    if (first) return { on: first[1], at, by: first[0] === ALL_OTHERS ? toolset : first[0] }
  }
  const { fromTokens = 0, byChoice = false } = known.get(toolset) ?? {}
  return { on: !byChoice && fromTokens <= contextTokens, at: 'default', by: toolset }
}

/** The text for a model that calls a tool which only chats in another folder have. */
export const elsewhereText = (tool: string): string =>
  `${tool} is only for chats in another folder. Go on without it.`

/** The place where a switch is set, as the end of a sentence. */
const whereOf = ({ level, folder }: SwitchLevel): string =>
  level === 'chat'
    ? 'for this chat'
    : level === 'project'
      ? 'for the project of this chat'
      : level === 'folder'
        ? `for the folder ${folder}`
        : 'for every chat'

/** The text for a model that calls a tool which is off. It says how the user can switch the tool on. */
export const offText = (tool: string, { at, by }: ToolState, sessionId: string): string =>
  `${tool} is switched off${at === 'default' ? '' : ` ${whereOf(at)}`}, with the toolset “${by}”. Go on without it. If the task needs it, tell the user, who can switch it on under “Tools” below the message field or with: talaria tools enable ${by} --chat ${sessionId}`
