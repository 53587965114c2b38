import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { isFailure, type EngineFailure } from './interface/engine.ts'
import type { LocalEngines } from './engines/local/local-engine.ts'
import type { ModelIds } from './files/model-ids.ts'
import type { createAdvisers } from './mixtures/advisers.ts'
import type { Mixtures } from './mixtures/open-mixtures.ts'
import type { Models } from './models.ts'
import type { Benchmarks } from './files/benchmarks.ts'
import type { Servers } from './servers.ts'
import type { ModelFiles } from './files/open-model-files.ts'
import type { Downloads } from './download/open-downloads.ts'

type Parts = {
  models: Models
  servers: Servers
  mixtures: Pick<Mixtures, 'set'> & Pick<ReturnType<typeof createAdvisers>, 'sayTurnCost'>
  files: ModelFiles
  local: LocalEngines
  changes: ModelChanges
}

/** Reports to every window that the list of models has changed. */
export type ModelChanges = {
  changed(): void
  /** Run an action and report all its changes once, at its end. */
  during<T>(action: () => Promise<T>): Promise<T>
}

/** Handlers for the models, this computer and the engine. Each action that changes the list is one event. */
export function modelHandlers({ models, servers, mixtures, files, local, changes }: Parts) {
  return {
    'model.list': async () => ({ models: await models.list(), defaultId: models.defaultId() }),
    'model.add': ({ path }) => changes.during(() => models.add(path)),
    'model.addServer': server => changes.during(() => servers.add(server)),
    'model.mixtureCost': given => ({ text: mixtures.sayTurnCost(given) }),
    'model.setMixture': mixture => changes.during(async () => mixtures.set(mixture)),
    'model.tryServer': (server, signal) => servers.tryServer(server, signal),
    async 'model.forget'({ id }) {
      await changes.during(() => models.forget(id))
      return {}
    },
    async 'model.deleteFile'({ id }) {
      await changes.during(async () => {
        await files.deleteFile(id)
        changes.changed()
      })
      return {}
    },
    async 'model.setDefault'({ id }) {
      await changes.during(() => models.setDefault(id))
      return {}
    },
    'model.setOptions': ({ id, options }) => models.setOptions(id, options),
    async 'model.load'({ id, anyway, cpu, options }) {
      const failure = await models.load(id, { anyway, cpu, options })
      if (failure) throw notReady(failure)
      return {}
    },
    async 'model.cancelLoad'() {
      await local.cancelLoad()
      return {}
    },
    async 'model.unload'() {
      await local.unload()
      return {}
    },
    'model.fit': ({ id, ...how }) => files.fit(id, how),
    'model.look': async ({ path }) => ({ files: await files.look(path) }),
    'model.scanApps': () => files.scanApps(),
    'machine.look': () => files.machine(),
  } satisfies Partial<HostHandlers>
}

type EngineParts = { ids: ModelIds; local: LocalEngines; benchmarks: Benchmarks }

/** Handlers for the local engine and its benchmarks. */
export function engineHandlers({ ids, local, benchmarks }: EngineParts) {
  return {
    'engine.info': async () => ({ ...(await local.info()), benchmarks: benchmarks.list() }),
    async 'engine.benchmark'({ id }, signal) {
      const model = ids.localOf(id)
      if (!model) throw new Fault('bad_input', 'Only models on this computer can be measured.')
      const measured = await local.benchmark(model, signal)
      if (isFailure(measured)) throw notReady(measured)
      benchmarks.add(measured)
      return measured
    },
  } satisfies Partial<HostHandlers>
}

/** An engine failure as a Fault for the caller. */
const notReady = (failure: EngineFailure): Fault =>
  new Fault('not_ready', `${failure.text} ${failure.fix}`.trim(), failure)

/** Handlers for downloads of model files, and for the catalogue. */
export function downloadHandlers({ transfers }: { transfers: Downloads }) {
  return {
    'catalogue.list': () => transfers.catalogue(),
    'download.list': () => ({ transfers: transfers.list() }),
    'download.start': wish => transfers.download(wish),
    'download.copy': input => transfers.copy(input),
    'download.upload': input => transfers.upload(input),
    'download.pause': ({ id }) => transfers.pause(id),
    'download.resume': ({ id }) => transfers.resume(id),
    async 'download.cancel'({ id }) {
      await transfers.cancel(id)
      return {}
    },
    'download.clear'() {
      transfers.clear()
      return {}
    },
  } satisfies Partial<HostHandlers>
}
