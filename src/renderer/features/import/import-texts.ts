import { plural } from '../../ui/format.ts'
import type { ImportKind } from '../../../shared/contract/import.ts'

export const sourceNames: Record<ImportKind, string> = {
  hermes: 'Hermes',
  chatgpt: 'ChatGPT',
  claude: 'Claude',
}
export const memories = (count: number) => plural(count, '1 memory', 'memories')
export const chats = (count: number) => plural(count, '1 chat', 'chats')
