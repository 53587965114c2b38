import type { Area } from '../../shared/contract/areas.ts'
import type { WatchedTable } from '../db/watched-tables.ts'

/** The area that windows use for each watched table. Chats are announced one by one, so they have none. */
const AREAS: Readonly<Record<WatchedTable, Area | null>> = {
  sessions: null,
  projects: 'project',
  memory_entries: 'memory',
  memory_revisions: 'memory',
  memory_projects: 'memory',
  memory_files: 'memory',
  memory_outside: 'memory',
  memory_forgetting: 'memory',
  skill_states: 'skills',
  skill_revisions: 'skills',
  skill_uses: 'skills',
  skill_bundles: 'skills',
  reviews: 'learning',
  proposals: 'learning',
  learning_rules: 'learning',
  foreign_sessions: 'learning',
  network: 'network',
  purges: 'deleted',
  purge_state: 'deleted',
  mcp_servers: 'mcp',
  mcp_tools: 'mcp',
  mcp_removed: 'mcp',
  schedules: 'schedule',
  schedule_runs: 'schedule',
  attachments: 'attachment',
  gateway_platforms: 'gateway',
  gateway_contacts: 'gateway',
  gateway_accounts: 'gateway',
  gateway_groups: 'gateway',
  gateway_places: 'gateway',
  gateway_inbox: 'gateway',
  gateway_outbox: 'gateway',
  gateway_questions: 'gateway',
  connected_agents: 'agents',
  agent_requests: 'agents',
}

/** Return the area of a table, if any. */
export const areaOf = (table: string): Area[] => {
  const area = AREAS[table as WatchedTable]
  return area === null ? [] : [area]
}
