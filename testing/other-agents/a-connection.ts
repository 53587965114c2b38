import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { MAY_NOTHING } from '../../src/shared/contract/connections/agents.ts'
import type { MemoryEntry } from '../../src/shared/contract/learned/memory.ts'
import type { AgentKeys } from '../../src/main/other-agents/connect/apply-connection.ts'
import type { Connector, SharedSkillFolder } from '../../src/main/other-agents/connect/connector.ts'
import { openConnect } from '../../src/main/other-agents/connect/open-connect.ts'

// For tests: the connections of a home folder to other programs, with a separate user folder, keys in memory,
// and the memory and skills that the test sets.

/** A folder for the user and one for Talaria in it. */
export function aPerson() {
  const user = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-connect-')))
  const at = (...names: string[]) => join(user, ...names)
  mkdirSync(at('.talaria'), { mode: 0o700 })
  return {
    user,
    home: at('.talaria'),
    at,
    write(name: string, text: string, mode = 0o644) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), text)
      chmodSync(at(name), mode)
      return at(name)
    },
    read: (name: string) => readFileSync(at(name), 'utf8'),
    has: (name: string) => existsSync(at(name)),
    /** Add a program to the user's search path, as a Node script. */
    program(name: string, body: string) {
      this.write(`bin/${name}`, `#!${process.execPath}\n${body}`, 0o755)
    },
    /** Every file and folder with its bytes and permissions, except those of the programs. */
    all: () => everything(user),
    [Symbol.dispose]: () => rmSync(user, { recursive: true, force: true }),
  }
}
export type Person = ReturnType<typeof aPerson>

function everything(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(root, path)
    if (name.startsWith('bin')) continue
    const mode = (statSync(path).mode & 0o777).toString(8)
    found[name] = entry.isFile()
      ? `${mode} ${readFileSync(path, 'utf8')}`
      : entry.isDirectory()
        ? mode
        : 'link'
  }
  return found
}

/** The state that a test sets, and connections on it. `fail` throws at a given step. */
export function someConnections(
  { user, home }: Person,
  connectors: readonly Connector[],
  { label = 'talaria', onStep = () => {} }: { label?: string; onStep?: (step: string) => void } = {},
) {
  const known = new Map<string, string>()
  const set = {
    may: MAY_NOTHING,
    allowed: false,
    entries: [] as MemoryEntry[],
    projects: [] as { id: string; name: string; folder: string }[],
    skills: [] as SharedSkillFolder[],
    locked: false,
    totals: [] as { agent: string; lastAt: number; sessions: number; events: number; bytes: number }[],
    now: 1_000,
    errors: [] as unknown[],
  }
  let made = 0
  const keys: AgentKeys = {
    make: () => ({ id: `agent-${++made}`, key: `talaria-key-${made}` }),
    add(_name, { id, key }) {
      onStep('key')
      known.set(id, key)
    },
    has: id => known.has(id),
    remove: id => void known.delete(id),
  }
  const opened = openConnect({
    connectors,
    places: { user, home, env: { PATH: join(user, 'bin') } },
    terminal: { command: '/opt/node', args: ['/opt/talaria/talaria.mjs'] },
    node: process.execPath,
    label,
    version: '0.1.0',
    foreign: { totals: () => set.totals },
    keys,
    agent: id => (known.has(id) ? { allowed: set.allowed, may: set.may } : undefined),
    memory: () => set,
    skills: async () => set.skills,
    isLocked: () => set.locked,
    onChange: () => onStep('end'),
    now: () => set.now,
    report: error => set.errors.push(error),
  })
  const { handlers } = opened
  const program = connectors[0]!.program
  const plan = (what: 'connect' | 'remove') => Promise.resolve(handlers['connect.plan']({ program, what }))
  return {
    ...opened,
    set,
    known,
    plan,
    state: async () => (await handlers['connect.list']()).connections[0]!,
    async apply(what: 'connect' | 'remove', run = false) {
      const { seen } = await plan(what)
      return await handlers['connect.apply']({ program, what, run, seen })
    },
    applySeen: (what: 'connect' | 'remove', seen: string) =>
      handlers['connect.apply']({ program, what, run: false, seen }),
  }
}

/** An entry of the memory. */
export const anEntry = (text: string, more: Partial<MemoryEntry> = {}): MemoryEntry => ({
  id: text,
  target: 'memory',
  project: null,
  text,
  origin: 'you',
  sessionId: null,
  messageId: null,
  createdAt: 1,
  updatedAt: 1,
  locked: false,
  uses: 0,
  lastUsedAt: null,
  archivedAt: null,
  blocked: null,
  ...more,
})
