import type { ExportFormat } from '../../../shared/contract/data.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'

/** What of a chat is exported: which branches, and whether with what tools were given and answered. */
export type What = { branches: 'path' | 'all'; tools: boolean }

type Asked = What & { chat: string; format: ExportFormat }

/** One chat as a text. Throws a Fault when it is too long for one. */
export async function readChatText(
  client: Pick<HostClient, 'data.exportText'>,
  asked: Asked,
): Promise<{ text: string; messages: number }> {
  for await (const event of client['data.exportText'](asked)) if (event.type === 'done') return event
  throw new Fault('not_ready', 'The chat was not read to the end.')
}

/** A message to print. Those of a branch that the chat left come behind the path. */
export type PrintedMessage = Message & { isOnPath?: boolean; parentId?: number | null }
export type PrintedChat = { title: string; createdAt: string; model: string; messages: PrintedMessage[] }

/** One chat, to be printed. Throws a Fault when it is too long for that. */
export async function readPrintedChat(
  client: Pick<HostClient, 'data.exportText'>,
  asked: What & { chat: string },
): Promise<PrintedChat> {
  const { text } = await readChatText(client, { ...asked, format: 'json' })
  const { chats } = JSON.parse(text) as { chats: PrintedChat[] }
  return chats[0]!
}
