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
    'src/main/lib',
    'src/shared',
  ],
  // Other programs that read from here: their keys, what each may, and the server that they start. It knows the things it shares by ports.
  'src/main/other-agents': [
    'type src/main/db',
    'node',
    'zod',
    '@modelcontextprotocol/server',
    'src/main/lib',
    'src/main/memory/find-entries.ts',
    'src/shared',
  ],
  // Our own client of Telegram's Bot API, over a `fetch` that it is given. It knows no chat and no setting.
  'src/main/gateway/telegram': ['type @grammyjs/types', 'node', 'src/main/lib', 'src/shared'],
  // Answers that grow in a chat: it is given how to send and edit.
  'src/main/gateway/telegram/answer-writer.ts': ['src/main/gateway'],
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
