import { restoreBackup } from '../../src/main/data/backup/restore-backup.ts'
import { writeBackup } from '../../src/main/data/backup/write-backup.ts'
import { aBackupJob, lastOf } from './a-home.ts'

/**
 * Make backups of a home folder, or restore a backup, repeatedly until killed, and print a line at each
 * start. Arguments: `backup` or `restore`, the home folder or the backup, and the folder to write to.
 */
const [work, source = '', folder = ''] = process.argv.slice(2)
const never = new AbortController().signal
for (let round = 1; ; round++) {
  process.stdout.write(`${round}\n`)
  if (work === 'restore')
    await lastOf(restoreBackup({ path: source, folder: `${folder}/home-${round}` }, never))
  else
    await lastOf(
      writeBackup(aBackupJob({ home: source, path: `${source}/state.db` }, `${folder}/${round}.zip`), never),
    )
}
