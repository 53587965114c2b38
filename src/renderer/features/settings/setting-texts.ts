import type { Model } from '../../../shared/contract/model.ts'
import type { Setting } from '../../../shared/contract/settings.ts'
import { formatCount, countOf } from '../../ui/format.ts'
import { keyText } from '../../ui/keys.ts'
import type { HostState, Hello } from '../../rpc/host-state.ts'

/** Option labels of choice settings, by path. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ui.theme': { system: 'Match the system', light: 'Light', dark: 'Dark' },
  'ui.code_theme': {
    window: 'Like the window',
    light: 'Always light',
    dark: 'Always dark',
    contrast: 'Strong contrast',
  },
  'ui.send_with': { enter: 'Enter', mod_enter: 'mod+enter' },
  'approvals.default': {
    chat_only: 'Chat only',
    ask: 'Ask',
    reads: 'Auto for safe reads',
    full: 'Full access',
    none: 'Deny',
  },
  'learning.mode': { ask: 'Ask me first', save: 'Save and tell me', off: 'Off' },
  'engine.hosting': { process: 'In its own process', inline: 'Inside the host' },
  'engine.gpu': {
    auto: 'Automatic',
    off: 'Do not use it',
    cuda: 'CUDA',
    vulkan: 'Vulkan',
    metal: 'Metal',
  },
  'models.routing': { off: 'Off', auto: 'Automatic' },
  'desktop.spell_check': { auto: 'Automatic', on: 'On', off: 'Off' },
  'ui.expert': { off: 'Simple', on: 'Expert' },
}

/** The label of an option. */
export function optionWords(path: string, option: string): string {
  const words = CHOICES[path]?.[option] ?? option
  return words.startsWith('mod+') ? keyText(words) : words
}

/** A setting value as text for the user. */
export function valueWords({ path, kind }: Setting, value: unknown, models: readonly Model[]): string {
  if (isModel(path) && typeof value === 'string') return modelWords(value, models)
  if (path === 'models.auxiliary')
    return [...new Set(AUXILIARY_WORK.map(([work]) => auxiliaryId(value, work)))]
      .map(id => modelWords(id, models))
      .join(', ')
  if (path === 'ui.expert') return optionWords(path, value === true ? 'on' : 'off')
  if (kind.type === 'switch') return value === true ? 'On' : 'Off'
  if (kind.type === 'choice') return optionWords(path, String(value))
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : countOf(value.length, 'entry', 'entries')
  if (typeof value === 'number') return formatCount(value)
  if (value === 'auto') return 'Automatic'
  if (typeof value === 'string') return value === '' ? 'nothing' : value
  const count = Object.keys(value ?? {}).length
  return count === 0 ? 'nothing' : countOf(count, 'entry', 'entries')
}

/** Whether a setting names a model. */
const isModel = (path: string) => path === 'models.default' || path === 'models.fast'

/** The kinds of work beside the chats that have a model of their own, with their words. */
export const AUXILIARY_WORK = [
  ['summary', 'Summaries of long chats, second look'],
  ['draft', 'Reviews'],
  ['recap', 'Recaps of past chats'],
  ['vision', 'Descriptions of pictures'],
  ['transcription', 'Words of voice notes'],
] as const

/** The id of the model for one kind of work, in the value of `models.auxiliary`. */
export const auxiliaryId = (value: unknown, work: string): string =>
  (value as Record<string, string> | null)?.[work] ?? 'chat'

/** The name of a model, or the label of a special value. */
export function modelWords(id: string, models: readonly Model[]): string {
  if (id === '') return 'None'
  if (id === 'chat') return 'The model of the chat'
  if (id === 'auto') return 'A server set in the environment'
  return models.find(model => model.id === id)?.name ?? `${id} (gone)`
}

/**
 * Diagnostics for a bug report, as lines of text. Reports are often public, so chats, paths, models and
 * servers are omitted. Changed numbers, switches and choices appear with their value, other changed settings
 * only by name.
 */
export function diagnosticsOf(
  { hello, engine, locked }: Pick<HostState, 'hello' | 'engine' | 'locked'>,
  settings: readonly Setting[],
  browser: string,
): string {
  const changed = settings
    .filter(setting => setting.changed)
    .map(({ path, kind, value }) =>
      kind.type === 'text' || kind.type === 'list' || kind.type === 'other'
        ? `  ${path}`
        : `  ${path}: ${String(value)}`,
    )
  return [
    `Talaria ${hello?.version ?? '?'}, ${hello?.hosting ?? '?'}, ${hello?.platform ?? '?'}`,
    `Window: ${browser}`,
    `Engine: ${engine.phase}, ${engine.hosting}, context ${engine.contextTokens ?? 'unknown'}`,
    `Offline lock: ${locked ? 'on' : 'off'}`,
    changed.length === 0 ? 'Changed settings: none' : 'Changed settings:',
    ...changed,
    '',
  ].join('\n')
}

export const sectionTitles = {
  general: 'General',
  appearance: 'Appearance',
  chat: 'Chat',
  models: 'Models and engine',
  learning: 'Learning and memory',
  permissions: 'Permissions',
  tools: 'Tools',
  api: 'API for other programs',
  privacy: 'Privacy and network',
  usage: 'Usage',
  data: 'Data',
  desktop: 'Desktop',
  shortcuts: 'Shortcuts',
  updates: 'Updates',
  about: 'About and diagnostics',
} as const

export type Section = keyof typeof sectionTitles

/** All sections in display order. */
export const sections = Object.keys(sectionTitles) as Section[]

/** The sections of a window: what belongs to the desktop app has no meaning in a browser. */
export const sectionsOn = (hosting: Hello['hosting'] | undefined): readonly Section[] =>
  hosting === 'desktop' ? sections : sections.filter(section => section !== 'desktop')

/** The section named in a URL, or the first section if the name is unknown. */
export const readSection = (name: string | null, shown: readonly Section[] = sections): Section =>
  shown.find(section => section === name) ?? sections[0]!

const homes: Readonly<Record<string, Section>> = {
  agent: 'chat',
  compaction: 'chat',
  chats: 'data',
  tools: 'tools',
  terminal: 'tools',
  toolsets: 'tools',
  approvals: 'permissions',
  models: 'models',
  engine: 'models',
  memory: 'learning',
  skills: 'learning',
  learning: 'learning',
  network: 'privacy',
  web: 'tools',
  gateway: 'privacy',
  api: 'api',
  backup: 'data',
  desktop: 'desktop',
  updates: 'updates',
}
const ownHomes: Readonly<Record<string, Section>> = {
  'terminal.sandbox': 'permissions',
  'ui.theme': 'appearance',
  'ui.code_theme': 'appearance',
  'ui.send_with': 'chat',
}

/** The section of a setting. Unknown settings of a newer host go to General. */
export const sectionOf = ({ path, section }: Pick<Setting, 'path' | 'section'>): Section =>
  ownHomes[path] ?? homes[section] ?? 'general'

/** Settings without a row of their own: the first steps and the list of toolsets change them. */
const HIDDEN = new Set(['ui.setup_done', 'toolsets.everything', 'toolsets.folders', 'toolsets.own'])

/** Expert settings, collapsed unless changed. */
const FOR_EXPERTS = new Set([
  'agent.max_iterations',
  'compaction.first_messages',
  'compaction.last_tokens',
  'compaction.summary_share',
  'compaction.trigger',
  'engine.hosting',
  'engine.state_cache_gib',
  'engine.threads',
  'gateway.telegram_address',
  'learning.budget_tokens',
  'learning.end_minutes',
  'learning.end_turns',
  'learning.idle_seconds',
  'learning.memory_nudge',
  'learning.review_steps',
  'learning.skill_nudge',
  'learning.trajectories',
  'learning.turn_calls',
  'memory.notes_limit',
  'memory.user_limit',
  'models.auxiliary',
  'models.fallback',
  'models.fast',
  'models.files',
  'models.options',
  'models.routing',
  'models.servers',
  'skills.allowed_links',
  'skills.folders',
  'skills.trusted_projects',
  'skills.trusted_publishers',
  'tools.error_limit',
  'tools.result_limit',
])

/** Whether the page shows the setting. */
export const isShown = ({ path }: Pick<Setting, 'path'>) => !HIDDEN.has(path)

export const isForExperts = ({ path }: Pick<Setting, 'path'>) => FOR_EXPERTS.has(path)

/** Whether the setting differs from its default and can be reset here, not on another page. */
export const isResettable = ({ path, changed, kind }: Setting) =>
  changed && kind.type !== 'other' && !HIDDEN.has(path)

/** Settings with a card of their own above the rows. */
const ON_CARDS = new Set(['network.offline'])

/** The settings of a section, grouped as in the settings file. */
export function groupsOf(settings: readonly Setting[], section: Section): [string, Setting[]][] {
  const here = settings.filter(
    setting => isShown(setting) && !ON_CARDS.has(setting.path) && sectionOf(setting) === section,
  )
  return Object.entries(Object.groupBy(here, setting => setting.section)).map(([name, group = []]) => [
    name,
    group,
  ])
}
