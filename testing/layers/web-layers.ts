import { ofTools } from './feature-layers.ts'

/** The same for the web of models. */
export const webLayers: Record<string, readonly string[]> = {
  'src/main/web': ['node', 'zod', ...ofTools],
  // May an address be asked? Pure, but for looking names up.
  'src/main/web/addresses': ['node', 'src/main/untrusted', 'type src/main/web'],
  // Gets an address: judged where the connection is made.
  'src/main/web/fetch': ['node', 'src/main/lib', 'src/main/web/addresses', 'type src/main/web', 'src/shared'],
  // A page to Markdown, without what nobody sees; in a worker.
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
  // Sources of searches, asked in turn.
  'src/main/web/search': ['linkedom', 'src/main/lib', 'type src/main/web', 'src/shared'],
}
