import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { LocalMcpServer } from '../../shared/contract/mcp.ts'
import { isWithin, type GivenPlaces } from '../confinement/profile.ts'

/** Programs that get their code from a file that an argument names. */
const RUNNERS = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|perl|php|sh|bash|zsh|java)$/i
const CODE = /\.(?:[cm]?[jt]s|py|rb|pl|php|sh|jar)$/i

/** The last part of a command, without the ending of a Windows program. */
export const programOf = (command: string): string =>
  command.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|bat)$/i, '')

/** The files of code that a command names: a program by its whole path, and scripts of programs that run scripts. */
export function namedCode({ command, args, cwd = '/' }: LocalMcpServer): string[] {
  const scripts = RUNNERS.test(programOf(command)) ? args.filter(arg => CODE.test(arg)) : []
  return [...(isAbsolute(command) ? [command] : []), ...scripts].map(path => resolve(cwd, path))
}

/**
 * The places that a person gave to a server with its command: it may read the code that the command names, and write to the
 * folders, and to the folders of the files, that arguments and variables name, and to `root`, the folder of the chat that uses
 * it. `home` is Talaria's own. The whole file system and what contains a home folder are never given to write to.
 */
export function namedPlaces(
  server: LocalMcpServer,
  home: string,
  root?: string,
  userHome = homedir(),
): GivenPlaces {
  const code = namedCode(server)
  const named = [...server.args, ...Object.values(server.env)]
    .map(text => text.replace(/^--?[\w-]+=/, ''))
    .filter(text => isAbsolute(text) && !code.includes(text))
  const isTooBroad = (path: string) => [userHome, home, '/tmp', '/var/tmp'].some(each => isWithin(path, each))
  const roots = root !== undefined && existsSync(root) ? [realpathSync(root)] : []
  const files = named.filter(path => statSync(path, { throwIfNoEntry: false })?.isFile())
  const folders = named.flatMap(path => {
    const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path)
    return existsSync(folder) ? [realpathSync(folder)] : []
  })
  return {
    readable: [...code.filter(existsSync).map(packageOf), ...files]
      .map(path => realpathSync(path))
      .filter(path => !isWithin(home, path)),
    writable: [...new Set([...folders.filter(path => !isWithin(home, path)), ...roots])].filter(
      path => !isTooBroad(path),
    ),
  }
}

/** The outermost package around a file, since its parts may lie in that; its folder; or the file alone where others are. */
function packageOf(file: string): string {
  const shared = new Set(['/tmp', '/var/tmp', '/home', '/', homedir()])
  const folders: string[] = []
  for (let at = dirname(realpathSync(file)); !shared.has(at) && at !== dirname(at); at = dirname(at))
    folders.push(at)
  const isPackage = (folder: string) =>
    ['package.json', 'node_modules', 'pyproject.toml'].some(name => existsSync(join(folder, name)))
  return folders.findLast(isPackage) ?? folders[0] ?? file
}
