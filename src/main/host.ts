import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import type { AppEvent } from '../shared/contract/app.ts'
import { contract, type HostHandlers } from '../shared/contract/index.ts'
import { loadConfig } from './config/load.ts'
import { openSecrets } from './config/secrets.ts'
import { resolveHome } from './config/home.ts'
import type { Host, HostOptions } from './host-types.ts'
import { createBroadcast } from './lib/broadcast.ts'
import { openLog } from './lib/log.ts'
import { forkEngine } from './llm/local/fork-engine.ts'
import { readGguf } from './llm/local/gguf-file.ts'
import { createLocalEngines } from './llm/local/local-engine.ts'
import { createModels } from './llm/models.ts'
import { appHandlers } from './rpc/handlers/app.ts'
import { chatHandlers } from './rpc/handlers/chat.ts'
import { modelHandlers } from './rpc/handlers/model.ts'
import { sessionHandlers } from './rpc/handlers/session.ts'
import { listenPipe } from './rpc/pipe.ts'
import { serve } from './rpc/serve.ts'
import { createRuns } from './runs/runs.ts'
import { lockHome } from './store/lock.ts'
import { openStore } from './store/open.ts'
import { createCap } from './tools/cap.ts'
import { coreTools } from './tools/core.ts'
import { createRegistry } from './tools/registry.ts'
import { defaultWorkspace } from './workspace.ts'

export type { Host, HostOptions } from './host-types.ts'

/**
 * Build the whole product once: this is the only place that knows every room. What is built last is closed first.
 * Throws a `busy` Fault when another process owns the home folder.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const closers: Closer[] = []
  let closing: Promise<void> | undefined
  const close = () => (closing ??= closeAll(closers))
  try {
    return { ...(await build(options, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Closer = () => void | Promise<void>

/** Close everything, also when a part fails; the first failure is then thrown. */
async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.toReversed()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function build(options: HostOptions, closers: Closer[]): Promise<Omit<Host, 'close'>> {
  const now = Date.now
  const home = resolveHome(options.home)
  const lock = lockHome(home)
  closers.push(() => lock.close())
  const log = openLog(home)
  closers.push(() => log.close())
  const report = (error: unknown) => log.error({ error }, 'unexpected')

  const config = loadConfig(home)
  const { store, notices: storeNotices } = openStore(home, { clock: now, report })
  closers.push(() => store.close())
  const secrets = openSecrets(home)
  const events = createBroadcast<AppEvent>()
  closers.push(() => events.close())

  const { engine } = config.current
  const local = createLocalEngines({
    spawn: options.spawnEngine ?? forkEngine,
    config: engine,
    cacheFolder: join(home, 'cache'),
    onState: state => events.publish({ type: 'engine', engine: state }),
    report,
  })
  closers.push(() => local.close())
  const models = createModels({ home, config, secrets, local, readGguf, report })

  const registry = createRegistry(options.tools ?? coreTools(config.current.tools))
  const runs = createRuns({
    home,
    store,
    registry,
    engineFor: id => models.engineFor(id),
    cap: createCap(home, config.current.tools),
    maxIterations: () => config.current.agent.max_iterations,
    waitMs: () => config.current.approvals.wait_minutes * 60_000,
    onSessionChange: publishSession,
    now,
    report,
  })
  closers.push(() => runs.close())

  function publishSession(id: string) {
    const session = store.sessions.get(id)
    events.publish(
      session ? { type: 'session', session: runs.live(session) } : { type: 'session_removed', id },
    )
  }

  const workspace = await defaultWorkspace(home, options.workspace)
  const shared = { home, workspace, config, store, runs, models, local, events, report, publishSession }
  const handlers: HostHandlers = {
    ...appHandlers({
      ...shared,
      version: packageJson.version,
      hosting: options.hosting,
      notices: [...config.notices, ...storeNotices],
    }),
    ...sessionHandlers(shared),
    ...chatHandlers(shared),
    ...modelHandlers(shared),
  }
  const pipe = await listenPipe(home, channel => serve(contract, handlers, channel, report), report)
  closers.push(() => pipe.close())
  return { home, report, handlers }
}
