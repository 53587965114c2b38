import type { Setting } from '../../../shared/contract/settings.ts'
import type { Hello } from '../../rpc/host-state.ts'

export const sectionTitles = {
  general: 'General',
  appearance: 'Appearance',
  chat: 'Chat',
  models: 'Models and engine',
  learning: 'Learning and memory',
  permissions: 'Permissions',
  tools: 'Tools',
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
  approvals: 'permissions',
  models: 'models',
  engine: 'models',
  memory: 'learning',
  skills: 'learning',
  learning: 'learning',
  network: 'privacy',
  backup: 'data',
  desktop: 'desktop',
  updates: 'updates',
}
const ownHomes: Readonly<Record<string, Section>> = {
  'terminal.sandbox': 'permissions',
  'ui.theme': 'appearance',
  'ui.send_with': 'chat',
}

/** The section of a setting. Unknown settings of a newer host go to General. */
export const sectionOf = ({ path, section }: Pick<Setting, 'path' | 'section'>): Section =>
  ownHomes[path] ?? homes[section] ?? 'general'

/** Internal settings. Completing the first steps changes them. */
const HIDDEN = new Set(['ui.setup_done'])

/** Expert settings, collapsed unless changed. */
const FOR_EXPERTS = new Set([
  'agent.max_iterations',
  'compaction.trigger',
  'engine.hosting',
  'engine.state_cache_gib',
  'engine.threads',
  'learning.budget_tokens',
  'learning.end_minutes',
  'learning.end_turns',
  'learning.idle_seconds',
  'learning.memory_nudge',
  'learning.skill_nudge',
  'learning.trajectories',
  'memory.notes_limit',
  'memory.user_limit',
  'models.auxiliary',
  'models.fallback',
  'models.fast',
  'models.files',
  'models.options',
  'models.routing',
  'models.servers',
  'skills.folders',
  'skills.trusted_projects',
  'tools.error_limit',
  'tools.result_limit',
])

/** Whether the page shows the setting. */
export const isShown = ({ path }: Pick<Setting, 'path'>) => !HIDDEN.has(path)

export const isForExperts = ({ path }: Pick<Setting, 'path'>) => FOR_EXPERTS.has(path)

/** Whether the setting differs from its default and can be reset here, not on another page. */
export const isResettable = ({ path, changed, kind }: Setting) =>
  changed && kind.type !== 'other' && !HIDDEN.has(path)

/** The settings of a section, grouped as in the settings file. */
export function groupsOf(settings: readonly Setting[], section: Section): [string, Setting[]][] {
  const here = settings.filter(setting => isShown(setting) && sectionOf(setting) === section)
  return Object.entries(Object.groupBy(here, setting => setting.section)).map(([name, group = []]) => [
    name,
    group,
  ])
}
