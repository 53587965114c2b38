import { openBackup } from '../data/backup/read-backup.ts'
import { restoreBackup } from '../data/backup/restore-backup.ts'
import { absolutePath } from './command-line.ts'
import { followProgress, untilStopped } from './data-actions.ts'
import { escapeInvisible, many, momentOf, printAside, printLine } from './terminal-text.ts'

/**
 * Restore a backup into a new home folder, without a host: the usual home may be the one that cannot be opened. Resolves to
 * whether it was restored.
 */
export function restoreHome(given: string, newHome: string, { json }: { json?: true }): Promise<boolean> {
  return untilStopped(async signal => {
    const path = absolutePath(given)
    const folder = absolutePath(newHome)
    const { manifest } = await openBackup(path)
    if (!json)
      printAside(
        `A backup of ${escapeInvisible(manifest.home)} of ${momentOf(manifest.createdAt)} with ${many(manifest.chats.length, 'chat')}${manifest.hasKeys ? ' and keys' : ', without keys'}.`,
      )
    const done = await followProgress(restoreBackup({ path, folder }, signal), json)
    if (!done || json) return
    const named = escapeInvisible(done.folder)
    printLine(`Restored into ${named}. Your other home folder was not changed.`)
    printLine(`Start Talaria with it: talaria chat --home '${named}', or set TALARIA_HOME to this folder.`)
    printLine('Model files are not in a backup: add them again, or copy the folder models.')
  })
}
