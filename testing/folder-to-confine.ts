import { mkdirSync, mkdtempSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * A fresh folder for confined commands. Not below `/tmp`, which is hidden from them as a whole, and not directly in the
 * home: for root, programs that run side by side would hide each other's folders as homes of other users.
 */
export function aFolderToConfine(): string {
  const parent = join(homedir(), '.cache', 'talaria-tests')
  mkdirSync(parent, { recursive: true })
  return mkdtempSync(join(parent, 'confined-'))
}
