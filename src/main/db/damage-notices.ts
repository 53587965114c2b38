import { constants, statSync, copyFileSync, existsSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Notice } from '../../shared/contract/app.ts'
import { backupFolder, fileTime } from '../lib/durable-files.ts'

/** The notice after the word index was rebuilt. */
export const REBUILT: Notice = {
  id: 'store-index',
  level: 'info',
  text: 'The search index of your chats was damaged and has been rebuilt. No chat was lost.',
  fix: '',
}

/** Copy a damaged database, and return a notice with its path and the next steps. */
export function damageNotice(
  home: string,
  path: string,
  reason: string,
  report: (error: unknown) => void,
): Notice {
  const copy = keepCopy(home, path, report)
  return {
    id: `store-damaged-${basename(path)}`,
    level: 'error',
    text: `${path} cannot be read (${reason}). It was left unchanged, and new chats are stored in another file beside it.`,
    fix: [
      copy ? `A copy is in ${copy}.` : 'No copy could be made.',
      `To get older chats back, restore a daily backup (Settings > Data), or close Talaria and put a database from ${join(home, 'backups')} in its place${
        existsSync(`${path}-wal`) ? `, and move ${basename(path)}-wal away` : ''
      }.`,
      'To start over, move it away.',
    ].join(' '),
  }
}

/** A notice about chats that were created while the main database was unusable. */
export function safeNotice(home: string, names: readonly string[]): Notice[] {
  const used = names.filter(name => existsSync(join(home, name)))
  if (used.length === 0) return []
  const text = `Chats created while the database was damaged are in ${used.join(', ')} and are not shown.`
  return [{ id: 'store-safe', level: 'info', text, fix: `They stay in ${home} until you delete them.` }]
}

/** Copy a damaged database and its log into `backups/`, once for each state of the file; undefined when that fails. */
function keepCopy(home: string, path: string, report: (error: unknown) => void): string | undefined {
  try {
    const parts = ['', '-wal'].filter(part => existsSync(path + part))
    const { mtimeMs, size } = statSync(path + (parts[0] ?? ''))
    const copy = join(backupFolder(home), `damaged-${fileTime(mtimeMs)}-${size}-${basename(path)}`)
    for (const part of parts) {
      if (existsSync(copy + part)) continue
      copyFileSync(path + part, `${copy}${part}.part`, constants.COPYFILE_FICLONE)
      renameSync(`${copy}${part}.part`, copy + part)
    }
    return copy + parts[0]
  } catch (error) {
    report(error)
    return undefined
  }
}
