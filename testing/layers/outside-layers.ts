import { ofTools } from './feature-layers.ts'

const seams = ['type src/main/agent', 'type src/main/db', 'type src/main/runs']

/**
 * Allowed imports of access from outside and unattended work: messengers, other programs, schedules, batches,
 * updates.
 */
export const outsideLayers: Record<string, readonly string[]> = {
  // Answers other programs over HTTP with the APIs of OpenAI and Anthropic. It knows engines and runs only by
  // interface.
  'src/main/api': [
    'node',
    'node:http',
    'zod',
    'src/main/agent/strategies',
    'type src/main/db',
    'src/main/json-schema',
    'src/main/lib',
    'src/main/models/formats',
    'src/main/models/interface',
    'type src/main/runs',
    'src/shared',
  ],
  // Many rows, each answered by the agent, with results in a folder.
  'src/main/batch': [
    'node',
    'zod',
    'src/main/agent',
    'src/main/commands',
    'type src/main/confinement',
    'src/main/db/file',
    'type src/main/db',
    'src/main/learning/trajectories',
    'src/main/lib',
    'type src/main/models/interface',
    'src/main/pictures',
    'type src/main/runs',
    'src/shared',
  ],
  // Incoming and outgoing messages as rows, and the chats that answer. It knows messengers only by interface.
  'src/main/gateway': ['node', 'uqr', 'zod', 'src/main/files', ...seams, ...ofTools],
  // Telegram as a messenger, with our own client of its Bot API over a given `fetch`. It knows no chat and no
  // setting.
  'src/main/gateway/telegram': [
    'type @grammyjs/types',
    'node',
    'type src/main/gateway',
    'src/main/gateway/telegram/text',
    'src/main/lib',
    'src/main/untrusted',
  ],
  // Markdown to what Telegram shows: pure.
  'src/main/gateway/telegram/text': ['marked', 'remend', 'src/main/lib', 'src/main/untrusted', 'src/shared'],
  // Other programs that read from Talaria: their keys, their rights, and the server that they start. It knows
  // shared data only by ports.
  'src/main/other-agents': [
    'node',
    'zod',
    '@modelcontextprotocol/server',
    'diff',
    'jsonc-parser',
    'type src/main/db',
    'src/main/lib',
    'src/main/memory',
    'src/main/threads',
    'src/main/untrusted',
    'src/shared',
  ],
  // Parses the times of schedules: text in, rule and instants out. Pure.
  'src/main/schedules': ['croner'],
  'src/main/schedules/running': ['node', 'zod', 'src/main/schedules', ...seams, ...ofTools],
  // Finds and installs newer versions through a port: it knows no Electron.
  'src/main/updates': ['src/main/lib', 'src/shared'],
}
