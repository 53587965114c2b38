import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import type { McpFolder, McpProjectServer, McpServer } from '../../../shared/contract/connections/mcp.ts'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import { isInside } from '../../files/paths/resolve-path.ts'
import { nameFrom, readPasted } from './added-servers.ts'
import { isLocal, type KnownServer } from './known-servers.ts'

/** The file in which a project names MCP servers, in the form that other programs use. */
const FILE = '.mcp.json'
const LARGEST_FILE = 100_000
const MOST_SERVERS = 50

/** A folder that chats work in or that is trusted, with links resolved. */
type ProjectFolder = { folder: string; trusted: boolean }

type Parts = {
  folders(): readonly ProjectFolder[]
  /** The user's own servers, whose names come first. */
  own(): readonly McpServer[]
  /** The user's choices for servers of projects. */
  choices(): readonly McpProjectServer[]
  /** Called if the files, or the trust in their folders, changed. */
  onChange(): void
}

/** The servers named by `.mcp.json` files of trusted folders. Files of other folders are not read. */
export type ProjectServers = {
  /** Search for folders again, which takes a database query. */
  look(): void
  /** The servers in the present files; the same list as before if nothing changed. */
  servers(): readonly KnownServer[]
  /** The folders with an `.mcp.json` file, and the problems in these files. */
  projects(): McpFolder[]
  /** The paths of the files that are read. */
  files(): string[]
}

/** Create the part that reads servers of projects. */
export function openProjectServers({ folders, own, choices, onChange }: Parts): ProjectServers {
  let around: readonly ProjectFolder[] = []
  let last:
    | { key: string; own: unknown; choices: unknown; servers: KnownServer[]; projects: McpFolder[] }
    | undefined
  const trusted = () => around.filter(each => each.trusted)
  /** Read the files only once at a time, however many tools are asked about. */
  let isFresh = false

  function read(): NonNullable<typeof last> {
    if (last && isFresh && last.own === own() && last.choices === choices()) return last
    isFresh = true
    setImmediate(() => (isFresh = false)).unref()
    const key = JSON.stringify(
      trusted().flatMap(({ folder }) => {
        const stamp = stampOf(folder)
        return stamp === undefined ? [] : [[folder, stamp]]
      }),
    )
    if (last?.key === key && last.own === own() && last.choices === choices()) return last
    const hasChanged = last !== undefined && last.key !== key
    const servers: KnownServer[] = []
    const projects: McpFolder[] = []
    const taken = new Set(own().map(({ name }) => name))
    for (const { folder } of trusted()) {
      const found = readProject(folder)
      if (!found) continue
      const problems = [...found.problems]
      for (const server of found.servers) {
        if (own().some(({ name }) => name === server.name))
          problems.push(`You have a server of your own named ${server.name}, which is used instead.`)
        else servers.push(withChoices({ ...server, name: freeName(server.name, folder, taken) }, choices()))
      }
      projects.push({ folder, trusted: true, problems })
    }
    last = { key, own: own(), choices: choices(), servers, projects }
    if (hasChanged) onChange()
    return last
  }

  return {
    look() {
      around = folders()
      isFresh = false
      read()
    },
    servers: () => read().servers,
    projects: () => [
      ...read().projects,
      ...around
        .filter(each => !each.trusted && stampOf(each.folder) !== undefined)
        .map(({ folder }) => ({ folder, trusted: false, problems: [] })),
    ],
    files: () => trusted().map(({ folder }) => join(folder, FILE)),
  }
}

/** A stamp of the file's state; undefined if it is missing. */
function stampOf(folder: string): string | undefined {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(join(folder, FILE))
    return [ino, size, mtimeMs, ctimeMs].join()
  } catch (error) {
    const code = fileErrorCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : code
  }
}

/** If two projects use a name, the second one gets its folder appended. */
function freeName(name: string, folder: string, taken: Set<string>): string {
  const named = `${name.slice(0, 16)}-${nameFrom(basename(folder)).slice(0, 12)}`
  const numbered = Array.from({ length: MOST_SERVERS * 50 }, (_, at) => `${named}-${at + 2}`)
  const free = [name, named, ...numbered].find(each => !taken.has(each))!
  taken.add(free)
  return free
}

function withChoices(server: KnownServer, choices: readonly McpProjectServer[]): KnownServer {
  const chosen = choices.find(each => each.folder === server.project && each.name === server.name)
  if (!chosen) return server
  const { folder: _folder, network, ...shared } = chosen
  return { ...server, ...shared, ...(isLocal(server) && { network }) }
}

/** The stored choices for a project's server, without what its file says. */
export function choicesOf(server: KnownServer): McpProjectServer {
  const { name, enabled, pinned, off, by_shape, start_timeout_s, call_timeout_s, project = '' } = server
  const network = isLocal(server) && server.network
  return { folder: project, name, enabled, pinned, off, by_shape, start_timeout_s, call_timeout_s, network }
}

type Found = { servers: KnownServer[]; problems: string[] }

/** The servers of a folder, and the problems in its file; undefined without a file. */
function readProject(folder: string): Found | undefined {
  const text = readFile(folder)
  if (text === undefined) return undefined
  if (isRefusal(text)) return { servers: [], problems: [`The file cannot be read. ${text.refused}`] }
  const found = readPasted(text, { isProject: true })
  if (isRefusal(found)) return { servers: [], problems: [found.refused] }
  const problems =
    found.slice(MOST_SERVERS).length > 0 ? [`Only the first ${MOST_SERVERS} servers are used.`] : []
  const servers = new Map<string, KnownServer>()
  for (const each of found.slice(0, MOST_SERVERS)) {
    if ('problem' in each) problems.push(`${each.name.slice(0, 100)}: ${each.problem}`)
    else if (servers.has(each.name))
      problems.push(`${each.name}: Two servers have this name. The first one is used.`)
    else servers.set(each.name, inFolder(each.server, folder))
  }
  return { servers: [...servers.values()], problems }
}

/** Set the folder of a server, because other programs start it in the project's folder. */
function inFolder(server: McpServer, folder: string): KnownServer {
  if (!isLocal(server)) return { ...server, project: folder }
  const { command, cwd = '.' } = server
  const isRelative = /[/\\]/.test(command) && !isAbsolute(command) && !command.startsWith('${')
  return {
    ...server,
    command: isRelative ? resolve(folder, command) : command,
    cwd: /^(?:\$\{|~(?:\/|$))/.test(cwd) ? cwd : resolve(folder, cwd),
    project: folder,
  }
}

/** Read the file; undefined if it is missing. A link out of the folder is not followed. */
function readFile(folder: string): string | Refusal | undefined {
  const path = join(folder, FILE)
  try {
    const real = realpathSync(path)
    if (!isInside(realpathSync(folder), real))
      return { refused: 'It is a link that leads out of the folder.' }
    // A pipe would wait for a writer.
    const file = openSync(
      real,
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    )
    try {
      const facts = fstatSync(file)
      if (!facts.isFile()) return { refused: 'It is no file.' }
      if (facts.size > LARGEST_FILE) return { refused: `It is larger than ${LARGEST_FILE / 1_000} kB.` }
      const bytes = Buffer.alloc(LARGEST_FILE)
      const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, LARGEST_FILE, 0)).replace(/^\uFEFF/, '')
      return text.includes('\0') ? { refused: 'It is no text.' } : text
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const code = fileErrorCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { refused: `${reasonOf(code)}.` }
  }
}

/** Whether chats that work in a folder may use a server. */
export const servesFolder = ({ project }: KnownServer, folder: string | undefined): boolean =>
  project === undefined || project === folder
