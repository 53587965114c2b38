import type { Setting } from '../contract/settings.ts'

/** Option labels of choice settings, by path. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ui.theme': { system: 'System', light: 'Light', dark: 'Dark' },
  'ui.code_theme': {
    window: 'Like the window',
    light: 'Always light',
    dark: 'Always dark',
    contrast: 'Strong contrast',
  },
  'ui.text_size': { small: 'Small', normal: 'Normal', large: 'Large', larger: 'Larger' },
  'ui.send_with': { enter: 'Enter', mod_enter: 'mod+enter' },
  'approvals.default': {
    chat_only: 'Chat only',
    ask: 'Ask',
    reads: 'Auto for safe reads',
    full: 'Full access',
    none: 'Deny',
  },
  'terminal.sandbox': { auto: 'Automatic', on: 'Always', off: 'Never' },
  'chats.titles_by': { off: 'Never', local: 'Models on this computer', all: 'Servers too' },
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

/** The label of an option. A label that is a shortcut is written for `useKeys` to format. */
export const choiceWords = (path: string, option: string): string => CHOICES[path]?.[option] ?? option

/** The sections of the Settings page, in display order. */
export const sectionTitles = {
  general: 'General',
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

const homes: Readonly<Record<string, Section>> = {
  agent: 'chat',
  batch: 'tools',
  mcp: 'tools',
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
  'ui.send_with': 'chat',
  'chats.titles_by': 'chat',
}

/** The section of a setting. Unknown settings of a newer host go to General. */
export const sectionOf = ({ path, section }: Pick<Setting, 'path' | 'section'>): Section =>
  ownHomes[path] ?? homes[section] ?? 'general'

/** Settings without their own row: the list of shortcuts, the setup and the list of toolsets change them. */
const HIDDEN = new Set([
  'ui.keys',
  'ui.setup_done',
  'toolsets.everything',
  'toolsets.folders',
  'toolsets.own',
])

/** Expert settings, collapsed unless changed. */
const FOR_EXPERTS = new Set([
  'agent.max_iterations',
  'agent.sub_agent_steps',
  'agent.sub_agent_tokens',
  'api.origins',
  'api.port',
  'batch.distributions',
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
  'learning.foreign_reviews_a_day',
  'learning.idle_seconds',
  'learning.memory_nudge',
  'learning.review_steps',
  'learning.skill_nudge',
  'learning.trajectories',
  'learning.turn_calls',
  'mcp.projects',
  'mcp.servers',
  'memory.notes_limit',
  'memory.user_limit',
  'models.auxiliary',
  'models.fallback',
  'models.fast',
  'models.files',
  'models.mixtures',
  'models.options',
  'models.routing',
  'models.servers',
  'network.allow_fake_dns',
  'network.hub_mirror',
  'network.hub_token_file',
  'skills.allowed_links',
  'skills.folders',
  'skills.trusted_projects',
  'skills.trusted_publishers',
  'tools.error_limit',
  'tools.result_limit',
  'web.private_hosts',
  'web.sources_first',
])

/** Whether the page shows the setting. */
export const isShown = ({ path }: Pick<Setting, 'path'>) => !HIDDEN.has(path)

export const isForExperts = ({ path }: Pick<Setting, 'path'>) => FOR_EXPERTS.has(path)
