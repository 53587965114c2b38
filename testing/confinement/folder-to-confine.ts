import { mkdirSync, mkdtempSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isWithin } from '../../src/main/confinement/profile.ts'

/**
 * A fresh folder for confined commands. Not below `/tmp`, which is hidden from them entirely, and not
 * directly in the home folder: for root, concurrent programs would hide each other's folders as homes of
 * other users. If `HOME` itself is below `/tmp`, as in a trial with an empty home folder, the user's home
 * folder from the system is used.
 */
export function aFolderToConfine(): string {
  const home = isWithin(tmpdir(), homedir()) ? userInfo().homedir : homedir()
  const parent = join(home, '.cache', 'talaria-tests')
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, 'confined-'))
}
