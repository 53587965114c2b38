import { readdir, rm, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { kindOf, notePath, removeState, statePath } from './state-file.ts'

/** Chat histories are large and soon outdated: keep only the last few, within this share of the folder. */
const keptChats = 4
export const chatShare = 0.5
/** After a week a history is useless, and private data should not stay around. */
const chatDays = 7
/** A younger file may still be being written. */
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
 * Delete the histories of all chats: a deleted chat must leave no trace here, and the others only need to be
 * evaluated again.
 */
export async function forgetChats(folder: string): Promise<void> {
  const names = notesIn(await readdir(folder).catch(() => []))
  for (const name of names) if (kindOf(name) === 'chat') await removeState(folder, name)
}

/** The names of the states that have a note. */
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

/** A file of ours without a note is being written, or is a leftover of a crash. */
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
