import type { AppEvent } from '../../../shared/contract/app.ts'
import type { HostHandlers } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { Broadcast } from '../../lib/broadcast.ts'
import type { LocalEngines } from '../../llm/local/local-engine.ts'
import type { Models } from '../../llm/models.ts'

/** The models at hand. Every change is told to all windows. */
export function modelHandlers({
  models,
  local,
  events,
}: {
  models: Models
  local: LocalEngines
  events: Broadcast<AppEvent>
}) {
  const changed = <T>(result: T): T => {
    events.publish({ type: 'models' })
    return result
  }
  return {
    'model.list': async () => ({ models: await models.list(), defaultId: models.defaultId() }),
    'model.add': async ({ path }) => changed(await models.add(path)),
    'model.addServer': async server => changed(await models.addServer(server)),
    async 'model.forget'({ id }) {
      await models.forget(id)
      return changed({})
    },
    async 'model.setDefault'({ id }) {
      await models.setDefault(id)
      return changed({})
    },
    async 'model.load'({ id }) {
      const failure = await models.load(id)
      if (failure) throw new Fault('not_ready', `${failure.text} ${failure.fix}`.trim(), failure)
      return {}
    },
    async 'model.unload'() {
      await local.unload()
      return {}
    },
  } satisfies Partial<HostHandlers>
}
