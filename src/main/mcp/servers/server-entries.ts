import { keysIn, McpServer, VARIABLE } from '../../../shared/contract/connections/mcp.ts'
import type { McpStore } from '../../db/connections/mcp-tables.ts'
import { parseJson, type Refusal } from '../../lib/expected-errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Clock } from '../../lib/timing.ts'
import { takeSecrets } from './added-servers.ts'
import { identityOf, isLocal, ownKeyPrefix, partsOf } from './known-servers.ts'

/** The dependencies of the entries and keys of servers. */
export type EntryParts = {
  store: McpStore
  read(): readonly McpServer[]
  write(servers: readonly McpServer[]): void
  /** Store a key in the vault, or remove it. */
  keepKey(name: string, value: string | undefined): Promise<void>
  /** The stored key that was taken from a server's entry. */
  keptKey(name: string): string | undefined
  /** The places where a server's entry lets it write. */
  placesOf(server: McpServer): readonly string[]
  now: Clock
  report(error: unknown): void
}

/** How long a removal can be undone, in ms. */
const UNDO_MS = 60_000

/** Add, rename and remove entries of servers, with their keys and agreements. */
export function serverEntries({ store, read, write, keepKey, keptKey, now, report, placesOf }: EntryParts) {
  const identityNow = (server: McpServer) => identityOf(server, placesOf(server))
  const timers = new Set<NodeJS.Timeout>()
  const removed = () =>
    store.removed().flatMap(row => {
      const entry = McpServer.safeParse(parseJson(row.entry))
      return entry.success ? [{ ...row, server: entry.data }] : []
    })
  /** The keys of all other servers, including removed ones that can be restored, even of this name. */
  const keysBeside = (name: string) =>
    [...read().filter(each => each.name !== name), ...removed().map(({ server }) => server)].flatMap(server =>
      keysIn(server),
    )

  /** Delete the keys that were taken from a server and that no other uses. */
  async function forgetKeys(server: McpServer, inUse: readonly string[]): Promise<void> {
    for (const name of keysIn(server))
      if (name.startsWith(ownKeyPrefix(server.name)) && !inUse.includes(name)) await keepKey(name, undefined)
  }

  /** Store keys during some work. If it fails, restore the vault, so that no unused keys remain. */
  async function keepingKeys<T>(work: (keep: EntryParts['keepKey']) => Promise<T>): Promise<T> {
    const before = new Map<string, string | undefined>()
    try {
      return await work((name, value) => {
        if (!before.has(name)) before.set(name, keptKey(name))
        return keepKey(name, value)
      })
    } catch (error) {
      for (const [name, value] of before)
        if (keptKey(name) !== value) await keepKey(name, value).catch(report)
      throw error
    }
  }

  /** Rename the keys of a renamed server, so that they are deleted with it. */
  async function withNewKeys(
    server: McpServer,
    was: string,
    taken: readonly string[],
    keep: EntryParts['keepKey'],
  ): Promise<McpServer> {
    const names = new Map<string, string>()
    const used = new Set([...taken, ...keysIn(server)])
    for (const old of keysIn(server)) {
      const value = keptKey(old)
      if (!old.startsWith(ownKeyPrefix(was)) || taken.includes(old) || value === undefined) continue
      const wanted = ownKeyPrefix(server.name) + old.slice(ownKeyPrefix(was).length)
      let called = wanted
      for (let number = 2; used.has(called); number++) called = `${wanted}_${number}`
      used.add(called)
      names.set(old, called)
      await keep(called, value)
    }
    const renamed = (text: string) =>
      text.replaceAll(VARIABLE, (all: string, name: string) => {
        const called = names.get(name)
        return called === undefined ? all : all.replace(name, called)
      })
    const each = (values: Record<string, string>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, renamed(value)]))
    return isLocal(server)
      ? {
          ...server,
          command: renamed(server.command),
          ...(server.cwd !== undefined && { cwd: renamed(server.cwd) }),
          args: server.args.map(renamed),
          env: each(server.env),
        }
      : { ...server, url: renamed(server.url), headers: each(server.headers) }
  }

  /** Forget removed servers that can no longer be restored, and the one with this name immediately. */
  async function forgetRemoved(name?: string): Promise<void> {
    for (const each of removed()) {
      if (each.name !== name && each.at + UNDO_MS > now()) continue
      const others = removed().filter(other => other.name !== each.name)
      await forgetKeys(
        each.server,
        [...read(), ...others.map(({ server }) => server)].flatMap(server => keysIn(server)),
      )
      store.forget(each.agreedAs)
      store.dropRemoved(each.name)
    }
  }

  function forgetLater(): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      forgetRemoved().catch(report)
    }, UNDO_MS)
    timers.add(timer.unref())
  }
  if (store.removed().length > 0) {
    forgetRemoved().catch(report)
    forgetLater()
  }

  return {
    /** Add or replace a server that the user agreed to. `was` is its former name. Resolves to its entry. */
    async put(given: McpServer, was: string): Promise<McpServer> {
      const before = read().find(({ name }) => name === was)
      const taken = keysBeside(was)
      const { server: unnamed, secrets } = takeSecrets(given, taken)
      // Secrets in the file are never shown, so an edited entry refers to them by name.
      const wanted = new Set(keysIn(unnamed))
      const written = before ? [...takeSecrets(before, taken).secrets] : []
      const kept = written.filter(([name]) => wanted.has(name))
      const isRenamed = before !== undefined && was !== given.name
      const server = await keepingKeys(async keep => {
        for (const [name, value] of [...kept, ...secrets]) await keep(name, value)
        const named = isRenamed ? await withNewKeys(unnamed, was, taken, keep) : unnamed
        store.atOnce(() => {
          if (isRenamed) {
            const isSame = store.agreed(was)?.identity === identityNow(unnamed)
            store.rename(was, named.name, isSame ? identityNow(named) : undefined)
          }
          const said = JSON.stringify(partsOf(named, placesOf(named)))
          store.acceptServer(named.name, identityNow(named), said, now())
          write(
            before
              ? read().flatMap(each => (each === before ? named : each.name === was ? [] : each))
              : [...read(), named],
          )
        })
        return named
      })
      if (before) await forgetKeys(before, [...taken, ...keysIn(server)])
      return server
    },
    /**
     * Remove a server from the list. Its keys and agreements stay until the removal can no longer be undone;
     * with `forGood` they go immediately.
     */
    async remove(name: string, forGood: boolean): Promise<void> {
      await forgetRemoved(name)
      const place = read().findIndex(server => server.name === name)
      const entry = read()[place]
      if (!entry) return
      if (forGood) {
        write(read().filter(each => each.name !== name))
        await forgetKeys(entry, keysBeside(name))
        store.forget(name)
        return
      }
      // A removed entry contains no secrets, even if they were written into the file by hand.
      const { server, secrets } = takeSecrets(entry, keysBeside(name))
      const isSame = store.agreed(name)?.identity === identityNow(entry)
      const agreedAs = newId('gone')
      await keepingKeys(async keep => {
        for (const [key, value] of secrets) await keep(key, value)
        store.atOnce(() => {
          store.rename(name, agreedAs, isSame ? identityNow(server) : undefined)
          store.addRemoved({ name, entry: JSON.stringify(server), place, agreedAs, at: now() })
          write(read().filter(each => each.name !== name))
        })
      })
      forgetLater()
    },
    /** Restore a server that was removed a moment ago, with all agreements. */
    restore(name: string): Refusal | undefined {
      const found = removed().find(each => each.name === name)
      if (!found) return { refused: `The server ${name} can no longer be restored. Add it again.` }
      if (read().some(each => each.name === name))
        return { refused: `Another server is now named ${name}. Rename or remove it first.` }
      store.atOnce(() => {
        store.rename(found.agreedAs, name)
        store.dropRemoved(name)
        write(read().toSpliced(found.place, 0, found.server))
      })
      return undefined
    },
    close(): void {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
