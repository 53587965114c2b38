import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/**
 * The file of a program by its name, in the folders of PATH and in others where its installer puts it; undefined where it is not
 * installed. A window that was started from a menu often has a shorter PATH than a terminal, so those others count.
 */
export async function findProgram(
  name: string,
  path: string | undefined,
  others: readonly string[] = [],
): Promise<string | undefined> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : ['']
  // A relative entry would mean another program in each folder.
  const folders = [...(path ?? '').split(delimiter), ...others].filter(isAbsolute)
  for (const folder of new Set(folders))
    for (const ending of endings) {
      const file = join(folder, `${name}${ending}`)
      if (await isProgram(file)) return file
    }
  return undefined
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
