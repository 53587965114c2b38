import type { Model, ModelOptions, ModelServer, ServerCheck } from '../../shared/contract/models/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { createAnthropicEngine, seenByFamily } from './engines/anthropic/anthropic-engine.ts'
import type { LlmEngine } from './interface/engine.ts'
import { environmentKey, isCleanKey, keyNameOf, UNCLEAN } from '../config/known-keys.ts'
import {
  environmentServer,
  baseUrlOf,
  changedEntry,
  isSameServer,
  sendsCacheMarks,
  sendsPastReasoning,
  newServerEntry,
  type ServerEntry,
  type TypedServer,
} from './server-entry.ts'
import { createOpenAiEngine, hostedSight } from './engines/openai/openai-engine.ts'
import type { SpeechServer } from './engines/openai/transcribe-speech.ts'
import type { FetchFor } from './engines/shared/remote-engine.ts'
import { tryServer, type TriedServer } from './try-server.ts'
import { isThisComputer } from '../lib/network/offline.ts'

const SERVER = 'server:'

/** The parts of the host that the servers need. */
export type ServerSources = {
  config: {
    readonly current: { models: { servers: readonly ServerEntry[] } }
    set(path: 'models.servers', value: ServerEntry[]): void
  }
  /** Stored keys; `get` falls back to the environment. */
  secrets: {
    /** Run work that reads many keys in one go, without a pause. */
    readOnce?<T>(work: () => T): T
    get(name: string): string | undefined
    set(name: string, value: string | undefined): Promise<void>
  }
  /** The `fetch` for one purpose. */
  fetchFor: FetchFor
  /** The user's options for one model. */
  optionsFor?: (modelId: string) => ModelOptions
  report: (error: unknown) => void
}

/** Typed values to test a server. An empty key means the stored key of the server with that `id`. */
type ServerToTry = Omit<TriedServer, 'apiKey'> & { apiKey: string; id?: string | undefined }

/** Models on servers, under ids that start with `server:`. */
export type Servers = {
  list(): Model[]
  has(id: string): boolean
  engineFor(id: string): LlmEngine | undefined
  /** The server for speech recognition; undefined if it does not exist or speaks another protocol. */
  speechServer(id: string): SpeechServer | undefined
  /** Add a model on a server, or change the one with that `id`. A known entry gets the new name and key. */
  add(server: TypedServer & { apiKey: string; id?: string | undefined }): Promise<Model>
  /** Ask a server what kind it is and which models it has. Does not run any model. */
  tryServer(server: ServerToTry, signal?: AbortSignal): Promise<ServerCheck>
  /** Remove a server. Returns false if there was no such server. */
  forget(id: string): Promise<boolean>
  /** The model named by LITELLM_BASE_URL, ANTHROPIC_API_KEY or OPENAI_API_KEY, in this order. */
  fromEnvironment(): Promise<LlmEngine | undefined>
}

type Made = { made: string; engine: LlmEngine }

/** Create the servers of the configuration, which is read on every call. */
export function createServers(sources: ServerSources): Servers {
  const { config, secrets, fetchFor, report, optionsFor = () => ({}) } = sources
  const engines = new Map<string, Made>()
  /** The model chosen from a server's list, by address. */
  const smallest = new Map<string, string>()
  const all = () => config.current.models.servers
  const read = (name: string) => secrets.get(name)
  const entryOf = (id: string) =>
    id.startsWith(SERVER) ? all().find(each => SERVER + each.id === id) : undefined
  const describe = (entry: ServerEntry) =>
    describeServer(SERVER + entry.id, entry, keyOf(entry).from, optionsFor(SERVER + entry.id))

  const keyOf = (entry: Pick<ServerEntry, 'id' | 'base_url'>) =>
    secrets.readOnce?.(() => keyNow(entry)) ?? keyNow(entry)
  function keyNow(entry: Pick<ServerEntry, 'id' | 'base_url'>): { key: string; from: ModelServer['key'] } {
    const stored = read(keyNameOf(entry.id))?.trim()
    if (stored) return { key: stored, from: 'stored' }
    const key = environmentKey(entry.base_url, read)
    return key === undefined ? { key: '', from: 'none' } : { key, from: 'environment' }
  }

  /** Cached until the server's settings change: an engine learns which parameters its server refuses. */
  function engineOf(modelId: string, entry: ServerEntry): LlmEngine {
    const { key: apiKey } = keyOf(entry)
    const options = optionsFor(modelId)
    const made = JSON.stringify([entry, apiKey, options])
    const known = engines.get(modelId)
    if (known?.made === made) return known.engine
    const engine = makeEngine(modelId, entry, apiKey, options)
    engines.set(modelId, { made, engine })
    return engine
  }

  function makeEngine(modelId: string, entry: ServerEntry, apiKey: string, options: ModelOptions): LlmEngine {
    const { temperature, topK, topP, minP, repeatPenalty, format } = options
    const sampling = { temperature, topK, topP, minP, repeatPenalty }
    const chosen = Object.entries(sampling).filter(([, value]) => value !== undefined)
    const strategy = options.strategy ?? entry.strategy
    const contextTokens = options.contextTokens ?? entry.context_tokens
    const model = {
      modelId,
      name: entry.name,
      baseUrl: entry.base_url,
      model: entry.model,
      apiKey,
      ...(strategy && { strategy }),
      ...(contextTokens && { contextTokens }),
      ...(entry.start_timeout_s && { startMs: entry.start_timeout_s * 1_000 }),
      ...(format !== undefined && { format }),
      sampling: Object.fromEntries(chosen),
      fetchFor,
    }
    const { cache_ttl: cacheTtl, thinking_tokens: thinkingTokens } = entry
    if (entry.protocol !== 'anthropic') {
      const pastReasoning = sendsPastReasoning(entry)
      const marks = sendsCacheMarks(entry, read) && { cacheTtl: cacheTtl ?? '5m' }
      return createOpenAiEngine({ ...model, ...marks, pastReasoning }, report)
    }
    return createAnthropicEngine(
      { ...model, ...(cacheTtl && { cacheTtl }), ...(thinkingTokens && { thinkingTokens }) },
      report,
    )
  }

  /** A stored key is sent only to its own host, never to another address in the form. */
  function keyToTry(server: ServerToTry): string {
    const typed = cleanKey(server)
    if (typed !== '') return typed
    const { id } = server
    const entry = id === undefined ? undefined : (entryOf(id) ?? entryOf(SERVER + id))
    const origin = URL.parse(server.baseUrl.trim())?.origin
    if (entry && origin !== undefined && URL.parse(entry.base_url)?.origin === origin) return keyOf(entry).key
    return environmentKey(server.baseUrl.trim(), read) ?? ''
  }

  return {
    list: () => all().map(describe),
    has: id => entryOf(id) !== undefined,
    engineFor(id) {
      const entry = entryOf(id)
      return entry && engineOf(id, entry)
    },
    speechServer(id) {
      const entry = entryOf(id)
      if (!entry || entry.protocol === 'anthropic') return undefined
      const { name, base_url: baseUrl, model } = entry
      return { name, baseUrl, model, apiKey: keyOf(entry).key }
    },
    async add(typed) {
      const others = all()
      const { id } = typed
      const apiKey = cleanKey(typed)
      const entry = newServerEntry(typed, others)
      const twin = others.find(each => isSameServer(each, entry))
      const known = id === undefined ? twin : entryOf(id)
      if (id !== undefined && !known) throw new Fault('not_found', 'This server is no longer in the list.')
      if (twin && twin !== known)
        throw new Fault('bad_input', `“${twin.name}” is the same model on the same server.`)
      const kept = known ? changedEntry(known, entry, typed) : entry
      config.set('models.servers', [...others.filter(each => each !== known), kept])
      // A stored key belongs to the host it was entered for.
      const hasMoved = !known || URL.parse(known.base_url)?.origin !== URL.parse(kept.base_url)?.origin
      try {
        if (apiKey !== '' || hasMoved)
          await secrets.set(keyNameOf(kept.id), apiKey === '' ? undefined : apiKey)
      } catch (error) {
        // Without its key the server would be listed but refuse requests.
        config.set('models.servers', [...others])
        throw error
      }
      return describe(kept)
    },
    tryServer: async (server, signal) =>
      tryServer({ ...server, apiKey: keyToTry(server) }, { fetchFor, report, signal }),
    async forget(id) {
      const entry = entryOf(id)
      if (!entry) return false
      config.set(
        'models.servers',
        all().filter(each => each.id !== entry.id),
      )
      await secrets.set(keyNameOf(entry.id), undefined)
      engines.delete(id)
      return true
    },
    async fromEnvironment() {
      const named = environmentServer(read)
      if (!named || !URL.canParse(named.baseUrl)) return undefined
      const { id, name, protocol } = named
      const base_url = baseUrlOf(named.baseUrl, protocol)
      const apiKey = environmentKey(base_url, read) ?? ''
      const model = named.model || (await smallestOf({ protocol, baseUrl: base_url, apiKey, model: '' }))
      return model
        ? engineOf(`environment:${id}`, { id: `environment-${id}`, name, protocol, base_url, model })
        : undefined
    },
  }

  /** Find a fast and cheap model, judged by name; the first model if no name matches. */
  async function smallestOf(server: TriedServer): Promise<string | undefined> {
    const known = smallest.get(server.baseUrl)
    if (known !== undefined) return known
    const { models } = await tryServer(server, { fetchFor, report })
    const ids = models.map(each => each.id).filter(id => !id.endsWith('*'))
    const found = ids.find(id => /\b(mini|haiku|flash|small|nano|lite)\b/i.test(id)) ?? ids[0]
    if (found !== undefined) smallest.set(server.baseUrl, found)
    return found
  }
}

/** Describe a server model for the user interface. Does not contact the server. */
function describeServer(
  id: string,
  server: ServerEntry,
  key: ModelServer['key'],
  options: ModelOptions,
): Model {
  const url = URL.parse(server.base_url)
  const sees = server.protocol === 'anthropic' ? seenByFamily(server.model) : hostedSight(server.model)
  return {
    id,
    name: server.name,
    kind: 'server',
    detail: `${server.model} · ${url?.host ?? server.base_url}`,
    sizeBytes: null,
    contextTokens: options.contextTokens ?? server.context_tokens ?? null,
    demo: false,
    problem: null,
    file: null,
    server: {
      serverId: server.id,
      protocol: server.protocol ?? 'openai',
      baseUrl: server.base_url,
      model: server.model,
      nearby: url !== null && isThisComputer(url.hostname),
      key,
      startTimeoutS: server.start_timeout_s ?? null,
      contextTokens: server.context_tokens ?? null,
      ...(sees !== undefined && { sees }),
    },
    options,
    tools: null,
  }
}

/** Trim a typed key. Throws a `bad_input` Fault for a text that cannot be a key. */
function cleanKey({ apiKey }: { apiKey: string }): string {
  if (!isCleanKey('', apiKey)) throw new Fault('bad_input', `The key ${UNCLEAN}`)
  return apiKey.trim()
}
