/** The same for the web of models and for messengers: who may import what in each of their folders. */
export const webLayers: Record<string, readonly string[]> = {
  'src/main/web': [
    'node',
    'zod',
    'src/main/lib',
    'src/main/tools',
    'src/main/threads',
    'type src/main/db',
    'src/shared',
  ],
  // May an address be asked? Pure, but for looking names up.
  'src/main/web/addresses': ['node', 'src/main/lib', 'type src/main/web'],
  // Gets an address: judged where the connection is made.
  'src/main/web/fetch': [
    'node',
    'undici',
    'src/main/lib',
    'src/main/net',
    'src/main/web/addresses',
    'type src/main/web',
    'src/shared',
  ],
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
    'src/shared/amounts.ts',
    'type src/main/web',
    'src/shared/visible-text',
  ],
  // Answers that grow in a chat: it is given how to send and edit.
  'src/main/gateway/telegram/answer-writer.ts': ['src/main/gateway'],
  // Messengers: what arrives and is sent, each as a row, and the chats that answer. It knows each by one interface.
  'src/main/gateway': [
    'node',
    'uqr',
    'zod',
    'type @grammyjs/types',
    'type src/main/agent',
    'type src/main/db',
    'type src/main/runs',
    'src/main/gateway/telegram/text',
    'src/main/lib',
    'src/shared',
  ],
  // Markdown to what Telegram shows: pure.
  'src/main/gateway/telegram/text': [
    'marked',
    'remend',
    'src/main/documents/web/entities.ts',
    'src/main/lib',
    'src/shared',
    'src/shared/visible-text',
  ],
  // Sources of searches, asked in turn.
  'src/main/web/search': ['node', 'linkedom', 'zod', 'src/main/lib', 'type src/main/web', 'src/shared'],
}
