import type { HostHandlers } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { isFailure } from '../../llm/engine.ts'
import { localModelOf } from '../../llm/models.ts'
import type { LocalEngines } from '../../llm/local/local-engine.ts'
import type { Benchmarks } from '../../model-files/benchmarks.ts'
import { notReady } from './model.ts'

/** The engine for local models, and how fast it was. */
export function engineHandlers({ local, benchmarks }: { local: LocalEngines; benchmarks: Benchmarks }) {
  return {
    'engine.info': async () => ({ ...(await local.info()), benchmarks: benchmarks.list() }),
    async 'engine.benchmark'({ id }, signal) {
      const model = localModelOf(id)
      if (!model) throw new Fault('bad_input', 'Only models on this computer can be measured.')
      const measured = await local.benchmark(model, signal)
      if (isFailure(measured)) throw notReady(measured)
      benchmarks.add(measured)
      return measured
    },
  } satisfies Partial<HostHandlers>
}
