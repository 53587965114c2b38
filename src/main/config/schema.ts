import { z } from 'zod'
import { Settings } from '../../shared/contract/app.ts'
import { LearningMode } from '../../shared/contract/learning.ts'
import { ApprovalMode } from '../../shared/contract/session.ts'

/** Raised when settings change their name or meaning; `migrate.ts` brings older files up to it. */
export const CONFIG_VERSION = 3

/** Default context window of a local model, in tokens. */
export const CONTEXT_TOKENS = 8_192

// The message of each rule says what is allowed, because the user reads it.
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

/** The text of a setting for the user. `restart`: a change takes effect at the next start. */
export type SettingText = { title: string; help: string; restart?: boolean }

/** Texts by the schema of their setting. Not the registry of zod, because that is global to the process. */
const texts = new WeakMap<z.ZodType, SettingText>()
const named = <S extends z.ZodType>(schema: S, title: string, help: string, restart = false): S => {
  texts.set(schema, { title, help, restart })
  return schema
}
/** The text of a setting, given its schema. */
export const textOf = (schema: z.ZodType): SettingText | undefined => texts.get(schema)

const flag = z.boolean('true or false')
const price = number(0, 100_000).optional()

/** A server that speaks the protocol of OpenAI or of Anthropic. Its key is kept in `.env`, never here. */
const ServerConfig = z.object(
  {
    id: text(100),
    name: text(60),
    /** The protocol; OpenAI's by default. */
    protocol: oneOf(['openai', 'anthropic']).optional(),
    base_url: z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    model: text(200),
    strategy: oneOf(['text', 'structured']).optional(),
    /** The context window of the server; queried or guessed when it is not set. */
    context_tokens: whole(512, 4_000_000).optional(),
    /** How long Anthropic caches a prompt. */
    cache_ttl: oneOf(['5m', '1h']).optional(),
    /** Budget in tokens for the thinking of Anthropic’s models. */
    thinking_tokens: whole(1_024, 128_000).optional(),
    /** Prices in dollars per million tokens, for the usage page; costs are unknown without them. */
    price_input: price,
    price_cached: price,
    price_output: price,
  },
  'a server with id, name, base_url and model',
)
type ServerConfig = z.infer<typeof ServerConfig>

/** The settings of one model, under its id in `models.options`. Absent ones follow the general settings. */
const ModelOptionsConfig = group({
  context_tokens: whole(512, 1_048_576).optional(),
  gpu_layers: whole(0, 1_000).optional(),
  threads: whole(1, 256).optional(),
  batch_tokens: whole(32, 4_096).optional(),
  temperature: number(0, 5).optional(),
  top_k: whole(1, 1_000).optional(),
  top_p: number(0, 1).optional(),
  min_p: number(0, 1).optional(),
  strategy: oneOf(['text', 'structured']).optional(),
  format: text(60).optional(),
})
type ModelOptionsConfig = z.infer<typeof ModelOptionsConfig>

/** Every setting with its default and its text. This is the only place that defines them. */
export const Config = group({
  config_version: whole(1, 1_000_000).default(CONFIG_VERSION),
  agent: group({
    max_iterations: named(
      whole(1, 500).default(20),
      'Steps in one answer',
      'How often the model may call tools and go on before it must answer.',
    ),
  }).prefault({}),
  tools: group({
    timeout_s: named(
      number(1, 3_600).default(30),
      'Time for a command',
      'Seconds after which a command is stopped.',
      true,
    ),
    result_limit: named(
      whole(1_000, 1_000_000).default(50_000),
      'Length of a result',
      'Characters of a tool’s result that the model gets to see.',
      true,
    ),
    error_limit: named(
      whole(200, 100_000).default(2_048),
      'Length of an error',
      'Characters of a tool’s error that the model gets to see.',
      true,
    ),
  }).prefault({}),
  terminal: group({
    sandbox: named(
      oneOf(['auto', 'on', 'off']).default('auto'),
      'Confine commands',
      'Commands see and write only what they need. “auto” confines where this system can, “on” runs no command where it cannot, “off” never confines.',
    ),
  }).prefault({}),
  approvals: group({
    default: named(
      oneOf(ApprovalMode.options).default('ask'),
      'New chats may',
      'What the agent may do in a new chat without a question.',
    ),
    wait_minutes: named(
      number(0.1, 1_440).default(10),
      'How long a question waits',
      'Minutes after which a question that nobody answered counts as denied.',
    ),
  }).prefault({}),
  engine: group({
    context_tokens: named(
      whole(512, 1_048_576).default(CONTEXT_TOKENS),
      'Context of local models',
      'Tokens of a chat that a local model holds, where the model has no setting of its own. More takes more memory.',
    ),
    threads: named(
      z.union([z.literal('auto'), whole(1, 256, '“auto” or ')]).default('auto'),
      'Threads',
      'Threads of the engine. “auto” takes one for each fast core, and fewer while other programs need the cores.',
    ),
    hosting: named(
      oneOf(['process', 'inline']).default('process'),
      'Where the engine runs',
      'In a process of its own, which cannot take the window down with it, or inside the host.',
      true,
    ),
    gpu: named(
      oneOf(['auto', 'off', 'cuda', 'vulkan', 'metal']).default('auto'),
      'Graphics card',
      '“auto” uses one when the engine finds it, and the processor otherwise or when it fails.',
    ),
    state_cache_gib: named(
      number(0, 1_024).default(2),
      'Space for evaluated prompts',
      'GiB on disk that let a chat begin at once after a restart; 0 keeps none.',
    ),
    idle_unload_minutes: named(
      number(0, 10_080).default(15),
      'Unload when idle',
      'Minutes without a question after which a model gives its memory back; 0 keeps it loaded.',
    ),
  }).prefault({}),
  memory: group({
    user_limit: named(
      whole(200, 100_000).default(1_375),
      'Room for “About you”',
      'Characters that may be remembered about you.',
    ),
    notes_limit: named(
      whole(200, 100_000).default(2_200),
      'Room for notes',
      'Characters that may be remembered as notes.',
    ),
    use_in_chats: named(
      flag.default(true),
      'Use memory in chats',
      'New chats begin with what is remembered.',
    ),
    learn_from_chats: named(
      flag.default(true),
      'Let the agent save to memory',
      'The agent may save what it learns in a chat, with a chip that takes it back.',
    ),
  }).prefault({}),
  skills: group({
    use_in_chats: named(flag.default(true), 'Use skills in chats', 'New chats know the skills that are on.'),
    learn_from_chats: named(
      flag.default(true),
      'Let the agent write skills',
      'The agent may create and improve skills; it asks before it creates or deletes one.',
    ),
    folders: named(
      z.array(text(4_096), 'a list of paths').default([]),
      'More folders with skills',
      'Folders whose skills are read beside your own.',
    ),
    trusted_projects: named(
      z.array(text(4_096), 'a list of paths').default([]),
      'Trusted project folders',
      'Folders of chats whose own skills may be used.',
    ),
  }).prefault({}),
  learning: group({
    mode: named(
      oneOf(LearningMode.options).default('ask'),
      'How to learn',
      'Ask first, save and tell, or never look back at a chat.',
    ),
    memory_nudge: named(
      whole(0, 1_000).default(10),
      'Look back for facts after',
      'Your messages without a change of memory after which a chat is looked back at; 0 is never.',
    ),
    skill_nudge: named(
      whole(0, 1_000).default(10),
      'Look back for procedures after',
      'Steps without a change of skills after which a chat is looked back at; 0 is never.',
    ),
    end_turns: named(
      whole(0, 1_000).default(6),
      'Look back at ended chats of',
      'Your messages that a chat must have before its end is looked back at; 0 is never.',
    ),
    end_minutes: named(
      number(1, 10_080).default(15),
      'A chat has ended after',
      'Minutes without a message after which a chat counts as ended.',
    ),
    idle_seconds: named(
      whole(0, 3_600).default(20),
      'Wait until it is quiet for',
      'Seconds without any question before a look back begins.',
    ),
    only_on_mains: named(
      flag.default(false),
      'Only on mains power',
      'Look back only while the computer is plugged in.',
    ),
    budget_tokens: named(
      whole(500, 1_000_000).default(50_000),
      'Budget of a look back',
      'Tokens that one look back may read anew and write.',
    ),
    trajectories: named(
      flag.default(false),
      'Keep chats as training data',
      'Each turn appends its chat to the folder trajectories, with keys and passwords blackened.',
    ),
  }).prefault({}),
  compaction: group({
    trigger: named(
      number(0.1, 1).default(0.5),
      'Summarise a long chat at',
      'Share of the window from which on older messages are replaced by a summary; 1 never does.',
    ),
  }).prefault({}),
  models: group({
    default: named(
      text(4_096).default('builtin'),
      'Model of new chats',
      'The id of the model, as the Models page sets it.',
    ),
    files: named(
      z.array(text(4_096), 'a list of paths').default([]),
      'Linked model files',
      'GGUF files that are used where they lie.',
    ),
    servers: named(
      z.array(ServerConfig, 'a list of servers').default([]),
      'Servers',
      'Models on servers; their keys are kept elsewhere.',
    ),
    options: named(
      z.record(text(4_096), ModelOptionsConfig, 'settings by the id of a model').default({}),
      'Settings of single models',
      'What is set for one model, as the Models page writes it.',
    ),
    fallback: named(
      z.array(text(4_096), 'a list of models').default([]),
      'When a server does not answer',
      'Ids of models that are asked instead, in this order, when a server is down, refuses the key or is overloaded.',
    ),
    routing: named(
      oneOf(['off', 'auto']).default('off'),
      'Quick model for short messages',
      'With “auto”, short and simple messages go to the quick model of the next setting.',
    ),
    fast: named(
      z.string('the id of a model').max(4_096, 'at most 4096 characters').default(''),
      'Quick model',
      'The id of the model for short and simple messages; empty for none.',
    ),
    auxiliary: named(
      text(4_096).default('chat'),
      'Model for summaries and looks back',
      '“chat” takes the model of the chat, “auto” a server named by LITELLM_BASE_URL, ANTHROPIC_API_KEY or OPENAI_API_KEY if there is one; or the id of a model.',
    ),
  }).prefault({}),
  network: group({
    offline: named(
      flag.default(false),
      'Offline lock',
      'Lets nothing leave this computer. Models here, and servers on this computer, go on working.',
    ),
  }).prefault({}),
  ui: group({
    theme: named(
      oneOf(Settings.shape.theme.options).default('system'),
      'Colours',
      'Light, dark, or as the system says.',
    ),
    send_with: named(
      oneOf(Settings.shape.sendWith.options).default('enter'),
      'Send with',
      'The key that sends a message; the other one begins a new line.',
    ),
    expert: named(flag.default(false), 'Show details for experts', 'Engine numbers, raw prompts and JSON.'),
    setup_done: named(flag.default(false), 'First run is over', 'False shows the first steps again.'),
  }).prefault({}),
})
export type Config = z.output<typeof Config>

type Section = Exclude<keyof Config, 'config_version'>
/** The name of one setting, such as `ui.theme`. */
export type ConfigPath = { [S in Section]: `${S}.${keyof Config[S] & string}` }[Section]
/** The type of the setting of that name. */
export type ConfigValue<P extends ConfigPath> = P extends `${infer S extends Section}.${infer K}`
  ? K extends keyof Config[S]
    ? Config[S][K]
    : never
  : never
