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

/** A tool that may be called, of a server that is on. */
export type UsableTool = {
  server: KnownServer
  tool: ServerTool
  pinned: boolean
  unasked: boolean
  /** Names the tool and its server as the person agreed to them. */
  pin: string
}

/** A call that was made, or why there is no answer; `said` is what the server or its program may have written. */
type McpCall = Explained | { ok: false; reason: string; said?: string }

/** MCP servers with what the person agreed to. */
export type Mcp = {
  servers(): readonly KnownServer[]
  get(name: string): KnownServer | undefined
  state(server: KnownServer): McpServerState
  /** Where a server may write, also one that was not added yet. */
  placesOf(server: KnownServer): ToldPlaces
  /** Add or replace a server, which the person agreed to. `was` is its name before. */
  put(server: McpServer, was?: string): Promise<void>
  /** Remove a server. For a while that can be undone, unless it is for good. */
  remove(name: string, forGood: boolean): Promise<void>
  restore(name: string): Refusal | undefined
  /** Store switches and pins, which the person does not agree to. A server of a project may reach the network by one. */
  change(server: KnownServer): Promise<void>
  /** Agree to a server that was shown with this hash. Throws a `conflict` Fault if it is another one now. */
  accept(name: string, seen: string): Promise<void>
  /** Agree to the text of a tool that was shown with this hash. Throws a `conflict` Fault if the server lists another one now. */
  acceptTool(server: KnownServer, tool: string, seen: string): Promise<Refusal | undefined>
  /** End its processes. It starts again at its next use, without a pause. */
  restart(server: McpServer): Promise<void>
  /** The exact version of what a server downloads, and the server with it. */
  exactVersion(server: McpServer): Promise<FoundVersion | Refusal>
  /** Its tools, from its last listing, or from a start. */
  list(server: McpServer, folder?: string): Promise<JudgedTools | Refusal>
  /** The servers whose tools chats may use: agreed to, and switched on. */
  ready(): readonly KnownServer[]
  /** Whether a server was never listed since it was added, so that its tools are not known. */
  isUnknown(server: McpServer): boolean
  /** The tools that may be called, as the person accepted them. */
  usable(): readonly UsableTool[]
  /** The names of all tools that servers have, whether they may be called or not. */
  toolNames(): string[]
  /** Let a tool run without a question, or no longer. Refuses for a tool that was not accepted. */
  setUnasked(server: McpServer, tool: string, unasked: boolean): Refusal | undefined
  /** Let the tool with this pin run without a question. Refuses if it changed since, or is gone. */
  allowAlways(this: void, pin: string): Refusal | undefined
  call(
    usable: Pick<UsableTool, 'server' | 'tool'>,
    args: Record<string, unknown>,
    how: { signal: AbortSignal; folder?: string; onProgress?: (text: string) => void },
  ): Promise<McpCall>
  /** The entries were edited: end what was started from others. */
  reconcile(): Promise<void>
  /** What programs may do changed, so all start anew at their next use. */
  restartAll(): Promise<void>
  /** What a server did to files that programs obey, since the last call, as sentences for a model. */
  takeObeyed(name: string, folder?: string): string[]
  /** Whether a server runs. */
  isAnyRunning(): boolean
  changes: Topic<void>
  close(): Promise<void>
}

type Parts = ServerParts &
  Omit<EntryParts, 'placesOf'> & {
    /** The servers of projects; the same list while nothing changes. */
    ofProjects?(): readonly KnownServer[]
    /** Store what the person chose for a server of a project. */
    choose?(server: KnownServer): void
    /** Reads documents that servers give as resources; without it they are only kept. */
    readDocument?(path: string, how: { name: string; signal: AbortSignal }): ReturnType<ReadDocument>
    /** Tokens of a text, estimated. */
    count(text: string): number
  }

/** Open the part that knows MCP servers. Nothing is started before it is used. */
export function openMcp(parts: Parts): Mcp {
  const { home, store, read, write, now } = parts
  let joined: { own: unknown; others: unknown; all: readonly KnownServer[] } | undefined
  /** All servers, those of the person first; the same list while nothing changes. */
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
  /** A disk that is full keeps no server from starting: it is only asked again. */
  function setOlder(name: string, at: number | undefined): void {
    try {
      store.setOlder(name, at)
    } catch (error) {
      parts.report(error)
    }
  }
  /** What each server listed last. */
  const listed = new Map<string, JudgedTools>()

  const changes = createTopic<void>()
  /** Accepted tools are judged again only after something changed, since each prompt asks for them. */
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

  /** The first of each name counts: the file may have been edited by hand. */
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

  /** Another server, or one that was added anew, has other pins, even if its tools are the same. */
  const pinOf = (server: string, { name, hash }: ServerTool) =>
    `${name} of ${server} (${hashOf([store.agreed(server), hash]).slice(0, 16)})`

  function setUnasked(server: McpServer, tool: string, unasked: boolean): Refusal | undefined {
    if (!store.tools(server.name).has(tool))
      return { refused: `You have not agreed to a tool ${tool} of ${server.name}.` }
    store.setUnasked(server.name, tool, unasked)
    announce()
    return undefined
  }

  /** What the server lists now, where that is known, decides. */
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

  /** A text of a server without the keys that it was given. Short ones are words and numbers too. */
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

  /** Its text is without what looks like a secret already. */
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
      // What an entry says besides its command may have changed too.
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
      // The identity that was compared is the one that is stored: a script that changes in between is another one.
      agreeTo(server, judged)
      await connections.stop(name)
      announce()
    },
    async acceptTool(server, name, seen) {
      // What it says now counts: a server that was idle may have changed its mind.
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
        // The server may have started anew, with other tools than those that the person read.
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

/** What a call that failed left behind is not known, so it is never repeated unasked. */
const MAY_HAVE_ACTED = 'It may have acted; the call was not repeated.'
