/** The watched tables and the columns that name their rows. `except`: columns whose changes do not count. */
export const WATCHED_TABLES = {
  // Reading a chat changes nothing for other windows, and a draft changes with each key.
  sessions: { id: 'id', except: ['seen_at', 'seen_id', 'draft'] },
  projects: { id: 'id' },
  memory_entries: { id: 'id' },
  memory_revisions: { id: 'entry_id' },
  memory_projects: { id: 'id' },
  memory_files: { id: 'path' },
  memory_outside: { id: 'id' },
  memory_forgetting: { id: 'id' },
  skill_states: { id: 'key' },
  skill_revisions: { id: 'key' },
  skill_uses: { id: 'key' },
  skill_bundles: { id: 'name' },
  reviews: { id: 'id' },
  proposals: { id: 'id' },
  learning_rules: { id: 'id' },
  foreign_sessions: { id: 'id' },
  network: { id: 'id' },
  purges: { id: 'session_id' },
  purge_state: { id: 'id' },
  mcp_servers: { id: 'name' },
  mcp_tools: { id: 'server' },
  mcp_removed: { id: 'name' },
  schedules: { id: 'id' },
  schedule_runs: { id: 'schedule_id' },
  attachments: { id: 'session_id' },
  gateway_platforms: { id: 'name', except: ['read_offset'] },
  gateway_contacts: { id: 'id' },
  gateway_accounts: { id: 'contact_id' },
  gateway_groups: { id: 'chat_id' },
  gateway_places: { id: 'contact_id' },
  gateway_inbox: { id: 'id' },
  gateway_outbox: { id: 'id' },
  gateway_questions: { id: 'id' },
  connected_agents: { id: 'id' },
  agent_requests: { id: 'agent_id' },
} as const

export type WatchedTable = keyof typeof WATCHED_TABLES

/**
 * Tables that are not watched, with the reason. Tables of word indexes are left out.
 * @internal A test compares both lists with the database.
 */
export const UNWATCHED_TABLES = {
  prompts: 'made by a turn, which tells of itself',
  runs: 'a run tells of itself',
  run_events: 'a run tells of itself, many times a second',
  messages: 'a run tells of itself',
  passages: 'what searches read',
  memory_pending: 'a change that is being made',
  skill_pending: 'a change that is being made',
  compactions: 'a run tells of itself',
  usage: 'read when it is looked at',
  mcp_found: 'read by the next turn of a chat',
  file_changes: 'a run tells of itself',
  schedule_facts: 'what the scheduler knows of itself',
  delegations: 'a sub-agent tells of itself',
  ended_marks: 'read by the next turn of a chat',
  output_marks: 'read by the next turn of a chat',
  gateway_spending: 'read when a contact writes',
  foreign_events: 'told with their session',
} as const
