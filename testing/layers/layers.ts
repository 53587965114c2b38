import { featureLayers } from './feature-layers.ts'
import { homeLayers } from './home-layers.ts'
import { modelLayers } from './model-layers.ts'
import { outsideLayers } from './outside-layers.ts'
import { webLayers } from './web-layers.ts'
import { windowLayers } from './window-layers.ts'

/** The folders that make up the application. */
const everyFolder =
  `agent api attachments batch builtin changed-files chats config confinement data db delegation doctor documents feed files gateway
  help learning lib mcp memory models net other-agents permissions pictures processes projects runs schedules skills tools
  untrusted updates web`
    .split(/\s+/)
    .map(name => `src/main/${name}`)

/**
 * What each folder may import besides itself. The longest entry that contains a file applies; a folder
 * without an entry fails the test. `node` is all of Node except its web servers; `folder/*` is the files
 * directly in a folder; anything else is a folder with everything in it, a package, or a file of the layer's
 * own folder. `type …` allows only an `import type`, which is not part of the running program. The lists are
 * sorted bottom-up: a folder comes after the folders it imports.
 */
export const layers: Record<string, readonly string[]> = {
  'src/shared': ['zod', 'src/shared/text'],
  // Makes hidden characters in texts of others visible. Pure.
  'src/shared/visible-text': [],
  'src/shared/text': [],
  'src/shared/markdown': ['type src/shared/contract'],
  'src/preload': ['electron', 'src/shared'],

  ...homeLayers,
  ...modelLayers,
  ...featureLayers,
  ...webLayers,
  ...outsideLayers,

  // Puts the features together; host.ts opens them.
  'src/main/app': ['node', 'package.json', 'pino', 'src/shared', ...everyFolder],
  'src/main': [
    'node',
    'src/main/agent',
    'src/main/app',
    'src/main/config',
    'src/main/data',
    'src/main/db',
    'src/main/delegation',
    'src/main/feed',
    'src/main/files',
    'src/main/lib',
    'src/main/models/engines/local',
    'src/main/permissions',
    'src/main/pictures',
    'src/main/rpc',
    'src/main/runs',
    'src/main/tools',
    'src/shared',
  ],

  'src/main/rpc': ['node', 'zod', 'src/main/lib', 'src/shared'],
  'src/main/page-server': ['node', 'node:http', 'ws', 'zod', 'src/main/lib', 'src/main/rpc', 'src/shared'],
  'src/main/serve-browser.ts': [
    'node',
    'src/main/app/*',
    'src/main/config',
    'src/main/host.ts',
    'src/main/lib',
    'src/main/page-server',
    'src/shared',
  ],
  'src/main/headless.ts': ['node', 'src/main/lib', 'src/main/serve-browser.ts'],
  'src/main/cli': [
    'commander',
    'marked',
    'node',
    'package.json',
    'src/main/*',
    'src/main/app/*',
    'src/main/batch',
    'src/main/config',
    'src/main/data/backup',
    'src/main/doctor',
    'src/main/documents',
    'src/main/files',
    'src/main/help',
    'src/main/lib',
    'src/main/models/engines/local/gguf',
    'src/main/other-agents',
    'src/main/rpc',
    'src/main/schedules/*',
    'src/main/skills',
    'src/main/trajectories',
    'src/main/untrusted',
    'src/shared',
  ],
  'src/main/desktop': [
    'electron',
    'electron-updater',
    'yaml',
    'node',
    'zod',
    'src/main/app/*',
    'src/main/cli/mcp',
    'src/main/config',
    'src/main/lib',
    'type src/main/models/interface',
    'src/main/rpc',
    'type src/main/updates',
    'src/shared',
  ],
  'src/main/index.ts': ['src/main/host.ts', 'src/main/desktop'],
  ...windowLayers,
}
