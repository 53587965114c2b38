import { randomBytes } from 'node:crypto'
import type { AppEvent } from '../../../../shared/contract/app.ts'
import type { ApiState } from '../../../../shared/contract/connections/api.ts'
import type { HostHandlers } from '../../../../shared/contract/index.ts'
import type { Model } from '../../../../shared/contract/models/model.ts'
import { Fault } from '../../../../shared/rpc.ts'
import type { AskedOfApi } from '../../../api/answer-requests.ts'
import type { ApiServer } from '../../../api/start-api.ts'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Secrets } from '../../../config/secrets.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import type { Broadcast } from '../../../lib/topic.ts'
import { debounce } from '../../../lib/timing.ts'
import type { EngineFailure, LlmEngine } from '../../../models/interface/engine.ts'
import type { Runs } from '../../../runs/runs.ts'

type Needs = {
  workspace: string
  config: ConfigHandle
  secrets: Secrets
  store: Pick<Store, 'sessions' | 'messages'>
  events: Broadcast<AppEvent>
  feed: Pick<Feed, 'tell'>
  models: {
    list(): Promise<Model[]>
    defaultId(): string
    engineAlone(id: string): Promise<LlmEngine | EngineFailure>
    encode(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[] | undefined>
  }
  chats: { runs: Pick<Runs, 'send' | 'watch' | 'stopIn' | 'isRunning'> }
  /** Whether this host serves other programs. False for terminal commands, which end too soon. */
  isCarried: boolean
  /** Serve them regardless of the setting. */
  isAsked: boolean
  now(): number
  report(error: unknown): void
}

const KEY = 'TALARIA_API_KEY'
const MOST_MODELS = 50
const MOST_UNUSED = 50

/** The server for other programs, with one key. Settings open and close it. */
export function apiFeature(needs: Needs) {
  const { config, secrets, models, feed, now, report } = needs
  const { runs } = needs.chats
  let server: ApiServer | undefined
  let trouble = ''
  let isClosed = false
  /** The queue of changes, run one after the other. */
  let work = Promise.resolve()
  const tally = createTally(now)
  const change = debounce(() => feed.tell('api'), { idleMs: 200, maxMs: 1_000 })

  const isWanted = () => needs.isCarried && !isClosed && (needs.isAsked || config.current.api.enabled)

  async function keyNow(): Promise<string> {
    return secrets.get(KEY) ?? (await makeKey())
  }
  async function makeKey(): Promise<string> {
    const key = `talaria-${randomBytes(24).toString('base64url')}`
    await secrets.set(KEY, key)
    return key
  }

  async function open(): Promise<void> {
    trouble = ''
    try {
      await keyNow()
      // Load these modules only once the server is wanted.
      const [{ startApi }, { createAgentAsker }] = await Promise.all([
        import('../../../api/start-api.ts'),
        import('../../../api/ask-agent.ts'),
      ])
      server = await startApi({
        port: config.current.api.port,
        key: () => secrets.get(KEY) ?? randomBytes(32).toString('hex'),
        origins: () => config.current.api.origins,
        models: { list: models.list, defaultId: models.defaultId, engineFor: models.engineAlone },
        askAgent: createAgentAsker({
          store: needs.store,
          send: runs.send,
          watch: runs.watch,
          stopIn: runs.stopIn,
          isRunning: runs.isRunning,
          defaultModel: models.defaultId,
          workspace: needs.workspace,
          mode: () => (config.current.api.agent_tools ? 'none' : 'chat_only'),
          now,
        }),
        encode: models.encode,
        now,
        asked(request) {
          tally.add(request)
          change.request()
        },
        report,
      })
    } catch (error) {
      if (!(error instanceof Fault)) report(error)
      trouble = error instanceof Fault ? error.message : 'It could not be started. The log has the details.'
    }
  }
  async function stop(): Promise<void> {
    const was = server
    server = undefined
    await was?.close()
  }
  /** Open or close the server as the settings say; `again` restarts it. */
  function settle(again = false): Promise<void> {
    work = work
      .then(async () => {
        if (server && (again || !isWanted())) await stop()
        if (!server && isWanted()) await open()
        if (!isWanted()) trouble = ''
        change.request()
      })
      .catch(report)
    return work
  }
  config.onChange(path => {
    if (path === 'api.enabled') void settle()
    if (path === 'api.port') void settle(true)
  })
  // After the launch, so that no window waits for it.
  const first = setImmediate(() => void (isWanted() && settle()))

  async function state(): Promise<ApiState> {
    if (isWanted() && !server && trouble === '') await settle()
    else await work
    return {
      state: server ? 'running' : trouble === '' ? 'off' : 'failed',
      text: trouble,
      address: server ? `http://127.0.0.1:${server.port}/v1` : '',
      port: config.current.api.port,
      ...tally.today(),
      isCarried: needs.isCarried,
    }
  }

  return {
    handlers: {
      'api.state': state,
      'api.key': async () => ({ key: await keyNow() }),
      async 'api.newKey'() {
        const key = await makeKey()
        // Restart: requests in progress came with the old key.
        await settle(true)
        return { key }
      },
    } satisfies Partial<HostHandlers>,
    async close() {
      isClosed = true
      clearImmediate(first)
      await settle()
      change.cancel()
    },
  }
}

/** Count the requests of a day. */
function createTally(now: () => number) {
  const dayNow = () => new Date(now()).toDateString()
  let day = dayNow()
  let byModel = new Map<string, { model: string; requests: number; failed: number }>()
  let unused = new Set<string>()
  function turnDay() {
    if (day === dayNow()) return
    day = dayNow()
    byModel = new Map()
    unused = new Set()
  }
  return {
    add({ model, ok, unused: fields }: AskedOfApi) {
      turnDay()
      if (model === '') return
      const row = byModel.get(model) ?? { model, requests: 0, failed: 0 }
      if (byModel.size < MOST_MODELS || byModel.has(model))
        byModel.set(model, { model, requests: row.requests + 1, failed: row.failed + (ok ? 0 : 1) })
      for (const field of fields) if (unused.size < MOST_UNUSED) unused.add(field)
    },
    today() {
      turnDay()
      return {
        today: [...byModel.values()].toSorted((a, b) => b.requests - a.requests),
        unused: [...unused].toSorted(),
      }
    },
  }
}
