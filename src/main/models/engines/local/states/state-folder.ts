import { createHash, type Hash } from 'node:crypto'
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join, basename, extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { StateFolder } from '../process/protocol.ts'
import { splitFilePaths, type GgufFacts } from '../gguf/read-gguf.ts'
import { z } from 'zod'
import { parseJson } from '../../../../lib/expected-errors.ts'
import { kindOf, notePath, readOwner, removeState, statePath } from './state-file.ts'

/** How many bytes to read: more than any known model's header. Some have 250,000 tokens. */
const headBytes = 16 << 20
const sampleBytes = 16 << 10
const samples = 64

type Whereabouts = Pick<GgufFacts, 'path' | 'sizeBytes' | 'parts'>

/**
 * Return the folder for the evaluated prompts of a model; undefined if disabled, or if the file cannot be
 * read. `gib` is the maximum size of the folder.
 */
export async function stateFolderFor(
  cacheFolder: string | undefined,
  gib: number,
  facts: Whereabouts,
): Promise<StateFolder | undefined> {
  if (cacheFolder === undefined || gib <= 0) return undefined
  const model = await digestOf(facts).catch(() => undefined)
  return model === undefined ? undefined : { folder: statesIn(cacheFolder), maxBytes: gib * 2 ** 30, model }
}

/** Return the folder of saved states inside the cache folder. */
export const statesIn = (cacheFolder: string): string => join(cacheFolder, 'states')

/**
 * Identify a model by its content, independent of path and time: its size, its header, and 64 samples spread
 * over the rest. Another training or quantization changes nearly every byte, so reading 17 MiB of many
 * gigabytes is enough. For a split model, the header is that of the first file, and all files are sampled.
 */
async function digestOf({ path, sizeBytes, parts }: Whereabouts): Promise<string> {
  const digest = createHash('sha256').update(`${sizeBytes} `)
  for (const [index, part] of splitFilePaths(path, parts).entries())
    await addFile(digest, part, index === 0 ? headBytes : sampleBytes)
  return digest.digest('hex')
}

/** Add the size of a file, its first `head` bytes and samples of the rest to a digest. */
async function addFile(digest: Hash, path: string, head: number): Promise<void> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    digest.update(`${size}\n`)
    const add = async (at: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
      digest.update(buffer.subarray(0, bytesRead))
    }
    await add(0, Math.min(size, head))
    const step = (size - head - sampleBytes) / (samples - 1)
    const count = step > 0 ? samples : 0
    for (let sample = 0; sample < count; sample++) {
      await add(Math.floor(head + sample * step), sampleBytes)
    }
  } finally {
    await file.close()
  }
}

/** Maximum number of chat histories, and their share of the folder. They are large and soon outdated. */
const keptChats = 4
export const chatShare = 0.5
/** How many days to keep a history. After a week it is useless, and private data should not stay around. */
const chatDays = 7
/** Minimum age of a leftover. A younger file may still be being written. */
const unfinishedMs = 600_000

/** Delete least recently used states beyond the limit, and unfinished leftovers. */
export async function cleanFolder(folder: string, maxBytes: number): Promise<void> {
  const files = await readdir(folder).catch(() => [])
  const states = (await Promise.all(notesIn(files).map(name => describe(folder, name)))).filter(
    state => state !== undefined,
  )
  const tooOld = Date.now() - chatDays * 86_400_000
  let chats = 0
  let chatBytes = 0
  let bytes = 0
  for (const state of states.toSorted((a, b) => b.usedAt - a.usedAt)) {
    const isChat = state.kind === 'chat'
    const isOver =
      bytes + state.bytes > maxBytes ||
      (isChat &&
        (chats === keptChats || chatBytes + state.bytes > maxBytes * chatShare || state.usedAt < tooOld))
    if (isOver) {
      await removeState(folder, state.name)
      continue
    }
    bytes += state.bytes
    if (!isChat) continue
    chats++
    chatBytes += state.bytes
  }
  await removeLeftovers(folder, files)
}

/**
 * Delete the histories of a chat, or of all chats: a deleted chat must leave no trace here. A history without
 * an owner may continue any chat, so it is deleted too.
 */
export async function forgetChats(folder: string, sessionId?: string): Promise<void> {
  for (const name of notesIn(await readdir(folder).catch(() => []))) {
    if (kindOf(name) !== 'chat') continue
    const owner = sessionId === undefined ? undefined : await readOwner(folder, name)
    if (owner?.sessionId === undefined || owner.sessionId === sessionId) await removeState(folder, name)
  }
}

/**
 * Delete the states of a chat under other settings of the same model. They contain less of the chat than the
 * new state, and count towards the few histories that are kept.
 */
export async function removeElsewhere(
  folder: string,
  { model, family, sessionId }: { model: string; family: string; sessionId: string },
): Promise<void> {
  for (const name of notesIn(await readdir(folder).catch(() => []))) {
    if (kindOf(name) !== 'chat' || name.startsWith(family)) continue
    const owner = await readOwner(folder, name)
    if (owner?.sessionId !== sessionId) continue
    if (settingsIn(owner.key)?.model === model) await removeState(folder, name)
  }
}

/** The part of the settings of a state that is read here. */
const Settings = z.object({ model: z.unknown().optional(), library: z.unknown().optional() })

const settingsIn = (key: string) => Settings.safeParse(parseJson(key)).data

/** Delete the states that another version of the library wrote, and notes that this program cannot read. */
export async function removeOutdated(folder: string, library: unknown): Promise<void> {
  for (const name of notesIn(await readdir(folder).catch(() => []))) {
    const owner = await readOwner(folder, name)
    const made = owner && settingsIn(owner.key)
    if (!made || !isDeepStrictEqual(made.library, library)) await removeState(folder, name)
  }
}

/** Return the names of the states that have a note. */
export const notesIn = (files: readonly string[]): string[] =>
  files
    .filter(file => extname(file) === '.json')
    .map(file => basename(file, '.json'))
    .filter(name => kindOf(name) !== undefined)

async function describe(folder: string, name: string) {
  try {
    const [note, state] = await Promise.all([stat(notePath(folder, name)), stat(statePath(folder, name))])
    return { name, kind: kindOf(name), bytes: note.size + state.size, usedAt: note.mtimeMs }
  } catch {
    // Another process deleted it, or half of it is missing.
    await removeState(folder, name)
    return undefined
  }
}

/** Delete leftovers of a crash. Only old files: a recent one without a note may still be being written. */
async function removeLeftovers(folder: string, files: readonly string[]): Promise<void> {
  const complete = new Set(notesIn(files))
  for (const file of files) {
    const name = file.replace(/(\.json)?\.part$|\.kv$/, '')
    if (name === file || kindOf(name) === undefined || (complete.has(name) && !file.endsWith('.part')))
      continue
    const path = join(folder, file)
    const age = await stat(path).then(
      stats => Date.now() - stats.mtimeMs,
      () => 0,
    )
    if (age > unfinishedMs) await rm(path, { force: true }).catch(() => undefined)
  }
}
