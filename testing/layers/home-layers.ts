/**
 * Allowed imports of shared folders: from `lib`, which knows nothing of the product, to the tools that no
 * feature owns.
 */
export const homeLayers: Record<string, readonly string[]> = {
  'src/main/lib': ['get-east-asian-width', 'iconv-lite', 'node'],
  // Parses shell commands and judges their effects; it knows nothing of the agent.
  'src/main/shell-safety': ['node'],
  // Strangers' texts: removes secrets, adds frames and marks, and finds unsafe passages.
  'src/main/untrusted': ['node', '@scure/bip39', 'src/main/lib', 'type src/shared'],
  // The user's files: what a path means and whether it may be touched, edits, patches, the folder of a chat.
  // It knows no tool.
  'src/main/files': ['node', 'diff', 'ignore', 'src/main/lib', 'src/shared'],
  // Runs commands with less than the user's rights. It knows no chat, no setting and no window.
  'src/main/confinement': ['node', 'src/main/files', 'src/main/lib', 'src/shared'],
  // Starts commands, follows their output, and ends them with everything that they started.
  'src/main/commands': [
    'node',
    'get-east-asian-width',
    'src/main/confinement',
    'src/main/lib',
    'src/main/untrusted',
  ],
  // Starts and ends background processes. It knows only the id of a chat.
  'src/main/processes': [
    'node',
    'src/main/commands',
    'src/main/confinement',
    'src/main/lib',
    'src/main/untrusted',
    'src/shared',
  ],
  // Interprets JSON Schemas of others, validates values, and repairs values that do not fit.
  'src/main/json-schema': ['ajv', 'ajv-formats', 're2js', 'src/main/lib', 'src/main/models/formats'],
  // Long work in threads: starts, stops and follows it.
  'src/main/threads': ['node', 'src/main/lib', 'src/shared/*'],
  // Reads strangers' documents in a separate process. It knows nothing of chats.
  'src/main/documents': [
    'node',
    'better-sqlite3',
    'iconv-lite',
    'postal-mime',
    'unpdf/pdfjs',
    'zod',
    'src/main/lib',
    'src/shared/text',
  ],
  // Converts pictures for models, in a separate process.
  'src/main/pictures': [
    'node',
    '@napi-rs/image',
    'type src/main/agent',
    'src/main/lib',
    'src/main/models/interface',
    'src/shared',
  ],
  'src/main/config': ['node', 'yaml', 'zod', 'src/main/lib', 'src/main/untrusted', 'src/shared'],
  'src/main/db': ['node', 'better-sqlite3', 'zod', 'src/main/lib', 'src/main/untrusted', 'src/shared'],
  // The only way out of the host.
  'src/main/net': ['node', 'undici', 'type src/main/db', 'src/main/lib', 'src/main/untrusted', 'src/shared'],
  // The documents that ship with Talaria, as pages of Help.
  'src/main/help': ['node', 'marked', 'src/main/lib', 'src/shared'],
  // Reports changes to windows.
  'src/main/feed': ['type src/main/db', 'src/main/lib', 'src/shared'],
  // Defines tools and routes calls to them. Each tool is in the folder of its feature.
  'src/main/tools/registry': [
    'node',
    'zod',
    'type src/main/commands',
    'type src/main/confinement',
    'src/main/lib',
    'src/shared',
  ],
  // Describes calls and results for the user.
  'src/main/tools/tell': ['src/main/tools/registry', 'src/main/untrusted', 'src/shared'],
  // The tools that no feature owns: files, search, the terminal.
  'src/main/tools': [
    'node',
    'zod',
    'src/main/commands',
    'src/main/confinement',
    'src/main/documents',
    'src/main/files',
    'src/main/lib',
    'src/main/pictures',
    'type src/main/processes',
    'src/main/shell-safety',
    'src/main/threads',
    'src/main/tools/registry',
    'src/main/tools/tell',
    'src/main/untrusted',
    'src/shared',
  ],
}
