import type { ExportFormat } from '../../../shared/contract/data.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'

/** The parts of a chat to export: which branches, and whether to include tool input and results. */
export type What = { branches: 'path' | 'all'; tools: boolean }

type Asked = What & { chat: string; format: ExportFormat }

/** Read one chat as text. Throws a Fault if it is too long. */
export async function readChatText(
  client: Pick<HostClient, 'data.exportText'>,
  asked: Asked,
): Promise<{ text: string; messages: number }> {
  for await (const event of client['data.exportText'](asked)) if (event.type === 'done') return event
  throw new Fault('not_ready', 'The chat was not read to the end.')
}

/** A message to print. Messages of other branches come after the path. */
export type PrintedMessage = Message & { isOnPath?: boolean; parentId?: number | null }
export type PrintedChat = { title: string; createdAt: string; model: string; messages: PrintedMessage[] }

/** Read one chat for printing. Throws a Fault if it is too long. */
export async function readPrintedChat(
  client: Pick<HostClient, 'data.exportText'>,
  asked: What & { chat: string },
): Promise<PrintedChat> {
  const { text } = await readChatText(client, { ...asked, format: 'json' })
  const { chats } = JSON.parse(text) as { chats: PrintedChat[] }
  return chats[0]!
}
