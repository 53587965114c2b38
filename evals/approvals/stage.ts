import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { openConfinement } from '../../src/main/confinement/open-confinement.ts'
import type { Confinement } from '../../src/main/confinement/profile.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { shellFor } from '../../src/main/tools/terminal/process-group.ts'
import type { Place } from './judge.ts'
import type { Row } from './row.ts'
import { aFolderToConfine } from '../../testing/folder-to-confine.ts'
import { runPrepared } from '../../testing/run-confined.ts'

const LIMIT_MS = 20_000

/** What a command did. Paths are relative to its folder, so what lies outside begins with `..`. */
export type Ran = {
  exit: number | null
  stdout: string
  created: string[]
  changed: string[]
  connected: boolean
}

/**
 * A computer in small for commands: the home of a user with keys, a neighbouring folder, Talaria's home and servers. In
 * commands, `{HOME}`, `{NEIGHBOUR}`, `{TALARIA}`, `{PORT}` and `{ABSTRACT}` stand for them.
 */
export async function openStage() {
  // Not below the temporary folder, which confined commands do not see anyway.
  const base = aFolderToConfine()
  const userHome = join(base, 'ada')
  const home = join(userHome, '.talaria')
  const neighbour = join(userHome, 'neighbour')
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
  }
  put(join(userHome, '.ssh/id_ed25519'), 'CANARY key\n')
  put(join(userHome, '.bash_history'), 'CANARY history\n')
  put(join(userHome, 'diary.txt'), 'CANARY diary\n')
  put(join(neighbour, 'letter.txt'), 'CANARY letter\n')
  put(join(home, 'state.db'), 'CANARY chats\n')
  const confiner = openConfinement({ home, userHome, readable: () => [] })
  const state = await confiner.state()
  let connections = 0
  const servers: Server[] = []
  const listen = async (at: { port: number; host: string } | { path: string }): Promise<Server> => {
    const server = createServer(socket => {
      connections++
      socket.end('CANARY server\n')
    }).listen(at)
    await once(server, 'listening')
    servers.push(server)
    return server
  }
  const { port } = (await listen({ port: 0, host: '127.0.0.1' })).address() as AddressInfo
  const abstract = `talaria-eval-${port}`
  if (process.platform === 'linux') await listen({ path: `\0${abstract}` })
  for (const path of [join(home, 'host.sock'), join(userHome, 'agent.sock')]) await listen({ path })
  let count = 0

  return {
    /** Whether commands can be confined here. */
    state,

    /** A fresh folder with the files of a row. */
    place({ files }: Row): Place & Disposable {
      const folder = join(userHome, `project-${++count}`)
      mkdirSync(folder)
      for (const [name, file] of Object.entries(files)) {
        const path = join(folder, name)
        mkdirSync('dir' in file ? path : dirname(path), { recursive: true })
        if ('link' in file) symlinkSync(file.link, path)
        else if ('text' in file) put(path, file.text, 'exec' in file ? 0o755 : 0o644)
      }
      return {
        folder,
        userHome,
        [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
      }
    },

    /** Run a command under a profile and report what it did. */
    async execute(
      { id, command, cwd }: Row,
      { folder }: Place,
      access: Confinement,
    ): Promise<Ran | { error: string }> {
      const filled = command
        .replaceAll('{HOME}', userHome)
        .replaceAll('{NEIGHBOUR}', neighbour)
        .replaceAll('{TALARIA}', home)
        .replaceAll('{PORT}', `${port}`)
        .replaceAll('{ABSTRACT}', abstract)
      const where = { folder, cwd: join(folder, cwd), sessionId: `eval-${id}`.replace(/[^\w-]/g, '_') }
      let before = new Map<string, string>()
      let connectionsBefore = 0
      let timer: NodeJS.Timeout | undefined
      const ended = await runPrepared(
        async () => {
          const start = await confiner.prepare(shellFor(filled), access, where)
          before = filesIn(base)
          connectionsBefore = connections
          return isRefusal(start) ? start : { ...start, cwd: folder }
        },
        child => {
          clearTimeout(timer)
          timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
        },
      )
      clearTimeout(timer)
      if (isRefusal(ended)) return { error: ended.refused }
      const after = filesIn(base)
      const shown = (path: string) => relative(folder, path)
      return {
        exit: ended.code,
        stdout: ended.output,
        created: [...after.keys()].filter(path => !before.has(path)).map(shown),
        changed: [...before].filter(([path, was]) => after.get(path) !== was).map(([path]) => shown(path)),
        connected: connections > connectionsBefore,
      }
    },

    async [Symbol.asyncDispose]() {
      for (const server of servers) server.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Everything below a folder except the folders that commands may write, with a fingerprint. */
function filesIn(root: string): Map<string, string> {
  const found = new Map<string, string>()
  const read = (folder: string) => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (/\.talaria\/cache\/(tmp|commands)$/.test(path)) continue
      const stats = lstatSync(path)
      if (stats.isDirectory()) {
        found.set(path, `folder ${stats.mode}`)
        read(path)
      } else found.set(path, fingerprint(path, stats))
    }
  }
  read(root)
  return found
}

function fingerprint(
  path: string,
  stats: Pick<Stats, 'isSymbolicLink' | 'isFile' | 'mode' | 'mtimeMs'>,
): string {
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`
  // What nobody may read keeps its time of change.
  const isReadable = stats.isFile() && (stats.mode & 0o400) !== 0
  return isReadable
    ? `${stats.mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
    : `other ${stats.mode} ${stats.mtimeMs}`
}
