/** The same for what others reach the models by: messengers, and the server for other programs. */
export const gatewayLayers: Record<string, readonly string[]> = {
  // Answers other programs over HTTP in the words of OpenAI and Anthropic. It knows engines and runs by their interfaces.
  'src/main/api': [
    'node',
    'node:http',
    'zod',
    'src/main/agent/expected-answer.ts',
    'src/main/agent/strategies',
    'src/main/lib',
    'src/main/mcp/check-schema.ts',
    'src/main/models/engine.ts',
    'src/main/models/formats',
    'type src/main/db',
    'type src/main/runs',
    'src/shared',
  ],
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
  // Other programs that read from here: their keys, what each may, and the server that they start. It knows the things it shares by ports.
  'src/main/other-agents': [
    'type src/main/db',
    'node',
    'zod',
    '@modelcontextprotocol/server',
    'diff',
    'jsonc-parser',
    'src/main/lib',
    'src/main/memory/find-entries.ts',
    'src/main/threads',
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
