import { z } from 'zod'
import { Sampling } from '../models/sampling.ts'

/**
 * Which calls run without approval. `chat_only`: no tools. `ask`: everything except reading in the workspace
 * asks. `reads`: safe reading commands do not ask either. `full`: only the hardline floor stops a call.
 * `none`: no user is present, so calls that would ask are denied.
 */
export const ApprovalMode = z.enum(['chat_only', 'ask', 'reads', 'full', 'none'])
export type ApprovalMode = z.infer<typeof ApprovalMode>

/** The user's text about what a model should know or do in every turn; empty for none. */
export const Instructions = z
  .string()
  .refine(text => text.length <= 8_000, 'Instructions have at most 8,000 characters.')

/** Where an option can be set. */
export type OptionLevel = 'chat' | 'project' | 'folder' | 'settings'

/**
 * One option of chats. The values of a chat are stored in one JSON column, so a new option is only an entry
 * in a list.
 */
export type ChatOption = {
  name: string
  schema: z.ZodType
  /**
   * The value if the option is set nowhere, and the value of a chat that has not set it. If every value of an
   * option can be meant, such as a number that a project may also set, the option is nullable and has null
   * here; its reader chooses the default.
   */
  default: unknown
  /** The levels where the option can be set; earlier levels take precedence. */
  precedence: readonly OptionLevel[]
  /**
   * Resolve each field of the value separately: a field that is not set at a level comes from the next level.
   */
  byField?: true
  /** A chat with another value needs another frozen prompt. */
  namesPrompt: boolean
  /** The option has its own call, so `session.update` does not set it. */
  ownCall?: true
  /** The chat of a sub-agent starts with the value of its parent. */
  inherited?: true
}

/** The built-in options. Each is a field of `Session`, of `session.create` and of `session.update`. */
export const CHAT_OPTIONS = [
  {
    name: 'approval',
    schema: ApprovalMode,
    default: 'ask',
    precedence: ['chat', 'project', 'settings'],
    namesPrompt: false,
  },
  {
    /**
     * The toolsets switched on or off for this chat only; `*` means all that are not named. Set by
     * `toolset.switch`.
     */
    name: 'toolsets',
    schema: z.record(z.string(), z.boolean()),
    default: {},
    precedence: ['chat', 'project', 'folder', 'settings'],
    namesPrompt: false,
    ownCall: true,
    inherited: true,
  },
  {
    /** The name of the answering style, one of `session.personalities`; empty for none. */
    name: 'personality',
    schema: z.string().max(64),
    default: '',
    precedence: ['chat'],
    namesPrompt: true,
  },
  {
    /** For this chat only. The prompt also has the instructions of its project. */
    name: 'instructions',
    schema: Instructions,
    default: '',
    precedence: ['chat'],
    namesPrompt: true,
  },
  {
    /** A change replaces the whole value, and applies from the next answer. */
    name: 'sampling',
    schema: Sampling,
    default: {},
    precedence: ['chat', 'project'],
    byField: true,
    namesPrompt: false,
  },
  {
    /**
     * Whether the decider starts the call that a message asks for. Null: only for models that made no calls
     * by themselves when tested.
     */
    name: 'decider',
    schema: z.enum(['on', 'off']).nullable(),
    default: null,
    precedence: ['chat'],
    namesPrompt: false,
  },
] as const satisfies readonly ChatOption[]

type Known = (typeof CHAT_OPTIONS)[number]
type Settable = Exclude<Known, { ownCall: true }>

/** The values of the built-in options of a chat. */
export type OptionValues = { [O in Known as O['name']]: z.output<O['schema']> }

/** Values of options that parts of the host add, by name. */
export const OtherOptions = z.record(z.string().min(1).max(64), z.unknown())

/** The fields of a chat that are options. */
export const optionFields = Object.fromEntries(
  CHAT_OPTIONS.map(({ name, schema }) => [name, schema]),
) as unknown as { [O in Known as O['name']]: O['schema'] }

/** The same fields as input of `session.create` and `session.update`, all optional. */
export const givenOptions = Object.fromEntries(
  CHAT_OPTIONS.flatMap(option => ('ownCall' in option ? [] : [[option.name, option.schema.optional()]])),
) as unknown as { [O in Settable as O['name']]: z.ZodOptional<O['schema']> }

type ForProjects = Extract<Known, { precedence: readonly [unknown, 'project', ...unknown[]] }>

/** The type of an option in a project. An unset option is `{}` if it consists of parts, else null. */
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

/** The option values of a project for which nothing is set. */
export const unsetForProject = (): ProjectOptionValues =>
  Object.fromEntries(
    OF_PROJECTS.map(option => [option.name, hasParts(option) ? {} : null]),
  ) as ProjectOptionValues

/** The option values of a chat for which nothing is set. */
export const unsetOptions = (): OptionValues =>
  Object.fromEntries(CHAT_OPTIONS.map(option => [option.name, option.default])) as OptionValues

/** The entry of a built-in option. */
export const optionNamed = <N extends Known['name']>(name: N) =>
  CHAT_OPTIONS.find(option => option.name === name) as Extract<Known, { name: N }>

/** The options that the chat of a sub-agent inherits from its parent's chat. */
export const inheritedOptions = (chat: OptionValues): Partial<OptionValues> =>
  Object.fromEntries(
    CHAT_OPTIONS.flatMap(option => ('inherited' in option ? [[option.name, chat[option.name]]] : [])),
  )
