import { createWriteStream, existsSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DataProgress, ExportFormat } from '../../../shared/contract/data.ts'
import { Fault } from '../../../shared/rpc.ts'
import { readChats, type ChatHead, type ChatReader } from '../../db/file/read-store.ts'
import { renamePatiently, syncFolder } from '../../lib/disk/durable-files.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { partPath } from '../backup/pack-files.ts'
import { createProgress } from '../progress.ts'
import { jsonFormat, markdownFormat, type ChatFormat } from './chat-formats.ts'

/** The formula renderer is loaded for pages only. */
const formats: Record<ExportFormat, () => ChatFormat | Promise<ChatFormat>> = {
  markdown: () => markdownFormat,
  json: () => jsonFormat,
  html: async () => (await import('./html-format.ts')).htmlFormat,
}

/** The chats to write, and which parts of them. */
type Wanted = {
  database: string
  format: ExportFormat
  /** Only the chat with this id. */
  chat: string | undefined
  /** Only the chats with these ids. */
  chats?: readonly string[] | undefined
  branches: 'path' | 'all'
  /** Whether to include inputs and results of tools. */
  tools: boolean
  now: number
}
export type ExportJob = Wanted & { target: string; replace: boolean }

/** The result: `bytes` is the size of the file. */
export type Exported = { type: 'done'; path: string; bytes: number; chats: number; messages: number }

/** How many characters to collect before writing them. */
const PIECE = 64 * 1_024

/**
 * Write one chat or all into a file, message by message. The file gets its final name once it is complete;
 * otherwise nothing is left. Throws a Fault that says why it was not written.
 */
export async function* writeExport(
  job: ExportJob,
  signal: AbortSignal,
): AsyncGenerator<DataProgress | Exported> {
  const { target } = job
  const leaving = new AbortController()
  const progress = createProgress()
  const part = partPath(target)
  const writing = write(job, part, AbortSignal.any([signal, leaving.signal]), share =>
    progress.tell('writing', share),
  )
  try {
    yield* progress.until(writing)
    yield await writing
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof Fault) throw error
    throw new Fault('not_ready', `${target} was not written: ${reasonOf(fileErrorCode(error))}.`)
  } finally {
    leaving.abort()
    await writing.catch(() => undefined)
    await removeTree(part)
  }
}

async function write(
  { target, replace, ...wanted }: ExportJob,
  part: string,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Exported> {
  if (existsSync(target) && (!replace || !statSync(target).isFile()))
    throw new Fault('bad_input', `${target} already exists. Choose another name, or replace it.`)
  using reader = readChats(wanted.database)
  const chats = chatsOf(reader, wanted)
  const format = await formats[wanted.format]()
  let messages = 0
  const pieces = joined(
    piecesOf(reader, format, chats, wanted, (share, told) => {
      messages = told
      onProgress(share)
    }),
  )
  const file = createWriteStream(part, { mode: 0o600, flush: true })
  await pipeline(Readable.from(pieces, { highWaterMark: 1 }), file, { signal })
  renamePatiently(() => renameSync(part, target))
  syncFolder(dirname(target))
  return { type: 'done', path: target, bytes: statSync(target).size, chats: chats.length, messages }
}

/** One chat as text. */
export type ExportedText = { type: 'done'; text: string; messages: number }

/** Write one chat as a text that fits into one answer. Throws a Fault if it does not fit. */
export async function* exportText(
  { most, ...wanted }: Wanted & { most: number },
  signal: AbortSignal,
): AsyncGenerator<DataProgress | ExportedText> {
  using reader = readChats(wanted.database)
  const format = await formats[wanted.format]()
  let messages = 0
  let text = ''
  for (const piece of piecesOf(
    reader,
    format,
    chatsOf(reader, wanted),
    wanted,
    (_share, told) => (messages = told),
  )) {
    signal.throwIfAborted()
    text += piece
    if (text.length > most)
      throw new Fault('bad_input', 'This chat is too long to copy or print. Export it to a file instead.')
  }
  yield { type: 'done', text, messages }
}

function chatsOf(reader: ChatReader, { chat, chats: wanted }: Wanted): ChatHead[] {
  const asked = wanted && new Set(wanted)
  const chats = reader.chats(chat).filter(({ id }) => !asked || asked.has(id))
  if (chats.length > 0 || (chat === undefined && !asked)) return chats
  throw new Fault(
    'not_found',
    chat === undefined ? 'These chats no longer exist.' : 'This chat no longer exists.',
  )
}

/** Yield the pieces of the file. `onMessage` gets the finished share and the number of messages written. */
function* piecesOf(
  reader: ChatReader,
  format: ChatFormat,
  chats: readonly ChatHead[],
  { branches, tools, now }: Wanted,
  onMessage: (share: number, told: number) => void,
): Iterable<string> {
  const isAll = branches === 'all'
  const sum = chats.reduce((all, each) => all + (isAll ? each.allMessages : each.messages), 0)
  let done = 0
  let told = 0
  yield* format.begin(chats, now)
  for (const [position, chat] of chats.entries()) {
    yield* format.chat(chat, position, chats.length)
    let at = 0
    const read = isAll ? reader.branches(chat.id) : reader.messages(chat.id)
    for (const { message, branch, ...place } of read) {
      if (branch) yield* format.branch(branch)
      if (tools || message.role !== 'tool') {
        yield* format.message({ message, place: isAll ? place : undefined, tools }, at++)
        told++
      }
      onMessage(++done / sum, told)
    }
    yield* format.chatEnd()
  }
  yield* format.end()
}

/** Join small pieces into fewer larger ones. */
function* joined(pieces: Iterable<string>): Iterable<string> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < PIECE) continue
    yield text
    text = ''
  }
  yield text
}
