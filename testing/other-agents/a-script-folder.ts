import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type {
  Connector,
  ConnectInput,
  FileEdit,
  Snapshot,
} from '../../src/main/other-agents/connect/connector.ts'
import { readSpoolLine } from '../../src/main/other-agents/inbox/spool-line.ts'

type Given = { label?: string; env?: Record<string, string> }

const readText = async (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Write the files of a connector into a Talaria home folder and a user's home folder, whose names contain a
 * space.
 */
export function aScriptFolder(connector: Connector, { label = 'talaria', env = {} }: Given = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'connect ')))
  const home = join(top, 'talaria')
  const folder = join(home, 'connect', connector.program)
  const given: ConnectInput = {
    folder,
    inbox: join(home, 'inbox', connector.program),
    snapshot: join(folder, 'snapshot.json'),
    launch: { command: '/bin/node', args: ['cli.js'], env: { TALARIA_AGENT_KEY: 'k1' } },
    node: process.execPath,
    label,
    skills: [
      {
        name: 'greeting',
        files: [
          {
            name: 'SKILL.md',
            text: '---\nname: greeting\ndescription: How Ada is greeted.\n---\nSay hello to Ada in Welsh.\n',
          },
        ],
      },
    ],
    version: '0.1.0',
  }
  const places = { user: join(top, 'person'), home, env }
  mkdirSync(places.user)

  function share(part: Partial<Snapshot> = {}): void {
    const snapshot: Snapshot = {
      v: 1,
      learn: true,
      inbox: given.inbox,
      about: 'The user is called Ada.',
      folders: { '': 'The user writes British English.' },
      skills: [join(folder, 'skills', 'greeting')],
      ...part,
    }
    writeFileSync(given.snapshot, JSON.stringify(snapshot))
  }

  for (const { name, text } of connector.files(given)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  }
  share()
  return {
    top,
    given,
    places,
    share,
    read: readText,
    /** The script as the other program loads it, from its folder. */
    load: (script: string) => import(pathToFileURL(join(folder, script)).href),
    /** The lines of the spool of a session, all of which must be readable. */
    spooled(session: string) {
      const lines = readFileSync(join(given.inbox, `${session}.jsonl`), 'utf8')
        .trimEnd()
        .split('\n')
      return lines.map(line => {
        const read = readSpoolLine(session, line)
        if ('refused' in read) throw new Error(`${read.refused}: ${line}`)
        return read
      })
    },
    sessions: () => {
      try {
        return readdirSync(given.inbox).map(name => name.replace(/\.jsonl$/, ''))
      } catch {
        return []
      }
    },
    /** Apply accepted edits, as the core does. */
    apply(edits: readonly FileEdit[]): void {
      for (const { path, after } of edits)
        if (after === undefined) rmSync(path)
        else {
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, after)
        }
    },
    [Symbol.dispose]: () => rmSync(top, { recursive: true, force: true }),
  }
}
