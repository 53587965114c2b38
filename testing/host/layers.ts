import { batchLayers } from './batch-layers.ts'
import { gatewayLayers } from './gateway-layers.ts'
import { webLayers } from './web-layers.ts'
import { windowLayers } from './window-layers.ts'

const everyFolder =
  `agent api app attachments batch builtin changed-files chats confinement config data db delegation doctor documents feed gateway learning lib mcp memory models net other-agents
  permissions pictures processes projects rpc runs schedules skills threads tools trajectories updates web`
    .split(/\s+/)
    .map(name => `src/main/${name}`)
const seams = ['type src/main/agent', 'type src/main/db', 'type src/main/runs']
const ofEngines = [
  'node',
  'zod',
  'src/main/models/formats',
  'src/main/lib',
  'src/main/models/*',
  'src/shared',
]
const withTools = ['node', 'src/main/lib', 'src/main/tools', 'type src/main/db', 'src/shared']
/** What turns are prepared from. */
const throughTurns = [
  'node',
  'zod',
  'src/main/agent',
  'src/main/models/formats',
  'src/main/lib',
  'src/main/models/engine.ts',
  'src/main/models/estimate-tokens.ts',
  'src/main/memory',
  'src/main/skills',
  'type src/main/db',
  'src/main/tools',
  'src/shared',
]

/**
 * What each folder may import besides itself. The longest entry that contains a file applies; a folder without an entry
 * fails the test. `node` is all of Node except its web servers; `folder/*` is the files directly in a folder; anything else
 * is a file, a folder with everything in it, or a package. `type …` allows an `import type` of it, which leaves no trace in
 * the running program.
 */
export const layers: Record<string, readonly string[]> = {
  'src/shared': ['zod'],
  // What people are shown of texts that others wrote: pure.
  'src/shared/visible-text': [],
  'src/preload': ['electron', 'src/shared'],

  'src/main/lib': ['@scure/bip39', 'iconv-lite', 'node', 'pino', 'type src/shared/contract/messages.ts'],
  'src/main/lib/columns-of.ts': ['node', 'get-east-asian-width'],
  // Makes of any picture one that models may get, in a process of its own.
  'src/main/pictures': [
    'node',
    '@napi-rs/image',
    'type src/main/agent',
    'type src/main/app/host-types.ts',
    'type src/main/tools',
    'type src/shared',
    'src/main/lib',
    'src/main/models/engine.ts',
  ],
  // Tells windows what changed.
  'src/main/feed': ['type src/main/db', 'src/main/lib', 'src/shared'],
  // Long work in threads: how it is started, stopped and followed.
  'src/main/threads': ['node', 'src/main/lib', 'src/shared/rpc.ts'],
  // Runs commands with less than the user's rights. It knows no chat, no setting and no window.
  'src/main/confinement': ['node', 'src/main/lib', 'src/main/tools/paths/credential-paths.ts', 'src/shared'],
  // Starts what runs on after a call, and ends it. It knows no chat, only its id.
  'src/main/processes': [
    'node',
    'src/main/confinement',
    'src/main/lib',
    'src/main/tools/terminal/command-output.ts',
    'src/main/tools/terminal/process-group.ts',
    'src/main/tools/terminal/run-command.ts',
    'src/main/tools/terminal/screen.ts',
    'src/shared',
  ],
  'src/main/models/formats/reader': [],
  // How tools are presented to models and how models write calls; `reader` parses the calls.
  'src/main/models/formats': ['node', 'src/main/models/formats/reader'],
  'src/main/config': ['node', 'yaml', 'zod', 'src/main/app/host-types.ts', 'src/main/lib', 'src/shared'],
  'src/main/db': ['node', 'better-sqlite3', 'zod', 'src/main/lib', 'src/shared'],
  // What is in the home folder: sizes, backups, exports. Its work runs in a thread; only `db` opens our database.
  'src/main/data': [
    'node',
    'katex',
    'yazl',
    'zod',
    'src/main/app/workspace.ts',
    'src/main/lib',
    'src/main/db/copy-database.ts',
    'src/main/db/database-faults.ts',
    'src/main/db/migrate.ts',
    'src/main/db/read-store.ts',
    'src/main/db/remove-from-copy.ts',
    'src/main/threads',
    'src/main/tools/paths/credential-paths.ts',
    'type src/main/db',
    'src/shared',
  ],
  // MCP servers: starts them, judges what they list, and calls their tools.
  'src/main/mcp': [
    'node',
    '@modelcontextprotocol/client',
    'ajv',
    'ajv-formats',
    're2js',
    'cross-spawn',
    'stemmer',
    'zod',
    'src/main/confinement',
    'src/main/documents/*',
    'src/main/lib',
    'src/main/memory/unsafe-text.ts',
    'src/main/models/formats/reader',
    'src/main/processes',
    'src/main/tools',
    'type src/main/db',
    'src/shared',
  ],
  'src/main/memory': [
    'node',
    'type src/main/agent/prompt.ts',
    'src/main/app/workspace.ts',
    'src/main/config/load.ts',
    'src/main/lib',
    'type src/main/db',
    'src/shared',
  ],
  // Chats that belong together, and what is set for them.
  'src/main/projects': [
    'node',
    'src/main/app/workspace.ts',
    'src/main/lib',
    'src/main/memory/note-files.ts',
    'src/main/memory/unsafe-text.ts',
    'src/main/tools/paths/paths.ts',
    'type src/main/db',
    'src/shared',
  ],
  // The standing rules of the user: their file, who may add which, and what would happen to a command.
  'src/main/permissions': [
    'node',
    'zod',
    'src/main/agent/approvals',
    'src/main/app/workspace.ts',
    'src/main/config/home.ts',
    'src/main/confinement/profile.ts',
    'type src/main/confinement',
    'src/main/lib',
    'src/main/shell-safety',
    'type src/main/tools',
    'src/shared',
  ],
  // The only way out of the host.
  'src/main/net': [
    'node',
    'undici',
    'src/main/config/load.ts',
    'src/main/lib',
    'type src/main/db',
    'src/shared',
  ],
  'src/main/models/download': ['node', 'zod', 'src/main/lib', 'src/main/models', 'src/shared'],
  'src/main/models/files': 'node zod src/main/models/formats src/main/lib src/main/models src/shared'.split(
    ' ',
  ),
  'src/main/skills': [
    'fflate',
    'node',
    'node-diff3',
    'yaml',
    'zod',
    'src/main/app/workspace.ts',
    'src/main/config/load.ts',
    'src/main/lib',
    'src/main/skills/check',
    'src/main/threads',
    'type src/main/db',
    'src/shared',
  ],
  // Text in, findings out: it reads no files and does not know the library.
  'src/main/skills/check': ['src/main/lib', 'src/shared'],
  // The files that tools of chats changed: keeps what they were, and restores it.
  'src/main/changed-files': ['src/main/confinement/obeyed', ...withTools],
  // Files that belong to messages: kept once, written for models, read on by a tool.
  'src/main/attachments': ['zod', 'type src/main/documents', ...withTools],
  // The handlers of chats, over the features that answer in them.
  'src/main/chats': [
    'node',
    'src/main/app/workspace.ts',
    'type src/main/attachments',
    'type src/main/chats/search',
    'src/main/config/load.ts',
    'src/main/lib/timing.ts',
    'src/main/models/engine.ts',
    'src/main/projects',
    'src/main/runs',
    'src/main/skills',
    'type src/main/db',
    'src/shared',
  ],
  // Reads data of other programs. It opens foreign databases; only `db` opens our own.
  'src/main/chats/import': [
    'node',
    'better-sqlite3',
    'yaml',
    'zod',
    'src/main/app/workspace.ts',
    'src/main/lib',
    'src/main/memory',
    'src/main/threads',
    'type src/main/db',
    'src/shared',
    'type src/main/config',
    'type src/main/skills',
  ],
  // Removes deleted chats for good, in slices. What it removes outside the database it is given.
  'src/main/chats/purge': ['node', 'src/main/lib', 'type src/main/db', 'src/shared'],
  // Only its thread opens the database, to read.
  'src/main/chats/search': [
    'node',
    'stemmer',
    'src/main/lib',
    'src/main/db/read-store.ts',
    'src/main/threads',
    'type src/main/db',
    'src/shared',
  ],
  // Reads documents of strangers in a process of its own. It knows nothing of chats.
  'src/main/documents':
    'node better-sqlite3 iconv-lite postal-mime unpdf/pdfjs zod src/main/lib src/shared'.split(' '),
  'src/main/tools': [
    'src/main/confinement',
    'src/main/documents',
    'node',
    'diff',
    'get-east-asian-width',
    'ignore',
    'zod',
    'src/main/lib',
    'src/main/memory',
    'src/main/chats/search',
    'src/main/pictures/picture-file.ts',
    'src/main/shell-safety/does-not-last.ts',
    'src/main/skills',
    'src/main/threads',
    'type src/main/db',
    'type src/main/processes',
    'src/shared',
  ],
  'src/main/models': [
    'node',
    'zod',
    'src/main/models/formats',
    'src/main/app/host-types.ts',
    'src/main/config/known-keys.ts',
    'src/main/lib',
    'src/main/models',
    'src/shared',
  ],
  // A provider knows the interface and the shared code, never another provider.
  'src/main/models/engines/local': [
    'node',
    'node-llama-cpp',
    'zod',
    'src/main/models/formats',
    'src/main/app/host-types.ts',
    'src/main/lib',
    'src/main/models/*',
    'src/shared',
  ],
  'src/main/models/engines/openai': ['openai', 'src/main/models/engines/shared', ...ofEngines],
  'src/main/models/engines/anthropic': ['@anthropic-ai/sdk', 'src/main/models/engines/shared', ...ofEngines],
  // Shared by the remote providers.
  'src/main/models/engines/shared': ofEngines,
  'src/main/models/engines/routing': ofEngines,
  // Parses shell commands and judges their effects; it knows nothing of the agent.
  'src/main/shell-safety': ['node', 'src/main/lib', 'src/shared'],
  // The loop knows the interfaces of models and tools, never their code or the database; credential paths are shared.
  'src/main/agent': [
    'node',
    'zod',
    'src/main/models/formats',
    'src/main/lib',
    'src/main/models/count-usage.ts',
    'src/main/models/engine.ts',
    'src/main/models/estimate-tokens.ts',
    'src/main/confinement/sandbox-setting.ts',
    'src/main/confinement/profile.ts',
    'src/main/confinement/obeyed',
    'type src/main/confinement',
    'src/main/models/formats/reader',
    'src/main/shell-safety',
    'src/main/tools/paths/credential-paths.ts',
    'src/main/tools/call-failures.ts',
    'src/main/tools/registry.ts',
    'type src/main/tools',
    'src/main/tools/tool.ts',
    'src/shared',
  ],
  // The built-in model: its own prompt and tools as data, their adapter, and the guide that decides and speaks for it.
  'src/main/builtin': [...throughTurns, 'src/main/schedules/*'],
  'src/main/runs': [...throughTurns, 'type src/main/models/mixtures', 'src/main/builtin'],
  // Sub-agents: it starts ordinary runs, and knows of chats only what their messages say.
  'src/main/delegation': ['src/main/mcp/judge-tools.ts', 'type src/main/runs', ...throughTurns],
  // Reviews conversations: it takes turns like the agent, and changes memory and skills only through their own checks.
  'src/main/learning': [
    'node',
    'zod',
    'src/main/agent',
    'src/main/models/formats',
    'src/main/config/load.ts',
    'src/main/lib',
    'src/main/models/engine.ts',
    'src/main/memory',
    'src/main/skills',
    'type src/main/db',
    'src/main/tools',
    'src/shared',
  ],
  // Tests models without a host: it builds the same prompts and engines as a chat.
  'src/main/doctor': [
    'node',
    'src/main/confinement/open-confinement.ts',
    'src/main/agent',
    'src/main/config',
    'src/main/models/formats',
    'src/main/lib',
    'src/main/models',
    'src/main/db/damage.ts',
    'src/main/memory/outside/examine-notes.ts',
    'src/main/tools',
    'src/shared',
  ],
  // Finds and installs newer versions through a port: it knows no Electron.
  'src/main/updates': ['node', 'src/main/app/host-types.ts', 'src/main/lib', 'src/shared'],
  // Reads when something shall run from words: text in, rule and instants out. Pure.
  'src/main/schedules': ['croner'],
  'src/main/schedules/running': [...seams, 'node', 'src/main/schedules', 'src/main/lib', 'src/shared'],
  'src/main/rpc': ['node', 'zod', 'src/main/lib', 'src/shared'],
  'src/main/page-server': ['node', 'node:http', 'ws', 'zod', 'src/main/lib', 'src/main/rpc/*', 'src/shared'],
  'src/main/desktop': [
    'electron',
    'electron-updater',
    'yaml',
    'node',
    'zod',
    'src/main/config/home.ts',
    'src/main/app/after-crash.ts',
    'src/main/app/host-types.ts',
    'src/main/cli/mcp-serve.ts',
    'src/main/lib',
    'src/main/rpc/*',
    'src/main/app/start-options.ts',
    'src/shared',
  ],
  // Files of training data: read in any form, cleaned, changed and written. Pure.
  'src/main/trajectories': ['src/main/lib', 'src/shared'],
  'src/main/cli': [
    'commander',
    'get-east-asian-width',
    'node',
    'package.json',
    'zod',
    'src/main/batch/merge-batches.ts',
    'src/main/config',
    'src/main/data/backup',
    'src/main/doctor',
    'src/main/documents',
    'src/main/host.ts',
    'src/main/models/engines/local/open-vocabulary.ts',
    'src/main/serve-browser.ts',
    'src/main/app/after-crash.ts',
    'src/main/app/host-types.ts',
    'src/main/app/start-options.ts',
    'src/main/lib',
    'src/main/other-agents',
    'src/main/rpc/*',
    'src/main/schedules/*',
    'src/main/skills',
    'src/main/trajectories',
    'src/main/app/workspace.ts',
    'src/main/tools/text-file.ts',
    'src/main/tools/paths/credential-paths.ts',
    'src/shared',
  ],
  'src/main': ['node', 'package.json', 'zod', 'src/shared', ...everyFolder],
  'src/main/index.ts': ['src/main/host.ts', 'src/main/desktop'],
  ...batchLayers,
  ...webLayers,
  ...gatewayLayers,
  ...windowLayers,
}
