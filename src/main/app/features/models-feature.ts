import { join } from 'node:path'
import type { AppEvent } from '../shared/contract/app.ts'
import type { ConfigHandle } from './config/load.ts'
import type { Secrets } from './config/secrets.ts'
import type { SpawnEngine } from './host-types.ts'
import type { Broadcast } from './lib/broadcast.ts'
import { chatFacts } from './llm/describe-model.ts'
import { isFailure, type EngineFailure, type LlmEngine } from './llm/engine.ts'
import { readGguf } from './llm/local/gguf-file.ts'
import { createLocalEngines } from './llm/local/local-engine.ts'
import { metered, type Reading } from './llm/metered.ts'
import { isVisionName } from './llm/model-files.ts'
import { optionsOf } from './llm/model-options.ts'
import { createModels, fileModelId } from './llm/models.ts'
import { costOf } from './llm/price.ts'
import { createRouting } from './llm/routing/routing.ts'
import { createServers } from './llm/servers.ts'
import { openBenchmarks } from './model-files/benchmarks.ts'
import { openModelFiles } from './model-files/open-model-files.ts'
import { createNetwork } from './net/network.ts'
import type { Store, UsageRow } from './store/types.ts'
import { openTransfers } from './transfers/open-transfers.ts'

type Parts = {
  home: string
  config: ConfigHandle
  secrets: Secrets
  store: Pick<Store, 'network' | 'usage'>
  spawn: SpawnEngine
  events: Broadcast<AppEvent>
  now: () => number
  report: (error: unknown) => void
}

/** Everything that answers prompts, and what it is made of: the way out, the engine here, servers, files, transfers, routing. */
export type OpenedModels = ReturnType<typeof openModels>

/** How often windows are told that something was asked of the network. */
const LEDGER_MS = 500

/** Build the part of the product that knows models. `close` ends all that lives in it. */
export function openModels({ home, config, secrets, store, spawn, events, now, report }: Parts) {
  const tellLedger = atMostEvery(LEDGER_MS, () =>
    events.publish({ type: 'network', locked: config.current.network.offline }),
  )
  const network = createNetwork({
    store: store.network,
    locked: () => config.current.network.offline,
    now,
    onChange: tellLedger.soon,
  })
  const optionsFor = (id: string) => optionsOf(config.current.models.options, id)
  const local = createLocalEngines({
    spawn,
    settings: () => config.current.engine,
    optionsFor,
    cacheFolder: join(home, 'cache'),
    onState: state => events.publish({ type: 'engine', engine: state }),
    report,
  })
  const servers = createServers({ config, secrets, fetchFor: network.fetchFor, optionsFor, report })
  const models = createModels({ home, config, servers, local, readGguf })
  const files = openModelFiles({
    home,
    models,
    readGguf,
    local,
    settings: () => config.current.engine,
  })
  const benchmarks = openBenchmarks(home, report)
  let arrived = 0
  const transfers = openTransfers({
    home,
    fetchFor: network.fetchFor,
    locked: () => network.locked,
    check: async (path, how) => {
      const read = (each: string) => readGguf(each, how)
      // What helps a model to see cannot chat, and need not.
      const isHelper = isVisionName(path.replace(/\.part$/, ''))
      const facts = await (isHelper ? read(path) : chatFacts(read)(path))
      return isFailure(facts) ? facts : undefined
    },
    idOf: fileModelId,
    fitting: files.fitting,
    known: async () =>
      (await models.list()).flatMap(({ id, file }) => (file ? [{ id, path: file.path }] : [])),
    now,
    onChange(list) {
      events.publish({ type: 'transfers', transfers: list })
      const done = list.filter(each => each.state === 'done').length
      if (done > arrived) events.publish({ type: 'models' })
      arrived = done
    },
    report,
  })

  /** The same engine, with what each of its answers takes written down. */
  const counted = (engine: LlmEngine) =>
    metered(engine, reading => {
      const entry = config.current.models.servers.find(each => `server:${each.id}` === engine.modelId)
      store.usage.add({ ...rowOf(reading, now()), costUsd: costOf(reading.usage, entry) })
    })
  const engineFor = async (id: string): Promise<LlmEngine | EngineFailure> => {
    const engine = await models.engineFor(id)
    return isFailure(engine) ? engine : counted(engine)
  }
  const routing = createRouting({
    settings: () => config.current.models,
    engineFor,
    servers,
    prepare: counted,
    now,
  })

  return {
    network,
    local,
    servers,
    models,
    files,
    transfers,
    benchmarks,
    engineFor: routing.engineFor,
    auxiliaryFor: routing.auxiliaryFor,
    async close() {
      tellLedger.close()
      await transfers.close()
      await local.close()
    },
  }
}

/** One row of the usage page. Cached tokens are those that were not read anew, here or on a server. */
function rowOf({ engine, prompt, usage, ms }: Reading, at: number) {
  return {
    at,
    sessionId: prompt.sessionId,
    modelId: engine.modelId,
    modelName: engine.name,
    kind: kindOf(prompt),
    promptTokens: usage.promptTokens,
    cachedTokens: usage.reusedTokens + (usage.restoredTokens ?? 0),
    outputTokens: usage.outputTokens,
    ms,
  }
}

/** Single questions have a place of their own, and what nobody waits for is learning. */
const kindOf = ({ priority, sessionId }: Reading['prompt']): UsageRow['kind'] =>
  priority === 'background' ? 'learning' : sessionId.startsWith('ask') ? 'question' : 'chat'

/** Call `tell` soon after `soon`, but not more often than every `ms`. */
function atMostEvery(ms: number, tell: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        tell()
      }, ms).unref()
    },
    close: () => clearTimeout(timer),
  }
}
