import type { Setting } from '../../../shared/contract/settings.ts'
import { settingsText } from './strings.ts'

export type Section = keyof typeof settingsText.sections

/** All sections, in their order. */
export const sections = Object.keys(settingsText.sections) as Section[]

/** The section that an address names; the first one when there is none of that name. */
export const readSection = (name: string | null): Section =>
  sections.find(section => section === name) ?? sections[0]!

const homes: Readonly<Record<string, Section>> = {
  agent: 'chat',
  compaction: 'chat',
  tools: 'tools',
  approvals: 'permissions',
  models: 'models',
  engine: 'models',
  memory: 'learning',
  skills: 'learning',
  learning: 'learning',
  network: 'privacy',
}
const ownHomes: Readonly<Record<string, Section>> = {
  'ui.theme': 'appearance',
  'ui.send_with': 'chat',
}

/** Where a setting is shown; one that a newer host has added is found under General. */
export const sectionOf = ({ path, section }: Pick<Setting, 'path' | 'section'>): Section =>
  ownHomes[path] ?? homes[section] ?? 'general'

/** What is no setting for people: it is changed by going through the first steps. */
const HIDDEN = new Set(['ui.setup_done'])

/** What an ordinary person need not think about; it is folded away unless it was changed. */
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

/** Whether a person sees it on the page at all. */
export const isShown = ({ path }: Pick<Setting, 'path'>) => !HIDDEN.has(path)

export const isForExperts = ({ path }: Pick<Setting, 'path'>) => FOR_EXPERTS.has(path)

/** Whether it differs from its default and can be put back; what has a page of its own is changed there. */
export const isResettable = ({ path, changed, kind }: Setting) =>
  changed && kind.type !== 'other' && !HIDDEN.has(path)

/** The settings of a section, in groups as the file has them. */
export function groupsOf(settings: readonly Setting[], section: Section): [string, Setting[]][] {
  const here = settings.filter(setting => isShown(setting) && sectionOf(setting) === section)
  return Object.entries(Object.groupBy(here, setting => setting.section)).map(([name, group = []]) => [
    name,
    group,
  ])
}
