import { z } from 'zod'
import { Sampling } from '../models/sampling.ts'

/**
 * Which calls run without approval. `chat_only`: no tools. `ask`: everything except reading in the workspace asks.
 * `reads`: safe reading commands do not ask either. `full`: only the hardline floor stops a call.
 * `none`: no user is present, so calls that would ask are denied.
 */
export const ApprovalMode = z.enum(['chat_only', 'ask', 'reads', 'full', 'none'])
export type ApprovalMode = z.infer<typeof ApprovalMode>

/** What a person wants a model to know or to do in every turn; empty for nothing. */
export const Instructions = z
  .string()
  .refine(text => text.length <= 8_000, 'Instructions have at most 8,000 characters.')

/** Where an option can be set. */
export type OptionLevel = 'chat' | 'project' | 'folder' | 'settings'

/** One setting of chats. All that a chat has set is stored in one JSON column, so a new option is an entry in a list. */
export type ChatOption = {
  name: string
  schema: z.ZodType
  /**
   * What counts where it is set nowhere, and what a chat has that has set nothing. An option whose every value can be meant, such as a
   * number that a project may set too, is nullable and has null here; who reads it says what counts then.
   */
  default: unknown
  /** Where it can be set; what is set at the first of these counts first. */
  precedence: readonly OptionLevel[]
  /** Each field of its value counts by itself: one that is not set at a level comes from the next. */
  byField?: true
  /** A chat with another value has another frozen prompt. */
  namesPrompt: boolean
  /** It has a call of its own, so `session.update` does not set it. */
  ownCall?: true
  /** The chat of a sub-agent begins with what its parent has set. */
  inherited?: true
}

/** The options of the product. Each is a field of `Session`, of `session.create` and of `session.update`. */
export const CHAT_OPTIONS = [
  {
    name: 'approval',
    schema: ApprovalMode,
    default: 'ask',
    precedence: ['chat', 'project', 'settings'],
    namesPrompt: false,
  },
  {
    /** The toolsets that were switched on or off for this chat alone; `*` means all that are not named. `toolset.switch` sets them. */
    name: 'toolsets',
    schema: z.record(z.string(), z.boolean()),
    default: {},
    precedence: ['chat', 'project', 'folder', 'settings'],
    namesPrompt: false,
    ownCall: true,
    inherited: true,
  },
  {
    /** The name of the style in which it is answered, one of `session.personalities`; empty for none. */
    name: 'personality',
    schema: z.string().max(64),
    default: '',
    precedence: ['chat'],
    namesPrompt: true,
  },
  {
    /** For this chat alone. What is said for its project stands in the prompt beside them. */
    name: 'instructions',
    schema: Instructions,
    default: '',
    precedence: ['chat'],
    namesPrompt: true,
  },
  {
    /** A change replaces all of it, and counts from the next answer on. */
    name: 'sampling',
    schema: Sampling,
    default: {},
    precedence: ['chat', 'project'],
    byField: true,
    namesPrompt: false,
  },
  {
    /** Whether the decider begins the call that a message wants. Null: for models that called nothing by themselves when they were tried. */
    name: 'decider',
    schema: z.enum(['on', 'off']).nullable(),
    default: null,
    precedence: ['chat'],
    namesPrompt: false,
  },
] as const satisfies readonly ChatOption[]

type Known = (typeof CHAT_OPTIONS)[number]
type Settable = Exclude<Known, { ownCall: true }>

/** The values of the product's options, as a chat has them. */
export type OptionValues = { [O in Known as O['name']]: z.output<O['schema']> }

/** Values of options that parts of the host bring, by name. */
export const OtherOptions = z.record(z.string().min(1).max(64), z.unknown())

/** The fields of a chat that are options. */
export const optionFields = Object.fromEntries(
  CHAT_OPTIONS.map(({ name, schema }) => [name, schema]),
) as unknown as { [O in Known as O['name']]: O['schema'] }

/** The same as they are given when a chat begins or is changed. */
export const givenOptions = Object.fromEntries(
  CHAT_OPTIONS.flatMap(option => ('ownCall' in option ? [] : [[option.name, option.schema.optional()]])),
) as unknown as { [O in Settable as O['name']]: z.ZodOptional<O['schema']> }

type ForProjects = Extract<Known, { precedence: readonly [unknown, 'project', ...unknown[]] }>

/** What a project has of an option: where nothing is set, `{}` for one that consists of parts, null for all others. */
type AtProject<O extends Known> = O['default'] extends object ? O['schema'] : z.ZodNullable<O['schema']>

/** The values of the options that can be set for a project. */
export type ProjectOptionValues = { [O in ForProjects as O['name']]: z.output<AtProject<O>> }

const OF_PROJECTS: readonly ChatOption[] = CHAT_OPTIONS.filter(({ precedence }) =>
  (precedence as readonly OptionLevel[]).includes('project'),
)
const hasParts = (option: ChatOption) => typeof option.default === 'object' && option.default !== null

/** The fields of a project that are options of its chats. */
export const projectOptionFields = Object.fromEntries(
  OF_PROJECTS.map(option => [option.name, hasParts(option) ? option.schema : option.schema.nullable()]),
) as unknown as { [O in ForProjects as O['name']]: AtProject<O> }

/** What a project has for which nothing is set. */
export const unsetForProject = (): ProjectOptionValues =>
  Object.fromEntries(
    OF_PROJECTS.map(option => [option.name, hasParts(option) ? {} : null]),
  ) as ProjectOptionValues

/** What a chat has for which nothing is set. */
export const unsetOptions = (): OptionValues =>
  Object.fromEntries(CHAT_OPTIONS.map(option => [option.name, option.default])) as OptionValues

/** The entry of an option of the product. */
export const optionNamed = <N extends Known['name']>(name: N) =>
  CHAT_OPTIONS.find(option => option.name === name) as Extract<Known, { name: N }>

/** What the chat of a sub-agent takes over from its parent's. */
export const inheritedOptions = (chat: OptionValues): Partial<OptionValues> =>
  Object.fromEntries(
    CHAT_OPTIONS.flatMap(option => ('inherited' in option ? [[option.name, chat[option.name]]] : [])),
  )
