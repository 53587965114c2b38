import { existsSync } from 'node:fs'
import { mkdir, realpath, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Fault } from '../shared/rpc.ts'

const WELCOME = `# Welcome

This is the folder that new chats work in. The agent reads here without asking,
and asks before it changes anything. Choose another folder at the top of a chat.
`

/** The real path of a folder that a person named (`~` is their home). Throws a `bad_input` Fault when it is no folder. */
export async function resolveWorkspace(given: string): Promise<string> {
  const path = resolve(given === '~' || given.startsWith('~/') ? join(homedir(), given.slice(1)) : given)
  try {
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return real
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES') throw new Fault('bad_input', `${path} may not be opened by this user.`)
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP' && code !== 'ENAMETOOLONG') throw error
    throw new Fault('bad_input', `There is no folder ${path}.`)
  }
  throw new Fault('bad_input', `${path} is a file, not a folder.`)
}

/** The folder of new chats: the given one, or one of Talaria's own, made on first use. */
export async function defaultWorkspace(home: string, given: string | undefined): Promise<string> {
  if (given !== undefined) return resolveWorkspace(given)
  const own = join(home, 'workspace')
  if (!existsSync(own)) {
    await mkdir(own, { recursive: true })
    await writeFile(join(own, 'welcome.md'), WELCOME)
  }
  return realpath(own)
}
