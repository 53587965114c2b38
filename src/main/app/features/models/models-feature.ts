import { AsyncLocalStorage } from 'node:async_hooks'
import { join } from 'node:path'
import type { AppEvent } from '../../../../shared/contract/app.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import { WAIT_S } from '../../../config/sections/model-settings.ts'
import type { Config } from '../../../config/schema.ts'
import type { Secrets } from '../../../config/secrets.ts'
import { createModelTrial } from '../../../doctor/try-model.ts'
import type { SpawnEngine } from '../../../models/interface/engine-child.ts'
import { isThisComputer } from '../../../lib/network/offline.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import { askOnce, createAskOnce, type OneQuestion } from '../../../models/ask-once.ts'
import { chatFacts } from '../../../models/describe-model.ts'
import { isFailure, type EngineFailure, type LlmEngine } from '../../../models/interface/engine.ts'
import { readGguf } from '../../../models/engines/local/gguf/read-gguf.ts'
import { readExtent } from '../../../models/engines/local/gguf/gguf-header.ts'
import { createLocalEngines } from '../../../models/engines/local/local-engine.ts'
import { nameKept } from '../../../models/engines/local/name-kept.ts'
import { openSmallModels } from '../../../models/engines/local/small-models.ts'
import { costOfAnswer, meterAnswers, type AnsweredPrompt } from '../../../models/meter-answers.ts'
import {
  engineHandlers,
  modelHandlers,
  downloadHandlers,
  type ModelChanges,
} from '../../../models/model-handlers.ts'
import { createModelIds, createSettingsReader } from '../../../models/files/model-ids.ts'
import { isVisionName, resolveTypedPath } from '../../../models/files/model-paths.ts'
import { optionsOf } from '../../../models/model-options.ts'
import { createAdvisers } from '../../../models/mixtures/advisers.ts'
import { openMixtures } from '../../../models/mixtures/open-mixtures.ts'
import { createModels } from '../../../models/models.ts'
import { createRouting, type AuxiliaryWork } from '../../../models/engines/routing/routing.ts'
import { createServers } from '../../../models/servers.ts'
import { openAgreedServers, type PictureSource } from '../../../models/standing/see-pictures.ts'
import { openStandings } from '../../../models/standing/standings.ts'
import { openBenchmarks } from '../../../models/files/benchmarks.ts'
import { openModelFiles } from '../../../models/files/open-model-files.ts'
import type { Network } from '../../../net/create-network.ts'
import type { UsageRow } from '../../../db/ledger-tables.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import { createHub } from '../../../models/download/hub.ts'
import { ASK_MODELS, askModelsTool } from '../../../models/mixtures/ask-models-tool.ts'
import { openDownloads } from '../../../models/download/open-downloads.ts'

type Needs = {
  home: string
  config: ConfigHandle
  secrets: Secrets
  store: Pick<Store, 'usage' | 'renameModels' | 'sessions'>
  network: { fetchFor: Network['fetchFor']; isLocked(): boolean }
  spawn: SpawnEngine
  events: Broadcast<AppEvent>
  feed: Pick<Feed, 'tell'>
  /** The pictures of chats. */
  pictures?: PictureSource | undefined
  now: () => number
  report: (error: unknown) => void
  /** Log a note that is not an error. */
  remark: (text: string) => void
}

/** Models: the local engine, servers, model files, downloads, and routing between them. */
export function modelsFeature({
  home,
  secrets,
  store,
  network,
  spawn,
  events,
  feed,
  pictures,
  now,
  ...parts
}: Needs) {
  const { report, remark } = parts
  const ids = createModelIds(home, () => parts.config.current.models.files.map(resolveTypedPath))
  const config = withNamesNow(parts.config, createSettingsReader<Config['models']>(ids))
  store.renameModels(ids.idNow)
  const changes = announceChanges(() => feed.tell('model'))
  config.onChange(path => {
    if (path.startsWith('models.')) changes.changed()
  })
  const optionsFor = (id: string) => optionsOf(config.current.models.options, id)
  const engines = createLocalEngines({
    spawn,
    settings: () => config.current.engine,
    optionsFor,
    cacheFolder: join(home, 'cache'),
    onState: state => events.publish({ type: 'engine', engine: state }),
    report,
    remark,
  })
  const local = nameKept(engines, id => {
    const session = store.sessions.get(id)
    return session !== undefined && session.temporary !== true
  })
  const small = openSmallModels({ spawn, report })
  const servers = createServers({ config, secrets, fetchFor: network.fetchFor, optionsFor, report })
  const standings = openStandings({ home, ids, config, pictures, now, report })
  const { verdictOf, sightOf } = standings
  const mixtures = openMixtures({ config, ids, servers, waitS: WAIT_S })
  const models = createModels({ home, ids, config, servers, mixtures, local, readGguf, verdictOf, sightOf })
  const files = openModelFiles({
    home,
    ids,
    models,
    readGguf,
    local,
    settings: () => config.current.engine,
  })
  const benchmarks = openBenchmarks(home, report)
  let arrived = 0
  const transfers = openDownloads({
    home,
    hub: createHub({ settings: () => config.current.network, read: secrets.get }),
    readExtent,
    fetchFor: network.fetchFor,
    locked: network.isLocked,
    check: async (path, how) => {
      const read = (each: string) => readGguf(each, how)
      // A vision projector is not a chat model.
      const isHelper = isVisionName(path.replace(/\.part$/, ''))
      const facts = await (isHelper ? read(path) : chatFacts(read)(path))
      return isFailure(facts) ? facts : undefined
    },
    idOf: ids.idOf,
    idNow: ids.idNow,
    fitting: files.fitting,
    known: async () =>
      (await models.list()).flatMap(({ id, file }) => (file ? [{ id, path: file.path }] : [])),
    now,
    onChange(list) {
      events.publish({ type: 'transfers', transfers: list })
      const done = list.filter(each => each.state === 'done').length
      if (done > arrived) changes.changed()
      arrived = done
    },
    report,
  })

  const entryOf = (id: string) => config.current.models.servers.find(each => `server:${each.id}` === id)
  /** Wrap an engine: follow what is learned about its model, and record the usage of each answer. */
  const counted = (engine: LlmEngine) =>
    meterAnswers(
      standings.follow(engine),
      reading => {
        const entry = entryOf(engine.modelId)
        store.usage.add({ ...rowOf(reading, now()), costUsd: costOfAnswer(reading.usage, entry) })
      },
      report,
    )
  const engineFor = async (id: string): Promise<LlmEngine | EngineFailure> => {
    const engine = await models.engineFor(id)
    return isFailure(engine) ? engine : counted(engine)
  }
  const tryModel = createModelTrial({
    ids,
    engineFor,
    local,
    prepare: counted,
    keepVerdict: standings.keepVerdict,
    onVerdict: changes.changed,
    now,
  })
  const routing = createRouting({
    settings: () => config.current.models,
    engineFor,
    servers,
    prepare: counted,
    now,
  })

  const { advisersOf, askedMixture, sayTurnCost } = createAdvisers({
    mixtures,
    engineFor,
    forget: local.forget,
    pricesOf: entryOf,
  })

  return {
    advisersOf,
    tools: [
      askModelsTool({
        find: (named, sessionId) => askedMixture(named, sessionId && store.sessions.get(sessionId)?.modelId),
        isSet: () => mixtures.all().length > 0,
      }),
    ],
    /** Return whether a tool is useful in a chat with a model; the built-in model knows only its own. */
    mayOffer: (tool: string, { modelId }: { modelId: string }) =>
      tool !== ASK_MODELS || modelId !== 'builtin',
    engineFor: routing.engineFor,
    engineAlone: engineFor,
    auxiliaryFor: (id: string) => routing.auxiliaryFor(id, 'summary'),
    /** The engine for reviews of chats with that model. */
    drafterFor: (id: string) => routing.auxiliaryFor(id, 'draft'),
    defaultId: models.defaultId,
    /** Return the current id of a model, given one that may be outdated. */
    idNow: ids.idNow,
    list: models.list,
    verdictOf,
    engineState: () => local.state,
    chatsAtOnce: local.chatsAtOnce,
    /** Return the model that answers for a mixture; any other id unchanged. */
    answererOf: (id: string) => mixtures.find(id)?.aggregator ?? id,
    /** Drop the local engine's cached context of a chat. */
    async forgetContext(id: string) {
      await Promise.all([local.forget(id), small.forget()])
    },
    asking: createAskOnce({ models: { ...models, engineFor: routing.engineFor }, forget: local.forget }),
    /** Ask one question of the model that does this kind of work alongside chats. */
    async askAuxiliary(work: AuxiliaryWork, chatModelId: string, question: OneQuestion, signal: AbortSignal) {
      const engine = await routing.auxiliaryFor(chatModelId, work)
      if (isFailure(engine)) return { refused: engine.text }
      return await askOnce(engine, question, signal, local.forget)
    },
    /** Return the model that describes pictures for chats with a model, and where it runs. */
    async visionFor(modelId: string) {
      const engine = await routing.visionFor(modelId)
      if (engine === undefined) return undefined
      if (isFailure(engine)) return { refused: engine.text }
      const entry = entryOf(engine.modelId)
      const address = entry && new URL(entry.base_url)
      const place = address ? `${engine.name} (${address.host})` : engine.name
      return { engine, place, isHere: address !== undefined && isThisComputer(address.hostname) }
    },
    /** Return the server set for transcribing voice notes; undefined if there is none. */
    speechServer: () => servers.speechServer(config.current.models.auxiliary.transcription),
    agreedServers: openAgreedServers(home, report),
    /** Encode texts as vectors, for searches by meaning. */
    encode: small.of,
    /** The models of the decider. They do not take up a slot of the user's models. */
    deciding: { encode: small.of, engine: small.engine },
    receiveUpload: transfers.receive,
    handlers: {
      ...modelHandlers({ models, servers, mixtures: { ...mixtures, sayTurnCost }, files, local, changes }),
      'model.test': ({ id }: { id: string }, signal: AbortSignal) => tryModel(id, signal),
      ...engineHandlers({ ids, local, benchmarks }),
      ...downloadHandlers({ transfers }),
    },
    async close() {
      await transfers.close()
      await small.close()
      await local.close()
    },
  }
}

/** The settings, with outdated model names replaced by current ones. */
const withNamesNow = (
  config: ConfigHandle,
  read: (models: Config['models']) => Config['models'],
): Pick<ConfigHandle, 'current' | 'set' | 'onChange'> => ({
  get current() {
    return { ...config.current, models: read(config.current.models) }
  },
  set: (...setting) => config.set(...setting),
  onChange: config.onChange,
})

/** Publish each change immediately, but only once per action: many actions set several settings. */
function announceChanges(publish: () => void): ModelChanges {
  const current = new AsyncLocalStorage<{ hasChanged: boolean }>()
  return {
    changed() {
      const action = current.getStore()
      if (action) action.hasChanged = true
      else publish()
    },
    async during(act) {
      const action = { hasChanged: false }
      try {
        return await current.run(action, act)
      } finally {
        if (action.hasChanged) publish()
      }
    },
  }
}

/** Return one row of the usage page. Cached tokens: those not evaluated again, here or on a server. */
function rowOf({ engine, prompt, usage, ms }: AnsweredPrompt, at: number) {
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

/** Questions of other programs share one id; single questions have ids of their own. */
const kindOf = ({ sessionId, purpose }: AnsweredPrompt['prompt']): UsageRow['kind'] =>
  purpose === 'learning'
    ? 'learning'
    : sessionId === 'api'
      ? 'api'
      : sessionId.startsWith('ask')
        ? 'question'
        : 'chat'
