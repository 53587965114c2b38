import type { McpServer, McpServerState } from '../../shared/contract/connections/mcp.ts'
import { refuseUnseen } from '../../shared/contract/seen.ts'
import { confinedNpmCache } from '../confinement/open-confinement.ts'
import { isRefusal, parseJson, type Refusal } from '../lib/expected-errors.ts'
import { createTopic, type Topic } from '../lib/topic.ts'
import { redactKnown, redactText } from '../untrusted/redact.ts'
import { hashOf } from '../lib/shown-hash.ts'
import { saveOutput } from '../tools/registry/shorten-result.ts'
import { findVersion, type FoundVersion } from './servers/exact-version.ts'
import {
  acceptedTools,
  acceptListed,
  acceptTools,
  isAccepted,
  isSameTool,
  judgeShown,
  stateOf,
  toolStates,
} from './servers/judge-servers.ts'
import type { JudgedTools, ServerTool } from './judge-tools.ts'
import type { ServerParts } from './connections/connection-types.ts'
import { openConnections } from './connections/open-connections.ts'
import { servesFolder } from './servers/project-servers.ts'
import type { ReadDocument } from './results/read-saved.ts'
import { withUnwritten, type Explained } from './results/explain-unwritten.ts'
import { readResult, type ReadResult, type SaveFile } from './results/read-result.ts'
import { secretValues } from './servers/added-servers.ts'
import { serverEntries, type EntryParts } from './servers/server-entries.ts'
import { tellPlaces, type ToldPlaces } from './servers/tell-places.ts'
import { forAddress, isLocal, type KnownServer } from './servers/known-servers.ts'

/** A tool that may be called, of a server that is switched on. */
export type UsableTool = {
  server: KnownServer
  tool: ServerTool
  pinned: boolean
  unasked: boolean
  /** Identifies the tool and its server as the user agreed to them. */
  pin: string
}

/** The result of a call, or why there is none. `said`: text that the server may have written. */
type McpCall = Explained | { ok: false; reason: string; said?: string }

/** MCP servers, and what the user agreed to. */
export type Mcp = {
  servers(): readonly KnownServer[]
  get(name: string): KnownServer | undefined
  state(server: KnownServer): McpServerState
  /** The places where a server may write, even one that is not added yet. */
  placesOf(server: KnownServer): ToldPlaces
  /** Add or replace a server that the user agreed to. `was` is its former name. */
  put(server: McpServer, was?: string): Promise<void>
  /** Remove a server. This can be undone for a while, unless it is `forGood`. */
  remove(name: string, forGood: boolean): Promise<void>
  restore(name: string): Refusal | undefined
  /** Store switches and pins, which need no agreement. For a project’s server, one allows network access. */
  change(server: KnownServer): Promise<void>
  /** Agree to a server that was shown with this hash. Throws a `conflict` Fault if it has changed. */
  accept(name: string, seen: string): Promise<void>
  /** Agree to a tool that was shown with this hash. Throws a `conflict` Fault if it has changed. */
  acceptTool(server: KnownServer, tool: string, seen: string): Promise<Refusal | undefined>
  /** End a server's processes. It starts again at its next use, without waiting. */
  restart(server: McpServer): Promise<void>
  /** Find the exact version of the package that a server downloads, and return the server with it. */
  exactVersion(server: McpServer): Promise<FoundVersion | Refusal>
  /** List a server's tools, from its last listing or by starting it. */
  list(server: McpServer, folder?: string): Promise<JudgedTools | Refusal>
  /** The servers whose tools chats may use: accepted and switched on. */
  ready(): readonly KnownServer[]
  /** Whether a server was never listed since it was added, so that its tools are unknown. */
  isUnknown(server: McpServer): boolean
  /** The tools that may be called, as the user accepted them. */
  usable(): readonly UsableTool[]
  /** The names of all tools of servers, whether they may be called or not. */
  toolNames(): string[]
  /** Set whether a tool runs without a question. Refuses for a tool that was not accepted. */
  setUnasked(server: McpServer, tool: string, unasked: boolean): Refusal | undefined
  /** Let the tool with this pin run without a question. Refuses if it has changed or is gone. */
  allowAlways(this: void, pin: string): Refusal | undefined
  call(
    usable: Pick<UsableTool, 'server' | 'tool'>,
    args: Record<string, unknown>,
    how: { signal: AbortSignal; folder?: string; onProgress?: (text: string) => void },
  ): Promise<McpCall>
  /** End servers whose entries were edited. */
  reconcile(): Promise<void>
  /** Restart all servers at their next use, because the rights of programs changed. */
  restartAll(): Promise<void>
  /** Sentences for a model on changes of obeyed files by a server since the last call. */
  takeObeyed(name: string, folder?: string): string[]
  /** Whether any server is running. */
  isAnyRunning(): boolean
  changes: Topic<void>
  close(): Promise<void>
}

type Parts = ServerParts &
  Omit<EntryParts, 'placesOf'> & {
    /** The servers of projects; the same list as long as nothing changes. */
    ofProjects?(): readonly KnownServer[]
    /** Store the user's choices for a server of a project. */
    choose?(server: KnownServer): void
    /** Reads documents that servers give as resources; without it they are only stored. */
    readDocument?(path: string, how: { name: string; signal: AbortSignal }): ReturnType<ReadDocument>
    /** Estimate the tokens of a text. */
    count(text: string): number
  }

/** Open the MCP servers. None is started before its first use. */
export function openMcp(parts: Parts): Mcp {
  const { home, store, read, write, now } = parts
  let joined: { own: unknown; others: unknown; all: readonly KnownServer[] } | undefined
  /** All servers, the user's own first; the same list as long as nothing changes. */
  function all(): readonly KnownServer[] {
    const own = read()
    const others = parts.ofProjects?.() ?? NONE
    if (joined?.own !== own || joined.others !== others) joined = { own, others, all: [...own, ...others] }
    return joined.all
  }
  const get = (name: string) => all().find(server => server.name === name)
  const entries = serverEntries({ ...parts, placesOf: server => tellPlaces(server, parts).agreed })
  const connections = openConnections({
    ...parts,
    entryOf: get,
    eras: { olderSince: store.olderSince, setOlder },
  })
  /** Remember the era of a server. If the disk is full, the server is only asked again. */
  function setOlder(name: string, at: number | undefined): void {
    try {
      store.setOlder(name, at)
    } catch (error) {
      parts.report(error)
    }
  }
  /** The last listing of each server. */
  const listed = new Map<string, JudgedTools>()

  const changes = createTopic<void>()
  /** The accepted tools, which every prompt asks for. Judged again only after a change. */
  let cache:
    | { of: readonly KnownServer[]; ready: readonly KnownServer[]; usable: readonly UsableTool[] }
    | undefined
  function announce(): void {
    cache = undefined
    changes.publish()
  }
  connections.changes.subscribe(announce)

  function activityOf(server: McpServer) {
    const { problem, lines, ...activity } = connections.activity(server.name)
    const clean = (text: string) => blackened(server, text)
    return { ...activity, problem: clean(problem), lines: lines.map(clean) }
  }

  const placesOf = (server: KnownServer) => tellPlaces(server, parts)
  const isAgreed = (server: KnownServer) => isAccepted(server, store, placesOf(server).agreed)
  const toolsNow = (server: KnownServer) =>
    toolStates(server, listed.get(server.name), { store, count: parts.count })
  const stateNow = (server: KnownServer) =>
    stateOf(server, activityOf(server), toolsNow(server), store, placesOf(server))

  /** The servers, only the first of each name, because the file may have been edited by hand. */
  const servers = () =>
    [
      ...new Map(
        all()
          .toReversed()
          .map(each => [each.name, each]),
      ).values(),
    ].toReversed()

  function known() {
    // The file may have been edited since.
    const of = all()
    if (cache?.of === of) return cache
    const ready = servers().filter(server => !whyNot(server))
    const usable = ready.flatMap(server =>
      acceptedTools(server.name, store)
        .filter(({ tool }) => !server.off.includes(tool.name) && !hasChanged(server, tool))
        .map(each => ({
          ...each,
          server,
          pinned: server.pinned.includes(each.tool.name),
          pin: pinOf(server.name, each.tool),
        })),
    )
    return (cache = { of, ready, usable })
  }

  /** The pin of a tool. Another server, or one added again, has another pin even for the same tools. */
  const pinOf = (server: string, { name, hash }: ServerTool) =>
    `${name} of ${server} (${hashOf([store.agreed(server), hash]).slice(0, 16)})`

  function setUnasked(server: McpServer, tool: string, unasked: boolean): Refusal | undefined {
    if (!store.tools(server.name).has(tool))
      return { refused: `You have not agreed to a tool ${tool} of ${server.name}.` }
    store.setUnasked(server.name, tool, unasked)
    announce()
    return undefined
  }

  /** Whether a tool differs from the server's present list, if that is known. */
  function hasChanged(server: McpServer, tool: ServerTool): boolean {
    const now = listed.get(server.name)
    return (
      now !== undefined &&
      !isSameTool(
        server,
        tool,
        now.tools.find(each => each.name === tool.name),
      )
    )
  }

  function whyNot(server: KnownServer): Refusal | undefined {
    if (!isAgreed(server))
      return {
        refused: `The server ${server.name} was added or changed, and you have not agreed to it. Look at it on Connections.`,
      }
    return server.enabled ? undefined : { refused: `The server ${server.name} is switched off.` }
  }

  async function list(server: KnownServer, folder?: string): Promise<JudgedTools | Refusal> {
    if (!isAgreed(server)) return whyNot(server)!
    const found = await connections.listTools(server.name, folder)
    if (isRefusal(found)) return { refused: blackened(server, found.refused) }
    acceptListed(server.name, found, store)
    listed.set(server.name, found)
    announce()
    return found
  }

  function agreeTo(server: KnownServer, judged = judgeShown(server, store, placesOf(server))): void {
    store.acceptServer(server.name, judged.identity, JSON.stringify(judged.parts), now())
  }

  /** Remove a server's own keys from its text, except short ones, which may be ordinary words. */
  function withoutOwn(server: McpServer, text: string): string {
    const long = secretValues(server, parts.keyOf).filter(key => key.length >= LEAST_KEY)
    return redactKnown(text, [...new Set(long.flatMap(key => [key, forAddress(key)]))])
  }
  const save: SaveFile = (bytes, extension) => saveOutput(home, bytes, { extension })
  const keeping = (signal: AbortSignal) => ({
    save,
    read: parts.readDocument && ((path: string, name: string) => parts.readDocument!(path, { name, signal })),
  })
  const blackened = (server: McpServer, text: string) => redactText(withoutOwn(server, text))

  /** Remove a server's own keys from a result. Anything that looks like a secret is already gone. */
  const withoutKeys = (server: McpServer, { structured, ...result }: ReadResult): ReadResult => ({
    ...result,
    text: withoutOwn(server, result.text),
    ...(structured !== undefined && { structured: parseJson(blackened(server, JSON.stringify(structured))) }),
  })

  return {
    servers,
    ready: () => known().ready,
    isUnknown: server => store.awaitsTools(server.name),
    usable: () => known().usable,
    toolNames: () =>
      [...listed.values()].flatMap(({ tools, refused }) => [...tools, ...refused].map(({ name }) => name)),
    setUnasked,
    allowAlways(pin) {
      const found = known().usable.find(each => each.pin === pin)
      return found
        ? setUnasked(found.server, found.tool.name, true)
        : { refused: 'The tool changed or was switched off meanwhile.' }
    },
    get,
    state: stateNow,
    placesOf,
    list,
    changes,
    async put(given, was = given.name) {
      const { name } = await entries.put(given, was)
      for (const each of new Set([was, name])) {
        listed.delete(each)
        await connections.stop(each)
      }
      announce()
    },
    change(server) {
      if (server.project === undefined) write(read().map(each => (each.name === server.name ? server : each)))
      else {
        const wasAccepted = isAgreed(get(server.name) ?? server)
        parts.choose?.(server)
        if (wasAccepted) agreeTo(server)
      }
      announce()
      if (!server.enabled) return connections.stop(server.name)
      return Promise.resolve()
    },
    async remove(name, forGood) {
      await entries.remove(name, forGood)
      listed.delete(name)
      await connections.stop(name)
      announce()
    },
    restore(name) {
      const refused = entries.restore(name)
      announce()
      return refused
    },
    restart: server => connections.stop(server.name),
    async exactVersion(server) {
      if (!isLocal(server)) return { refused: 'A server at an address has no version to pin.' }
      const { confined } = await parts.commands.rights()
      const confinedCache = confined ? confinedNpmCache(home) : undefined
      return findVersion(server, { fetch: parts.fetchFor(server.name), confinedCache })
    },
    async reconcile() {
      for (const name of listed.keys()) {
        const server = get(name)
        if (!server || !isAgreed(server)) listed.delete(name)
      }
      announce()
      await connections.reconcile()
      // Other parts of an entry than its command may have changed too.
      for (const server of servers()) if (!isAgreed(server)) await connections.stop(server.name)
    },
    restartAll: () => connections.stop(),
    takeObeyed: connections.takeObeyed,
    isAnyRunning: () => all().some(({ name }) => connections.activity(name).state === 'running'),
    async accept(name, seen) {
      const server = get(name)
      const judged = server && judgeShown(server, store, placesOf(server))
      refuseUnseen(seen, judged?.seen ?? '', `The server ${name}`)
      if (!server || !judged) return
      // Store the identity that was compared: a script that changes in between must not be accepted.
      agreeTo(server, judged)
      await connections.stop(name)
      announce()
    },
    async acceptTool(server, name, seen) {
      // Ask the server again, because its tools may have changed while it was idle.
      const tools = await list(server)
      if (isRefusal(tools)) return tools
      const tool = tools.tools.find(each => each.name === name)
      if (!tool) return { refused: `The server ${server.name} has no tool ${name} that can be used.` }
      const now = toolsNow(server).find(each => each.name === name)
      refuseUnseen(seen, now?.seen ?? '', `The tool ${name} of ${server.name}`)
      acceptTools(server.name, [tool], store)
      announce()
      return undefined
    },
    async call({ server, tool }, args, { signal, folder, onProgress }) {
      const refused = whyNot(server)
      if (refused) return { ok: false, reason: refused.refused }
      if (folder !== undefined && !servesFolder(server, folder))
        return { ok: false, reason: `The server ${server.name} is only for chats in ${server.project}.` }
      const problem = tool.problemOf(args)
      if (problem !== undefined) return { ok: false, reason: `${problem} The server was not called.` }
      let changed: string | undefined
      const outcome = await connections.call(server.name, tool.name, args, {
        signal,
        timeoutMs: server.call_timeout_s * 1_000,
        // The server may have restarted with other tools than those that the user saw.
        mayCall(now) {
          if (now !== listed.get(server.name)) {
            listed.set(server.name, now)
            announce()
          }
          const listedNow = now.tools.find(each => each.name === tool.name)
          if (!isSameTool(server, tool, listedNow))
            changed = `The tool ${tool.name} of ${server.name} changed since you agreed to it, so it is off. Its new text is on Connections.`
          return changed
        },
        ...(folder !== undefined && { folder }),
        ...(onProgress && { onProgress }),
      })
      if (changed !== undefined) return { ok: false, reason: changed }
      return 'answered' in outcome
        ? withUnwritten(
            server,
            withoutKeys(server, await readResult(outcome.answered, keeping(signal), tool.mismatchOf)),
            parts,
          )
        : {
            ok: false,
            said: blackened(server, outcome.failed),
            reason: outcome.mayHaveActed ? MAY_HAVE_ACTED : '',
          }
    },
    async close() {
      entries.close()
      await connections.close()
    },
  }
}

const LEAST_KEY = 6
const NONE: readonly KnownServer[] = []

/** The effect of a failed call is unknown, so it is never repeated without asking. */
const MAY_HAVE_ACTED = 'It may have acted; the call was not repeated.'
