const everyRoom = [
  'src/main/agent',
  'src/main/config',
  'src/main/lib',
  'src/main/llm',
  'src/main/rpc',
  'src/main/runs',
  'src/main/store',
  'src/main/tools',
  'src/main/host-types.ts',
  'src/main/workspace.ts',
]
const draws = ['react', 'zustand', 'src/shared']

/**
 * Who may import whom, besides themselves. The longest folder that holds a file decides; a folder that no line holds may
 * not exist. `node` is all of Node but its web servers; `folder/*` is the files of a folder without those in its folders;
 * anything else is a file, a folder with all that is in it, or a package.
 */
export const layers: Record<string, readonly string[]> = {
  'src/shared': ['zod'],
  'src/preload': ['electron', 'src/shared'],

  'src/main/lib': ['node', 'pino'],
  'src/main/toolcalls': ['jsonrepair'],
  'src/main/config': ['node', 'yaml', 'zod', 'src/main/lib', 'src/shared'],
  'src/main/store': ['node', 'better-sqlite3', 'zod', 'src/main/lib', 'src/shared'],
  'src/main/tools': ['node', 'ignore', 'zod', 'src/main/lib', 'src/shared'],
  'src/main/llm': ['node', 'zod', 'src/main/host-types.ts', 'src/main/lib', 'src/main/llm', 'src/shared'],
  // A provider knows the interface and what all share, never another provider.
  'src/main/llm/local': [
    'node',
    'node-llama-cpp',
    'zod',
    'src/main/host-types.ts',
    'src/main/lib',
    'src/main/llm/*',
    'src/shared',
  ],
  'src/main/llm/openai': ['node', 'openai', 'zod', 'src/main/lib', 'src/main/llm/*', 'src/shared'],
  // The loop sees what models and tools promise, never how they or the store keep it; approvals and tools must agree
  // about what a credential is.
  'src/main/agent': [
    'node',
    'zod',
    'src/main/lib',
    'src/main/llm/engine.ts',
    'src/main/toolcalls',
    'src/main/tools/credential-paths.ts',
    'src/main/tools/registry.ts',
    'src/main/tools/tool.ts',
    'src/shared',
  ],
  'src/main/runs': [
    'node',
    'zod',
    'src/main/agent',
    'src/main/lib',
    'src/main/llm/engine.ts',
    'src/main/store/types.ts',
    'src/main/tools',
    'src/shared',
  ],
  'src/main/rpc': ['node', 'zod', 'src/main/lib', 'src/shared'],
  'src/main/rpc/handlers': ['node', 'zod', 'src/shared', ...everyRoom],
  'src/main/web': ['node', 'node:http', 'ws', 'src/main/lib', 'src/main/rpc/*', 'src/shared'],
  'src/main/shell': [
    'electron',
    'node',
    'zod',
    'src/main/config/home.ts',
    'src/main/host-types.ts',
    'src/main/lib',
    'src/main/rpc/*',
    'src/main/start-options.ts',
    'src/shared',
  ],
  'src/main/cli': [
    'commander',
    'node',
    'package.json',
    'zod',
    'src/main/config',
    'src/main/host.ts',
    'src/main/host-types.ts',
    'src/main/lib',
    'src/main/rpc/*',
    'src/main/workspace.ts',
    'src/shared',
  ],
  'src/main': ['node', 'package.json', 'zod', 'src/shared', ...everyRoom],
  'src/main/index.ts': ['src/main/host.ts', 'src/main/shell'],
  'src/main/headless.ts': [
    'node',
    'open',
    'src/main/host.ts',
    'src/main/lib',
    'src/main/start-options.ts',
    'src/main/web',
    'src/shared',
  ],

  'src/renderer/ui': ['lucide-react', 'react'],
  'src/renderer/rpc': draws,
  'src/renderer/features': [
    'highlight.js',
    'lucide-react',
    'marked',
    'react-markdown',
    'remark-gfm',
    'remend',
    'virtua',
    'src/renderer/*',
    'src/renderer/rpc',
    'src/renderer/ui',
    ...draws,
  ],
  'src/renderer': ['lucide-react', 'react-dom', 'src/renderer', ...draws],
}
