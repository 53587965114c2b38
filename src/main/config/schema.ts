import { z } from 'zod'
import { ApiSettings, NetworkSettings, GatewaySettings, WebSettings } from './sections/network-settings.ts'
import { AgentSettings, BatchSettings } from './sections/agent-settings.ts'
import { LearningMode } from '../../shared/contract/learned/learning.ts'
import { ApprovalMode } from '../../shared/contract/chats/session.ts'
import { DesktopConfig } from './sections/desktop-settings.ts'
import {
  auxiliaryOf,
  AuxiliaryConfig,
  McpConfig,
  MixtureConfig,
  ModelOptionsConfig,
  OwnToolsets,
  ServerConfig,
  ToolsetSwitches,
} from './sections/model-settings.ts'
import { SkillSettings } from './sections/skill-settings.ts'
import { WindowSettings } from './sections/window-settings.ts'
import {
  flag,
  group,
  groupFor,
  withText,
  number,
  oneOf,
  text,
  wholeNumber,
} from './sections/setting-rules.ts'

/** Increased when settings change their name or meaning; `parse.ts` migrates older files. */
export const CONFIG_VERSION = 4

/**
 * Increased when settings are added; these have it as their `since`. `config migrate` asks for settings newer
 * than the `settings_version` of a file. A file without one has all settings of its `config_version`.
 */
export const SETTINGS_VERSION = 4

/** Default context window of a local model, in tokens. */
export const CONTEXT_TOKENS = 8_192

/** Every setting with its default and text. Settings are defined only here. */
export const Config = group({
  config_version: wholeNumber(1, 1_000_000).default(CONFIG_VERSION),
  settings_version: wholeNumber(1, 1_000_000).default(SETTINGS_VERSION),
  agent: AgentSettings,
  tools: groupFor(['every tool'], {
    timeout_s: withText(
      number(1, 3_600).default(30),
      'Time for a command',
      'Seconds after which a command is stopped.',
      { restart: true, usedBy: ['terminal'] },
    ),
    result_limit: withText(
      wholeNumber(1_000, 1_000_000).default(50_000),
      'Length of a result',
      'Maximum characters of a tool result that the model sees.',
      { restart: true },
    ),
    error_limit: withText(
      wholeNumber(200, 100_000).default(2_048),
      'Length of an error',
      'Maximum characters of a tool error that the model sees. A command that fails has the length of a result.',
      { restart: true },
    ),
  }).prefault({}),
  toolsets: groupFor(['every tool'], {
    everything: withText(
      ToolsetSwitches.default({}),
      'Toolsets',
      'Toolsets that are on or off in every chat, unless its folder or the chat itself says otherwise.',
    ),
    folders: withText(
      z.record(text(4_096), ToolsetSwitches, 'toolsets by the path of a folder').default({}),
      'Toolsets of folders',
      'Toolsets that are on or off for chats in a folder and below.',
    ),
    own: withText(
      OwnToolsets.default({}),
      'Your own toolsets',
      'Toolsets of your own, each with includes and tools.',
    ),
  }).prefault({}),
  terminal: groupFor(['terminal'], {
    sandbox: withText(
      oneOf(['auto', 'on', 'off']).default('auto'),
      'Confine commands',
      'Commands see and write only what they need. Automatic (auto): where this computer can confine them. Always (on): no command runs where it cannot. Never (off): nothing is confined.',
      { since: 4 },
    ),
  }).prefault({}),
  approvals: groupFor(['every chat'], {
    default: withText(
      oneOf(ApprovalMode.options).default('ask'),
      'New chats may',
      'What the agent may do in a new chat without asking.',
    ),
    wait_minutes: withText(
      number(0.1, 1_440).default(10),
      'Approval timeout',
      'Minutes until an unanswered approval counts as denied.',
    ),
    second_look: withText(
      flag.default(false),
      'Second look by a model',
      'The model for summaries checks each command that would run without asking, and may make it ask. It never allows anything.',
      { since: 4 },
    ),
  }).prefault({}),
  chats: groupFor(['deleted chats', 'titles of chats'], {
    titles_by: withText(
      z.enum(['off', 'local', 'all']).default('local'),
      'Titles by models',
      'The title of a chat is the first line of its first message, until its model writes a better one when nothing else is running. Choose never, only models on this computer, or servers too, which then get the start of the chat again.',
      { since: 4 },
    ),
    keep_deleted_days: withText(
      wholeNumber(1, 3_650).default(30),
      'Keep deleted chats for',
      'Days in which a deleted chat can be restored. After that it is deleted for good.',
      { since: 4 },
    ),
  }).prefault({}),
  engine: groupFor(['models on this computer'], {
    context_tokens: withText(
      wholeNumber(512, 1_048_576).default(CONTEXT_TOKENS),
      'Context of local models',
      'Tokens of a chat that a local model holds, unless the model has its own setting. More tokens take more memory.',
    ),
    threads: withText(
      z.union([z.literal('auto'), wholeNumber(1, 256, '“auto” or ')]).default('auto'),
      'Threads',
      'Threads of the engine. “auto” uses one per fast core, and fewer while other programs need the cores.',
    ),
    hosting: withText(
      oneOf(['process', 'inline']).default('process'),
      'Where the engine runs',
      'In a separate process, so that a crash does not close the window, or inside the host.',
      { restart: true },
    ),
    gpu: withText(
      oneOf(['auto', 'off', 'cuda', 'vulkan', 'metal']).default('auto'),
      'Graphics card',
      '“auto” uses a graphics card if the engine finds one. Otherwise, or if it fails, the processor is used.',
    ),
    state_cache_gib: withText(
      number(0, 1_024).default(2),
      'Space for evaluated prompts',
      'GB on disk, of 1.07 billion bytes each, that let chats start at once after a restart. 0 turns it off.',
    ),
    idle_unload_minutes: withText(
      number(0, 10_080).default(15),
      'Unload when idle',
      'Minutes without a question until a model frees its memory. 0 keeps it loaded.',
    ),
  }).prefault({}),
  memory: groupFor(['memory'], {
    user_limit: withText(
      wholeNumber(200, 100_000).default(1_375),
      'Size of “About you”',
      'Maximum characters to remember about you.',
    ),
    notes_limit: withText(
      wholeNumber(200, 100_000).default(2_200),
      'Size of notes',
      'Maximum characters to remember as notes.',
    ),
    use_in_chats: withText(
      flag.default(true),
      'Use memory in chats',
      'New chats start with what Talaria remembers.',
    ),
    learn_from_chats: withText(
      flag.default(true),
      'Let the agent save to memory',
      'The agent may save what it learns in a chat. Each change shows a chip with Undo.',
    ),
  }).prefault({}),
  skills: SkillSettings,
  learning: groupFor(['reviews'], {
    mode: withText(
      oneOf(LearningMode.options).default('ask'),
      'How to learn',
      'Ask before saving, save without asking, or never review chats.',
    ),
    memory_nudge: withText(
      wholeNumber(0, 1_000).default(10),
      'Review for facts after',
      'Look for something to remember after this many of your messages without a change of memory. 0 turns it off.',
    ),
    skill_nudge: withText(
      wholeNumber(0, 1_000).default(10),
      'Review for procedures after',
      'Look for a reusable procedure after this many steps without a change of skills. 0 turns it off.',
    ),
    turn_calls: withText(
      wholeNumber(0, 1_000).default(5),
      'Review an answer from',
      'Look for a reusable procedure after an answer with at least this many tool calls. 0 turns it off.',
      { since: 4 },
    ),
    end_turns: withText(
      wholeNumber(0, 1_000).default(6),
      'Review ended chats from',
      'Review a chat at its end if it has at least this many of your messages. 0 turns it off.',
    ),
    end_minutes: withText(
      number(1, 10_080).default(15),
      'A chat ends after',
      'Minutes without a message after which a chat counts as ended.',
    ),
    idle_seconds: withText(
      wholeNumber(0, 3_600).default(20),
      'Wait until idle for',
      'Seconds without a question before a review starts.',
    ),
    only_on_mains: withText(
      flag.default(false),
      'Only on mains power',
      'Review chats only while the computer is plugged in. Outside the desktop app, only Linux can tell. Elsewhere reviews do not wait.',
    ),
    budget_tokens: withText(
      wholeNumber(500, 1_000_000).default(50_000),
      'Budget of a review',
      'Maximum tokens that one review may evaluate and write.',
    ),
    review_steps: withText(
      wholeNumber(1, 100).default(8),
      'Steps in a review',
      'How many times the model may call tools in one review.',
      { since: 4 },
    ),
    foreign_reviews_a_day: withText(
      wholeNumber(0, 1_000).default(20),
      'Reviews of other programs',
      'Maximum reviews within a day of sessions in other programs, such as Claude Code. The newest sessions come first, the others wait. 0 reviews none.',
      { since: 4 },
    ),
    trajectories: withText(
      flag.default(false),
      'Keep chats as training data',
      'Each turn appends its chat to the folder trajectories. Keys and passwords are redacted.',
    ),
  }).prefault({}),
  compaction: groupFor(['long chats'], {
    trigger: withText(
      number(0.1, 1).default(0.5),
      'Summarise a long chat at',
      'Share of the context window at which a summary replaces older messages. 1 never does.',
    ),
    first_messages: withText(
      wholeNumber(0, 100).default(3),
      'Keep the first messages',
      'Maximum number of messages of the first question and its answer that no summary replaces.',
      { since: 4 },
    ),
    last_tokens: withText(
      wholeNumber(1_000, 1_000_000).default(20_000),
      'Keep the newest messages',
      'Tokens at the end of a long chat that no summary replaces. They never take more than 40 % of the context window.',
      { since: 4 },
    ),
    summary_share: withText(
      number(0.05, 0.5).default(0.2),
      'Length of a summary',
      'Share of the replaced messages that a summary may take. It has at least 160 tokens and at most 2,000.',
      { since: 4 },
    ),
  }).prefault({}),
  models: groupFor(['every chat'], {
    default: withText(
      text(4_096).default('builtin'),
      'Model of new chats',
      'The id of the model, set on the Models page.',
      { where: 'talaria models list' },
    ),
    files: withText(
      z.array(text(4_096), 'a list of paths').default([]),
      'Linked model files',
      'GGUF files that are used in place.',
      { usedBy: ['models on this computer'], where: 'talaria models scan' },
    ),
    servers: withText(
      z.array(ServerConfig, 'a list of servers').default([]),
      'Servers',
      'Models on servers. Add one with: talaria setup --server ADDRESS. Their keys are stored elsewhere.',
      { masked: true, usedBy: ['models on servers'] },
    ),
    mixtures: withText(
      z
        .array(MixtureConfig, 'a list of mixtures')
        .max(50, 'at most 50 mixtures')
        .refine(all => new Set(all.map(({ id }) => id)).size === all.length, 'mixtures with ids of their own')
        .default([]),
      'Mixtures of models',
      'Models that ask others for advice before one of them answers: each with id, name, references (1 to 6 ids of models), aggregator (the id of the one that answers) and wait_s (seconds for a reference). Every message goes to all of them.',
      { since: 4, where: 'talaria models mixture --help' },
    ),
    options: withText(
      z.record(text(4_096), ModelOptionsConfig, 'settings by the id of a model').default({}),
      'Settings of single models',
      'Settings of one model, set on the Models page.',
    ),
    fallback: withText(
      z.array(text(4_096), 'a list of models').default([]),
      'If a server does not answer',
      'Ids of the models to use if a server is down, overloaded or refuses the key. The first one that can read the whole chat answers.',
      { usedBy: ['models on servers'], where: 'talaria models list' },
    ),
    routing: withText(
      oneOf(['off', 'auto']).default('off'),
      'Quick model for short messages',
      'With “auto”, short and simple messages go to the quick model, the next setting.',
    ),
    fast: withText(
      z.string('the id of a model').max(4_096, 'at most 4096 characters').default(''),
      'Quick model',
      'The id of the model for short and simple messages; empty for none.',
      { where: 'talaria models list' },
    ),
    auxiliary: withText(
      z
        .union(
          [text(4_096).transform(auxiliaryOf), AuxiliaryConfig],
          'the id of a model, or one each for summary, draft, recap, vision and transcription',
        )
        .default(auxiliaryOf('chat')),
      'Models for summaries, reviews, pictures and voice notes',
      'Which model summarises long chats and looks at commands, which drafts what a review proposes, and which sums up past chats. “chat” is the model of the chat. “auto” is a server named by LITELLM_BASE_URL, ANTHROPIC_API_KEY or OPENAI_API_KEY, if there is one. Or enter the id of a model. The one for vision describes pictures for models that do not see, and you are asked before the first picture goes to a server elsewhere. The one for transcription writes down voice notes of messengers: a server of your list with OpenAI’s protocol, which gets each of them.',
      {
        usedBy: ['summaries', 'reviews', 'session_search', 'pictures', 'voice notes'],
        where: 'talaria models list',
      },
    ),
  }).prefault({}),
  backup: groupFor(['daily backups'], {
    daily: withText(
      flag.default(true),
      'A backup every day',
      'Once a day Talaria puts a backup of chats, memory, skills and settings into its folder backups. The last seven backups are kept.',
      { since: 4 },
    ),
  }).prefault({}),
  mcp: McpConfig.prefault({}),
  network: NetworkSettings.prefault({}),
  web: WebSettings.prefault({}),
  gateway: GatewaySettings.prefault({}),
  api: ApiSettings.prefault({}),
  batch: BatchSettings.prefault({}),
  desktop: DesktopConfig.prefault({}),
  updates: groupFor(['the desktop app'], {
    check_at_start: withText(
      flag.default(false),
      'Check for updates at every start',
      'Checks the update source for a newer version. Nothing is downloaded or installed until you say so.',
      { since: 4 },
    ),
  }).prefault({}),
  ui: WindowSettings,
})
export type Config = z.output<typeof Config>

type Section = Exclude<keyof Config, 'config_version' | 'settings_version'>
/** The name of one setting, such as `ui.theme`. */
export type ConfigPath = { [S in Section]: `${S}.${keyof Config[S] & string}` }[Section]
/** The type of the setting of that name. */
export type ConfigValue<P extends ConfigPath> = P extends `${infer S extends Section}.${infer K}`
  ? K extends keyof Config[S]
    ? Config[S][K]
    : never
  : never
