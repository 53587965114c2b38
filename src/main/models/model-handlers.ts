import type { AppEvent } from '../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { Broadcast } from '../../lib/broadcast.ts'
import type { EngineFailure } from '../../llm/engine.ts'
import type { LocalEngines } from '../../llm/local/local-engine.ts'
import type { Models } from '../../llm/models.ts'
import type { Servers } from '../../llm/servers.ts'
import type { ModelFiles } from '../../model-files/open-model-files.ts'

type Parts = {
  models: Models
  servers: Servers
  files: ModelFiles
  local: LocalEngines
  events: Broadcast<AppEvent>
}

/** The models at hand, this computer, and the engine. Every change is told to all windows. */
export function modelHandlers({ models, servers, files, local, events }: Parts) {
  const changed = <T>(result: T): T => {
    events.publish({ type: 'models' })
    return result
  }
  return {
    'model.list': async () => ({ models: await models.list(), defaultId: models.defaultId() }),
    'model.add': async ({ path }) => changed(await models.add(path)),
    'model.addServer': async server => changed(await servers.add(server)),
    'model.tryServer': (server, signal) => servers.tryServer(server, signal),
    async 'model.forget'({ id }) {
      await models.forget(id)
      return changed({})
    },
    async 'model.deleteFile'({ id }) {
      await files.deleteFile(id)
      return changed({})
    },
    async 'model.setDefault'({ id }) {
      await models.setDefault(id)
      return changed({})
    },
    'model.setOptions': async ({ id, options }) => changed(await models.setOptions(id, options)),
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
    'model.fit': ({ id, contextTokens }) => files.fit(id, contextTokens),
    'model.look': async ({ path }) => ({ files: await files.look(path) }),
    'model.scanApps': () => files.scanApps(),
    'machine.look': () => files.machine(),
  } satisfies Partial<HostHandlers>
}

/** What kept an engine from doing something, for whoever asked. */
export const notReady = (failure: EngineFailure): Fault =>
  new Fault('not_ready', `${failure.text} ${failure.fix}`.trim(), failure)
