import { z } from 'zod'
import {
  coerceArguments,
  spellingOf,
  type Parameters,
  explainIssues,
  unknownArguments,
} from './tool-arguments.ts'
import { similarity } from '../../lib/words/similarity.ts'
import type { ForeignSchema, Tool } from './tool.ts'
import { byCount } from '../../../shared/text/amounts.ts'

/** A tool as a model sees it. Same form as in the engine’s interface, which this folder does not import. */
export type ToolSpec = { name: string; description: string; parameters: Record<string, unknown> }

/** The tools that exist, by name. */
export type Registry = {
  readonly names: readonly string[]
  /** All tools, or the named ones, as a model sees them. Unavailable tools are left out. */
  specs(names?: readonly string[]): ToolSpec[]
  get(name: string): Tool | undefined
  /** The tool with the name most similar to a misspelt one, if similar enough. */
  repairName(name: string): string | undefined
  /**
   * Validate the arguments of an existing tool, after correcting unambiguous mistakes. A note names the
   * arguments that the tool does not take.
   */
  validate(
    name: string,
    args: Record<string, unknown>,
  ): { ok: true; value: Record<string, unknown>; note?: string } | { ok: false; reason: string }
}

/** The names of some tools and of their toolsets. Skills use these names to say what they need. */
export const offeredBy = (registry: Pick<Registry, 'get'>, names: readonly string[]): string[] => [
  ...new Set(names.flatMap(name => [name, registry.get(name)?.toolset ?? name])),
]

const LEAST_ALIKE = 0.7
const LEAST_ALIKE_WORD = 0.6
const LONGEST_NAME = 80

/**
 * Create the registry. Tool names are unique; features add their tools while the host starts. `hasKey` says
 * whether a key is set, and is asked each time.
 */
export function createRegistry(
  tools: readonly Tool[],
  hasKey: (name: string) => boolean = () => true,
): Registry & {
  add(this: void, more: readonly Tool[]): void
  /** `known`: names of tools that cannot be called now, and that must not be corrected to another tool. */
  setOthers(this: void, others: readonly Tool[], known?: readonly string[]): void
} {
  const names: string[] = []
  let others: readonly string[] = []
  let otherNames: readonly string[] = []
  const entries: Entries = new Map()
  function add(more: readonly Tool[]): void {
    for (const given of more) {
      const tool = { ...given, unavailable: () => given.unavailable?.() ?? whyLocked(given, hasKey) }
      if (entries.has(tool.name)) throw new Error('Two tools have the same name.')
      entries.set(tool.name, entryOf(tool))
      names.push(tool.name)
    }
  }
  /** Replace the tools that come and go while the host runs. */
  function setOthers(more: readonly Tool[], known: readonly string[] = []): void {
    otherNames = known
    for (const name of others) entries.delete(name)
    names.splice(names.length - others.length)
    others = more.map(({ name }) => name)
    add(more)
  }
  add(tools)
  return { ...viewOf(entries, names, () => otherNames), add, setOthers }
}

/** Which key a tool is missing, as text for the user. */
function whyLocked({ keys = [] }: Tool, hasKey: (name: string) => boolean): string | undefined {
  const missing = keys.filter(key => !hasKey(key))
  if (missing.length === 0) return undefined
  const named = byCount(missing.length, 'the key', 'the keys')
  return `It needs ${named} ${missing.join(' and ')}. Enter it in Settings, under Privacy and network, or with: talaria config set ${missing[0]}`
}

type Entries = Map<string, { tool: Tool; readonly parameters: Parameters }>

/** The schema is computed at first use: commands such as `chats list` start a host that offers no tools. */
function entryOf(tool: Tool): { tool: Tool; readonly parameters: Parameters } {
  let parameters: Parameters | undefined
  return {
    tool,
    get parameters() {
      return (parameters ??= tool.schema?.parameters ?? parametersOf(tool.input))
    },
  }
}

function viewOf(entries: Entries, names: readonly string[], reserved: () => readonly string[]): Registry {
  return {
    names,
    specs: (wanted = names) =>
      wanted.flatMap(name => {
        const entry = entries.get(name)
        if (!entry || entry.tool.unavailable?.() !== undefined) return []
        return [{ name, description: entry.tool.says, parameters: structuredClone(entry.parameters) }]
      }),
    get: name => entries.get(name)?.tool,
    repairName: name =>
      repairName(name, [
        ...names.flatMap(each => {
          const { ownName } = entries.get(each)?.tool ?? {}
          return [
            { word: each, name: each },
            ...(ownName === undefined ? [] : [{ word: ownName, name: each }]),
          ]
        }),
        ...reserved().map(word => ({ word, name: undefined })),
      ]),
    validate(name, args) {
      const entry = entries.get(name)
      if (!entry) throw new Error(`There is no tool ${name}.`)
      if (entry.tool.schema) return checkForeign(entry.tool.schema, args)
      const coerced = coerceArguments(args, entry.parameters)
      const checked = entry.tool.input.safeParse(coerced)
      if (checked.success) {
        const note = unknownArguments(coerced, entry.parameters)
        return { ok: true, value: checked.data, ...(note !== undefined && { note }) }
      }
      return { ok: false, reason: explainIssues(checked.error.issues, coerced, entry.parameters) }
    },
  }
}

/** Accept arguments that fit. Let the owner of the schema correct others before the user is asked. */
function checkForeign(
  { problemOf, mend }: ForeignSchema,
  args: Record<string, unknown>,
): ReturnType<Registry['validate']> {
  const value = mend?.(args) ?? args
  const reason = problemOf(value)
  return reason === undefined ? { ok: true, value } : { ok: false, reason }
}

/** Strip a JSON Schema of details that only cost tokens, such as the bounds of integers. */
function parametersOf(input: z.ZodObject): Parameters {
  const { $schema: _schema, ...schema } = z.toJSONSchema(input, { io: 'input' })
  return lighten(schema) as Parameters
}

function lighten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lighten)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, item]) =>
      !(key === 'additionalProperties' && isOpenOrClosed(item)) &&
      !(['minimum', 'maximum'].includes(key) && Math.abs(Number(item)) === Number.MAX_SAFE_INTEGER),
  )
  return Object.fromEntries(kept.map(([key, item]) => [key, lighten(item)]))
}

const isOpenOrClosed = (item: unknown) =>
  typeof item === 'boolean' || (typeof item === 'object' && item !== null && Object.keys(item).length === 0)

/** A name by which a tool is known. `name` is undefined if the tool cannot be called now. */
type Known = { word: string; name: string | undefined }

/**
 * Find the tool with the same name in another spelling, else the most similar one, unless two are equally
 * similar. The exact name of a tool is never corrected.
 */
function repairName(given: string, known: readonly Known[]): string | undefined {
  if (given.length > LONGEST_NAME) return undefined
  const exact = known.filter(({ word }) => word === given)
  if (exact.length > 0) return onlyOne(exact)
  const wanted = plain(given)
  const same = known.filter(({ word }) => wanted !== '' && plain(word) === wanted)
  if (same.length > 0) return onlyOne(same)
  const ranked = known
    .map(({ word, name }) => ({ word, name, score: similarity(plain(word), wanted) }))
    .toSorted((a, b) => b.score - a.score)
  const best = ranked[0]
  const second = ranked.find(({ name }) => name !== best?.name)
  const isClear = best && best.score >= LEAST_ALIKE && best.score !== second?.score
  return isClear && haveSameWords(best.word, given) ? best.name : undefined
}

/** Return the only matching tool. A name used here counts before a name used only by a server. */
function onlyOne(known: readonly Known[]): string | undefined {
  const own = known.filter(({ word, name }) => word === name)
  const names = new Set((own.length > 0 ? own : known).map(({ name }) => name))
  return names.size === 1 ? [...names][0] : undefined
}

/** Whether both names have the same words, apart from typos: `search_notes` is not `search_files`. */
function haveSameWords(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  return a.length !== b.length || a.every((word, at) => similarity(word, b[at]!) >= LEAST_ALIKE_WORD)
}

const wordsOf = (name: string) =>
  name
    .replace(/^.*[.:/]/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)

/** `functions.ReadFileTool_tool` and `read-file` both become `readfile`. */
const plain = (name: string) =>
  spellingOf(name.replace(/^.*[.:/]/, '')).replace(/(?<=...)(tool|function)+$/, '')
