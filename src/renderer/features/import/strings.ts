import type { ImportKind } from '../../../shared/contract/transfer.ts'
import { formatCount } from '../../ui/format.ts'

const many = (count: number, one: string, several: string) =>
  `${formatCount(count)} ${count === 1 ? one : several}`

const chats = (count: number) => many(count, 'chat', 'chats')
const messages = (count: number) => many(count, 'message', 'messages')
const memories = (count: number) => many(count, 'memory', 'memories')

/** What the host leaves out; anything else that it names is a file. */
const things: Record<string, (count: number) => string> = {
  chat: chats,
  message: messages,
  memory: memories,
  attachment: count => many(count, 'attachment', 'attachments'),
  entry: count => many(count, 'entry', 'entries'),
}

const kinds: Record<ImportKind, string> = { hermes: 'Hermes', chatgpt: 'ChatGPT', claude: 'Claude' }

/** Every sentence of the import. */
export const importText = {
  title: 'Import chats and memories',
  close: 'Close',

  explains:
    'Bring what you have in another program. It is read on this computer, and the import sends nothing anywhere.',
  sources: [
    ['Hermes', 'the folder .hermes, or a part of it: state.db, MEMORY.md or USER.md'],
    ['ChatGPT', 'the export: the zip, the unpacked folder, or conversations.json'],
    ['Claude', 'the export: the zip, the unpacked folder, or conversations.json'],
  ],
  path: 'File or folder',
  pathPlaceholder: '/home/you/Downloads/export.zip',
  pathHint: 'The whole path. It is only read; nothing is imported before you have seen what is in it.',
  look: 'Look inside',
  looking: 'Looking…',
  cancel: 'Cancel',

  from: (kind: ImportKind) => `From ${kinds[kind]}`,
  counts: { chats: 'Chats', messages: 'Messages', memories: 'Memories' },
  count: formatCount,
  known: (count: number) => `(${formatCount(count)} already here)`,
  titles: 'Among the chats',
  others: (count: number) => `and ${many(count, 'other', 'others')}`,
  leftOut: 'Left out',
  things: (what: string, count: number) =>
    things[what]?.(count) ?? (count === 1 ? what : `${what} (${formatCount(count)})`),
  withMemories: 'Also take over the memories',
  withMemoriesHint: 'They go to the Memory page, as far as there is room, and every chat can use them.',
  allKnown: 'There is nothing new in it: all its chats are here already.',
  empty: 'There is nothing in it to import.',
  another: 'Choose another',
  start: 'Import',

  running: (kind: ImportKind) => `Importing from ${kinds[kind]}`,
  progress: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)}`,
  indexing: 'Preparing the search…',
  goesOn: 'You can close this and go on with your work; the import goes on.',
  stopping: 'Stopping…',

  done: 'Imported',
  stopped: 'Stopped',
  stoppedHint:
    'Every chat is here whole or not at all. Import the same file again to bring the rest; nothing comes twice.',
  brokeOff: (why: string) => `${why} What came until then is here; import it again to bring the rest.`,
  more: 'Import more',
  toast: (report: { sessions: number; memories: number }) =>
    `Imported ${chats(report.sessions)} and ${memories(report.memories)}.`,
} as const
