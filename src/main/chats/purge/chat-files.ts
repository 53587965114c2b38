import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import { namesIn, undefinedIfMissing } from '../../lib/expected-errors.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import type { Unremoved } from '../../lib/removal/unremoved.ts'
import type { AttachmentStore } from '../../db/chats/attachment-tables.ts'
import type { PurgeStore } from '../../db/removal/purge-tables.ts'

const OUTPUT = /\bout_[0-9a-z]+\.[0-9a-z]+\b/g
const OUTPUTS = 'cache/outputs'
/** Folders that a chat may have below the home: its `/tmp`, quarantined files, copies of changed files. */
const FOLDERS = ['cache/tmp', 'cache/aside', 'file-copies']
const ATTACHED = 'attachments'
type ChatStores = { purge: Pick<PurgeStore, 'results'>; attachments: Pick<AttachmentStore, 'onlyIn'> }
/** A younger file may belong to a result that is not stored yet. */
const UNSTORED_MS = 60 * 60_000

/**
 * Return the files and folders of a chat, relative to the home: its own folders, long results and pictures
 * that its messages name, and attachment contents that only it uses. Call this while its rows still exist.
 */
export async function filesOfChat(
  home: string,
  { purge: store, attachments }: ChatStores,
  sessionId: string,
): Promise<string[]> {
  const named = new Set<string>()
  for (let after: number | undefined = 0; after !== undefined;) {
    const { texts, last } = store.results(sessionId, after)
    for (const name of texts.flatMap(text => text.match(OUTPUT) ?? [])) named.add(name)
    after = last
    await others()
  }
  const outputs = namesIn(join(home, OUTPUTS)).filter(name => named.has(name))
  return [
    ...FOLDERS.map(folder => `${folder}/${sessionId}`),
    ...outputs.map(name => `${OUTPUTS}/${name}`),
    ...attachments.onlyIn(sessionId).flatMap(hash => [`${ATTACHED}/${hash}`, `${ATTACHED}/${hash}.json`]),
  ]
}

/** Return whether a file belongs to a content that another chat has started to use. */
export const isAttached = (attachments: Pick<AttachmentStore, 'isUsed'>, path: string): boolean => {
  const hash = /^attachments\/([0-9a-f]{64})(?:\.json)?$/.exec(path)?.[1]
  return hash !== undefined && attachments.isUsed(hash)
}

/**
 * Remove the files of long results that no chat names. A crash came between the file and its message, or the
 * file could not be removed with its chat. `before`: when this host started; older files belong to no result
 * still to be stored.
 */
export async function removeForgottenOutputs(
  home: string,
  store: Pick<PurgeStore, 'isMentioned'>,
  { before, signal }: { before: number; signal: AbortSignal },
): Promise<Unremoved[]> {
  const left: Unremoved[] = []
  for (const name of namesIn(join(home, OUTPUTS))) {
    const path = join(home, OUTPUTS, name)
    const stats = await lstat(path).catch(undefinedIfMissing)
    const isOld = stats !== undefined && (stats.mtimeMs < before || Date.now() - stats.mtimeMs > UNSTORED_MS)
    if (isOld && !store.isMentioned(name)) left.push(...(await removeTree(path, { signal })))
    await others()
  }
  return left
}
