/** The same for messengers: who may import what in each of their folders. */
export const gatewayLayers: Record<string, readonly string[]> = {
  // What arrives and is sent, each as a row, and the chats that answer. It knows each messenger by one interface.
  'src/main/gateway': [
    'type src/main/agent',
    'type src/main/db',
    'type src/main/runs',
    'node',
    'uqr',
    'zod',
    'src/main/gateway/telegram/text',
    'src/main/lib',
    'src/shared',
  ],
  // Telegram as a messenger, and our own client of its Bot API over a `fetch` that it is given. It knows no chat and no setting.
  'src/main/gateway/telegram': [
    'type @grammyjs/types',
    'type src/main/gateway',
    'node',
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
}
