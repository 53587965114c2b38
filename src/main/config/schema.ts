import { z } from 'zod'
import { Settings } from '../../shared/contract/app.ts'
import { LearningMode } from '../../shared/contract/learning.ts'
import { ApprovalMode } from '../../shared/contract/session.ts'

/** Raised when settings change their name or meaning; `migrate.ts` brings older files up to it. */
export const CONFIG_VERSION = 1

// The message of each rule says what is allowed, because it is quoted to the person who wrote the file.
const whole = (min: number, max: number, or = '') => {
  const allowed = `${or}a whole number from ${min} to ${max}`
  return z.int(allowed).min(min, allowed).max(max, allowed)
}
const number = (min: number, max: number) => {
  const allowed = `a number from ${min} to ${max}`
  return z.number(allowed).min(min, allowed).max(max, allowed)
}
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `one of ${values.map(value => `“${value}”`).join(', ')}`)
const text = (max: number) => {
  const allowed = `a text of 1 to ${max} characters`
  return z.string(allowed).min(1, allowed).max(max, allowed)
}
const group = <S extends z.ZodRawShape>(shape: S) => z.object(shape, 'a group of settings')

/** A server that speaks the OpenAI protocol. Its key is kept in `.env`, never here. */
export const ServerConfig = z.object(
  {
    id: text(100),
    name: text(60),
    base_url: z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    model: text(200),
    strategy: oneOf(['text', 'structured']).optional(),
    /** The server's window; asked for or guessed when it is not given. */
    context_tokens: whole(512, 4_000_000).optional(),
  },
  'a server with id, name, base_url and model',
)
export type ServerConfig = z.infer<typeof ServerConfig>

/** Every setting with its default; this is the one place where a default stands. */
export const Config = group({
  config_version: whole(1, 1_000_000).default(CONFIG_VERSION),
  agent: group({
    /** Model calls in one turn. */
    max_iterations: whole(1, 500).default(20),
  }).prefault({}),
  tools: group({
    timeout_s: number(1, 3_600).default(30),
    /** Characters of a result, and of an error, that the model gets to see. */
    result_limit: whole(1_000, 1_000_000).default(50_000),
    error_limit: whole(200, 100_000).default(2_048),
  }).prefault({}),
  approvals: group({
    default: oneOf(ApprovalMode.options).default('ask'),
    /** How long a question waits before it counts as denied. */
    wait_minutes: number(0.1, 1_440).default(10),
  }).prefault({}),
  engine: group({
    context_tokens: whole(512, 1_048_576).default(8_192),
    threads: z.union([z.literal('auto'), whole(1, 256, '“auto” or ')]).default('auto'),
    hosting: oneOf(['process', 'inline']).default('process'),
    gpu: z.boolean('true or false').default(false),
    /** Disk space for evaluated prompts, which let a chat begin at once after a restart; 0 keeps none. */
    state_cache_gib: number(0, 1_024).default(2),
    /** 0 keeps a model loaded. */
    idle_unload_minutes: number(0, 10_080).default(15),
  }).prefault({}),
  memory: group({
    /** Characters that each file of the notebook may hold. */
    user_limit: whole(200, 100_000).default(1_375),
    notes_limit: whole(200, 100_000).default(2_200),
    /** Whether chats begin with what is remembered, and whether the agent may save by itself. */
    use_in_chats: z.boolean('true or false').default(true),
    learn_from_chats: z.boolean('true or false').default(true),
  }).prefault({}),
  skills: group({
    /** Whether chats know the skills, and whether the agent may write some by itself. */
    use_in_chats: z.boolean('true or false').default(true),
    learn_from_chats: z.boolean('true or false').default(true),
    /** More folders that hold skills. */
    folders: z.array(text(4_096), 'a list of paths').default([]),
    /** Folders of chats whose own skills may be used. */
    trusted_projects: z.array(text(4_096), 'a list of paths').default([]),
  }).prefault({}),
  learning: group({
    mode: oneOf(LearningMode.options).default('ask'),
    /** User turns without memory activity, and steps without skill activity, after which a review is due; 0 is never. */
    memory_nudge: whole(0, 1_000).default(10),
    skill_nudge: whole(0, 1_000).default(10),
    /** User turns that a chat must have before its end is worth a review; 0 is never. */
    end_turns: whole(0, 1_000).default(6),
    /** Minutes without a message after which a chat counts as ended. */
    end_minutes: number(1, 10_080).default(15),
    /** Quiet seconds before a review begins. */
    idle_seconds: whole(0, 3_600).default(20),
    only_on_mains: z.boolean('true or false').default(false),
    /** Tokens that one review may read anew and write. */
    budget_tokens: whole(500, 1_000_000).default(50_000),
    /** Whether finished chats are written to trajectories/ as training data. */
    trajectories: z.boolean('true or false').default(false),
  }).prefault({}),
  compaction: group({
    /** Share of the context window from which on older messages are replaced by a summary; 1 never does. */
    trigger: number(0.1, 1).default(0.5),
  }).prefault({}),
  models: group({
    default: text(4_096).default('builtin'),
    /** GGUF files that are used where they lie. */
    files: z.array(text(4_096), 'a list of paths').default([]),
    servers: z.array(ServerConfig, 'a list of servers').default([]),
  }).prefault({}),
  ui: group({
    theme: oneOf(Settings.shape.theme.options).default('system'),
    send_with: oneOf(Settings.shape.sendWith.options).default('enter'),
  }).prefault({}),
})
export type Config = z.output<typeof Config>

type Section = Exclude<keyof Config, 'config_version'>
/** The name of one setting, such as `ui.theme`. */
export type ConfigPath = { [S in Section]: `${S}.${keyof Config[S] & string}` }[Section]
/** What the setting of that name holds. */
export type ConfigValue<P extends ConfigPath> = P extends `${infer S extends Section}.${infer K}`
  ? K extends keyof Config[S]
    ? Config[S][K]
    : never
  : never
