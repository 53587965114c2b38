import { ofTools } from './feature-layers.ts'

/** Allowed imports of the code for the models' web access. */
export const webLayers: Record<string, readonly string[]> = {
  'src/main/web': ['node', 'zod', ...ofTools],
  // Decides whether an address may be requested. Pure, except for DNS lookups.
  'src/main/web/addresses': ['node', 'src/main/untrusted', 'type src/main/web'],
  // Fetches an address, which is checked when the connection is made.
  'src/main/web/fetch': ['node', 'src/main/lib', 'src/main/web/addresses', 'type src/main/web', 'src/shared'],
  // Converts a page to Markdown without its invisible parts, in a worker.
  'src/main/web/read': [
    'node',
    'defuddle',
    'linkedom',
    'css-tree',
    '@mozilla/readability',
    'zod',
    'src/main/documents',
    'src/main/lib',
    'src/main/threads',
    'src/shared/text',
    'type src/main/web',
    'src/shared/visible-text',
  ],
  // The search sources, asked in turn.
  'src/main/web/search': ['linkedom', 'src/main/lib', 'type src/main/web', 'src/shared'],
}
