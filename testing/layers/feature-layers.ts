/** The folders that tools in a feature are built from. */
export const ofTools = [
  'src/main/lib',
  'src/main/tools/registry',
  'src/main/tools/tell',
  'src/main/untrusted',
  'src/shared',
]
/** The folders for features that prepare turns, or judge them afterwards. */
const throughTurns = [
  'node',
  'zod',
  'src/main/agent',
  'type src/main/db',
  'src/main/files',
  'src/main/lib',
  'src/main/memory',
  'src/main/models/formats',
  'src/main/models/interface',
  'src/main/skills',
  'src/main/tools',
  'src/main/untrusted',
  'src/shared',
]

/**
 * Allowed imports of the features of a chat: the agent, its memory, learning, skills and tools, and the turns
 * themselves.
 */
export const featureLayers: Record<string, readonly string[]> = {
  // The loop knows the interfaces of models and tools, never their code or the database; the shape of paths
  // is shared.
  'src/main/agent': [
    'node',
    'src/main/confinement',
    'src/main/files',
    'type src/main/json-schema',
    'src/main/lib',
    'src/main/models/formats',
    'src/main/models/interface',
    'src/main/shell-safety',
    'src/main/tools/registry',
    'src/main/untrusted',
    'src/shared',
  ],
  'src/main/memory': [
    'node',
    'zod',
    'type src/main/agent',
    'type src/main/config',
    'type src/main/db',
    'src/main/files',
    ...ofTools,
  ],
  // Text in, findings out: it reads no files and does not know the library.
  'src/main/skills/check': ['src/main/lib', 'src/shared'],
  'src/main/skills': [
    'fflate',
    'node',
    'node-diff3',
    'yaml',
    'zod',
    'type src/main/config',
    'type src/main/db',
    'src/main/files',
    'src/main/lib',
    'src/main/skills/check',
    'src/main/threads',
    'src/main/tools/registry',
    'src/main/tools/tell',
    'src/shared',
  ],
  // Chats that belong together, and their settings.
  'src/main/projects': [
    'node',
    'type src/main/db',
    'src/main/files',
    'src/main/lib',
    'src/main/memory',
    'src/main/untrusted',
    'src/shared',
  ],
  // The user's standing rules: their file, who may add them, and the test of a command.
  'src/main/permissions': [
    'node',
    'zod',
    'src/main/agent/approvals',
    'src/main/config',
    'src/main/confinement',
    'src/main/files',
    'src/main/lib',
    'src/main/shell-safety',
    'type src/main/tools/registry',
    'src/shared',
  ],
  // MCP servers: starts them, judges what they list, and calls their tools.
  'src/main/mcp': [
    'node',
    '@modelcontextprotocol/client',
    'cross-spawn',
    'stemmer',
    'zod',
    'src/main/commands',
    'src/main/confinement',
    'type src/main/db',
    'src/main/documents/*',
    'src/main/files',
    'src/main/json-schema',
    ...ofTools,
  ],
  // Files that belong to messages: stored once, written for models, and read by a tool.
  'src/main/attachments': [
    'node',
    'zod',
    'type src/main/db',
    'type src/main/documents',
    'src/main/files',
    ...ofTools,
  ],
  // The files that tools of chats changed: keeps their earlier content, and restores it.
  'src/main/changed-files': [
    'node',
    'src/main/confinement',
    'type src/main/db',
    'src/main/files',
    'src/main/lib',
    'src/main/tools',
    'src/shared',
  ],
  // The built-in model: its own prompt and tools as data, their adapter, and the guide that decides and
  // speaks for it.
  'src/main/builtin': [
    'node',
    'zod',
    'src/main/agent',
    'src/main/models/formats',
    'src/main/models/interface',
    'src/main/schedules/*',
    'src/main/schedules/read',
    'src/main/skills',
    ...ofTools,
  ],
  'src/main/runs': [
    'src/main/builtin',
    'type src/main/json-schema',
    'type src/main/models/mixtures',
    ...throughTurns,
  ],
  // Sub-agents: starts ordinary runs, and knows only the messages of chats.
  'src/main/delegation': [
    'node',
    'zod',
    'src/main/agent',
    'type src/main/db',
    'src/main/files',
    'src/main/json-schema',
    'type src/main/runs',
    ...ofTools,
  ],
  // Reviews conversations: takes turns like the agent, and changes memory and skills only through their own
  // checks.
  'src/main/learning': ['type src/main/config', ...throughTurns],
  // The handlers of chats, over the features that answer in them.
  'src/main/chats': [
    'node',
    'type src/main/attachments',
    'type src/main/chats/search',
    'type src/main/config',
    'type src/main/db',
    'src/main/files',
    'src/main/lib',
    'src/main/models/interface',
    'src/main/projects',
    'src/main/runs',
    'src/main/skills',
    'src/shared',
  ],
  // Reads data of other programs. It opens foreign databases; only `db` opens our own.
  'src/main/chats/import': [
    'node',
    'better-sqlite3',
    'yaml',
    'zod',
    'type src/main/config',
    'type src/main/db',
    'src/main/files',
    'src/main/lib',
    'src/main/memory',
    'type src/main/skills',
    'src/main/threads',
    'src/main/untrusted',
    'src/shared',
  ],
  // Removes deleted chats for good, in slices. Removal outside the database is passed in.
  'src/main/chats/titles': ['node', 'type src/main/db', 'src/main/lib', 'src/shared'],
  'src/main/chats/purge': ['node', 'type src/main/db', 'src/main/lib', 'src/shared'],
  // Only its thread opens the database, to read.
  'src/main/chats/search': [
    'node',
    'stemmer',
    'zod',
    'src/main/db/file',
    'type src/main/db',
    'src/main/threads',
    ...ofTools,
  ],
  // The contents of the home folder: sizes, backups, exports. Runs in a thread; only `db` opens our database.
  'src/main/data': [
    'node',
    'katex',
    'yazl',
    'zod',
    'src/main/db/file',
    'type src/main/db',
    'src/main/files',
    'src/main/lib',
    'src/main/threads',
    'src/shared',
  ],
  // Tests models without a host: it builds the same prompts and engines as a chat.
  'src/main/doctor': [
    'node',
    'src/main/agent',
    'src/main/config',
    'src/main/confinement',
    'src/main/db/file',
    'src/main/lib',
    'src/main/memory/outside',
    'src/main/models',
    'src/main/tools',
    'src/shared',
  ],
  // Files of training data: read in any form, cleaned, changed and written. Pure.
  'src/main/trajectories': ['src/main/lib', 'src/main/untrusted', 'src/shared'],
}
