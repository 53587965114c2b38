import type { AppEvent, Settings } from '../../shared/contract/app.ts'
import type { HostClient } from '../../shared/contract/index.ts'
import type { AttachedSkill, Message } from '../../shared/contract/messages.ts'
import type { EngineState, Model } from '../../shared/contract/model.ts'
import type { Compaction, PromptSection, Session } from '../../shared/contract/session.ts'
import type { ImportPreview, ImportProgress } from '../../shared/contract/transfer.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Link } from '../rpc/link.ts'
import { fakeLearning, type FakeLearning } from './fake-learning.ts'
import { demoModel, fakeModels, type FakeModels } from './fake-models.ts'
import { fakeNotebook, type FakeNotebook } from './fake-notebook.ts'
import { searchChats } from './fake-recall.ts'
import { fakeRun, type FakeRun, type RunOfHost } from './fake-run.ts'
import { fakeSettings, type FakeSettings } from './fake-settings.ts'
import { fakeSkills, type FakeSkills } from './fake-skills.ts'
import { feed } from './feed.ts'

export { demoModel }

const asleep: EngineState = {
  phase: 'stopped',
  modelId: null,
  modelName: '',
  progress: null,
  contextTokens: null,
  hosting: 'process',
  error: null,
  fix: null,
  fixes: [],
  notice: null,
}

const anImport: ImportPreview = {
  id: 'import-1',
  kind: 'chatgpt',
  path: '/home/ada/conversations.json',
  sessions: 0,
  messages: 0,
  memories: 0,
  known: 0,
  titles: [],
  skipped: [],
}

/** A host in memory that keeps chats and messages as the real one does; what runs say is told by the test. */
export type FakeHost = {
  link: Link
  sessions: Map<string, Session>
  models: Model[]
  files: FakeModels
  notebook: FakeNotebook
  skills: FakeSkills
  learning: FakeLearning
  config: FakeSettings
  /** What the model sees in a chat, by the id of the chat; the text of a section counts for its tokens. */
  contexts: Map<string, PromptSection[]>
  /** The summaries that stand for messages of a chat, by its id. */
  compactions: Map<string, Compaction[]>
  /** What the next import brings, and how it goes. */
  imports: { preview: ImportPreview; progress: ImportProgress[] }
  /** Every question that the window asked, by name, in order. */
  asked: { name: string; input: unknown }[]
  addSession: (session?: Partial<Session>, messages?: readonly Message[]) => Session
  /** The next run that the window, or somebody else, starts. */
  nextRun: () => Promise<FakeRun>
  /** Start a run as another window would. */
  sendElsewhere: (sessionId: string, text: string) => FakeRun
  publish: (event: AppEvent) => void
  engine: (state: Partial<EngineState>) => void
  /** Break the line, or mend it. */
  disconnect: () => void
  reconnect: () => void
  /** Make the next question of this name fail. */
  failNext: (name: keyof HostClient, fault: Fault) => void
}

type Hello = Extract<AppEvent, { type: 'hello' }>
export type FakeHostOptions = {
  hello?: Omit<Partial<Hello>, 'settings'> & { settings?: Partial<Settings> }
  models?: readonly Model[]
  connection?: 'connecting' | 'connected' | 'lost'
}

export function fakeHost(options: FakeHostOptions = {}): FakeHost {
  const events = feed<AppEvent>()
  const sessions = new Map<string, Session>()
  const removed = new Map<string, Session>()
  const messages = new Map<string, Message[]>()
  const runs = new Map<string, RunOfHost>()
  const contexts = new Map<string, PromptSection[]>()
  const compactions = new Map<string, Compaction[]>()
  const { notebook, handlers: memoryHandlers } = fakeNotebook(() => events.say({ type: 'memory' }))
  const { skills, handlers: skillHandlers } = fakeSkills(() => events.say({ type: 'skills' }))
  const { learning, handlers: learningHandlers } = fakeLearning(open =>
    events.say({ type: 'learning', open }),
  )
  const { config, handlers: settingsHandlers } = fakeSettings(event => events.say(event), options.hello)
  const imports: FakeHost['imports'] = { preview: anImport, progress: [] }
  const models = [...(options.models ?? [demoModel])]
  const { files, handlers: modelHandlers } = fakeModels(models, {
    models: () => events.say({ type: 'models' }),
    transfers: transfers => events.say({ type: 'transfers', transfers }),
  })
  const asked: FakeHost['asked'] = []
  const faults = new Map<string, Fault>()
  const waitingForRun: ((run: FakeRun) => void)[] = []
  const unclaimed: FakeRun[] = []
  const listeners = new Set<() => void>()
  let connection = options.connection ?? 'connected'
  let lastId = 0

  const found = (id: string) => {
    const session = sessions.get(id)
    if (!session) throw new Fault('not_found', 'This chat does not exist any more.')
    return session
  }
  const put = (session: Session) => {
    sessions.set(session.id, session)
    events.say({ type: 'session', session })
    return session
  }
  const addSession: FakeHost['addSession'] = (given = {}, stored = []) => {
    const id = given.id ?? `chat-${++lastId}`
    messages.set(id, [...stored])
    lastId = Math.max(lastId, ...stored.map(message => message.id))
    return put({
      id,
      title: '',
      preview: '',
      modelId: files.defaultId,
      workspace: '/home/ada/notes',
      approval: 'ask',
      pinned: false,
      draft: '',
      source: 'window',
      messageCount: stored.length,
      turnCount: stored.filter(({ role }) => role === 'user').length,
      createdAt: Date.now(),
      updatedAt: Date.now(),
      activeRunId: null,
      lastRunId: null,
      waiting: false,
      ...given,
    })
  }

  function startRun(sessionId: string, text: string, skill?: AttachedSkill, silent = false): RunOfHost {
    const session = found(sessionId)
    if (session.activeRunId !== null) throw new Fault('busy', 'An answer is under way in this chat.')
    const id = `run-${++lastId}`
    const run = fakeRun({
      id,
      sessionId,
      text,
      skill,
      silent,
      nextId: () => ++lastId,
      store(message) {
        messages.get(sessionId)?.push(message)
        const now = sessions.get(sessionId)
        if (now)
          put({
            ...now,
            title: now.title || text,
            messageCount: now.messageCount + 1,
            turnCount: now.turnCount + Number(message.role === 'user'),
            updatedAt: Date.now(),
          })
      },
      state(active, waiting) {
        const now = sessions.get(sessionId)
        if (now) put({ ...now, activeRunId: active ? id : null, waiting })
      },
    })
    runs.set(id, run)
    const claim = waitingForRun.shift()
    if (claim) claim(run)
    else unclaimed.push(run)
    return run
  }

  const runOf = (id: string) => {
    const run = runs.get(id)
    if (!run) throw new Fault('not_found', 'There is no such run.')
    return run
  }
  const hello = (): AppEvent => ({
    type: 'hello',
    version: '0.1.0',
    hosting: 'headless',
    platform: 'linux',
    home: '/home/ada/.talaria',
    workspace: '/home/ada/notes',
    engine: asleep,
    notices: [],
    ...options.hello,
    defaultModelId: files.defaultId,
    settings: config.window(),
    locked: config.locked(),
    setupDone: config.setupDone(),
  })

  type Handlers = { [K in keyof HostClient]: (...input: Parameters<HostClient[K]>) => unknown }
  const handlers: Handlers = {
    'app.watch': (_input, { signal } = {}) =>
      (async function* () {
        const coming = events.listen(signal)
        yield hello()
        yield* coming
      })(),
    'app.ping': input => input,
    'app.dismissNotice': () => ({}),
    'session.list'({ query = '', limit = 50, offset = 0 }) {
      const words = query.toLowerCase()
      const all = [...sessions.values()]
        .filter(session => `${session.title} ${session.preview}`.toLowerCase().includes(words))
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
      return { sessions: all.slice(offset, offset + limit), more: all.length > offset + limit }
    },
    'session.create': ({ modelId, workspace, approval }) =>
      addSession({
        ...(modelId === undefined ? {} : { modelId }),
        ...(workspace === undefined ? {} : { workspace }),
        ...(approval === undefined ? {} : { approval }),
      }),
    'session.get': ({ id }) => found(id),
    'session.update'({ id, draftAfter, ...change }) {
      const { turnCount, draft } = found(id)
      const kept = draftAfter !== undefined && draftAfter < turnCount ? { draft } : {}
      return put({ ...found(id), ...(change as Partial<Session>), ...kept })
    },
    'session.remove'({ id }) {
      removed.set(id, found(id))
      sessions.delete(id)
      events.say({ type: 'session_removed', id })
      return {}
    },
    'session.restore'({ id }) {
      const session = removed.get(id)
      if (!session) throw new Fault('not_found', 'This chat cannot be brought back any more.')
      return put(session)
    },
    'session.messages'({ id, before = Infinity, limit = 60 }) {
      found(id)
      const older = (messages.get(id) ?? []).filter(message => message.id < before)
      return { messages: older.slice(-limit), more: older.length > limit }
    },
    'session.compactions': ({ id }) => ({ compactions: compactions.get(found(id).id) ?? [] }),
    'chat.compact': ({ sessionId, focus = '' }) => ({
      runId: startRun(sessionId, focus, undefined, true).id,
    }),
    'chat.send'({ sessionId, text, draft }) {
      const { id } = startRun(sessionId, ...skills.named(text))
      if (draft !== undefined) put({ ...found(sessionId), draft })
      return { runId: id }
    },
    'run.watch': ({ runId, after = 0 }, { signal } = {}) => runOf(runId).watch(after, signal),
    'run.stop'({ runId }) {
      runOf(runId).stop()
      return {}
    },
    'run.approve'({ runId, approvalId, decision, note = '' }) {
      runOf(runId).answer(approvalId, decision, note)
      return {}
    },
    ...modelHandlers,
    ...memoryHandlers,
    ...skillHandlers,
    ...learningHandlers,
    ...settingsHandlers,
    'recall.search': question => searchChats(sessions, messages, question),
    'session.context'({ id }) {
      const sections = contexts.get(found(id).id) ?? []
      const tokens = sections.reduce((sum, section) => sum + section.tokens, 0)
      return { sections, tokens, contextTokens: demoModel.contextTokens, exact: true }
    },
    'session.refreshPrompt'({ id }) {
      contexts.set(
        found(id).id,
        (contexts.get(id) ?? []).map(section => ({ ...section, stale: false })),
      )
      return {}
    },
    'import.preview': ({ path }) => ({ ...imports.preview, path }),
    'import.run': () =>
      (async function* () {
        yield* imports.progress
      })(),
  }

  /** What every question meets first: a line that may be down, and a fault that the test has prepared. */
  function gate(name: string, input: unknown) {
    asked.push({ name, input })
    if (connection !== 'connected')
      throw new Fault('disconnected', 'There is no connection to the host at the moment.')
    const fault = faults.get(name)
    faults.delete(name)
    if (fault) throw fault
  }
  const isStream = (name: string) =>
    [
      'app.watch',
      'run.watch',
      'import.run',
      'skills.tryTrigger',
      'learning.feed',
      'learning.trajectories',
    ].includes(name)
  type Answer = (...input: unknown[]) => unknown
  const client = Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => {
      const ask = (...input: unknown[]) => {
        gate(name, input[0])
        return (handler as Answer)(...input)
      }
      const asStream = async function* (...input: unknown[]) {
        yield* ask(...input) as AsyncGenerator
      }
      return [name, isStream(name) ? asStream : async (...input: unknown[]) => structuredClone(ask(...input))]
    }),
  ) as unknown as HostClient

  const change = (next: typeof connection) => {
    connection = next
    for (const listener of listeners) listener()
  }
  return {
    link: {
      client,
      state: () => connection,
      subscribe(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      retryNow: () => asked.push({ name: 'retry', input: undefined }),
    },
    sessions,
    models,
    files,
    notebook,
    skills,
    learning,
    config,
    contexts,
    compactions,
    imports,
    asked,
    addSession,
    nextRun: () =>
      new Promise(resolve => {
        const run = unclaimed.shift()
        if (run) resolve(run)
        else waitingForRun.push(resolve)
      }),
    sendElsewhere: startRun,
    publish: event => events.say(event),
    engine: state => events.say({ type: 'engine', engine: { ...asleep, ...state } }),
    disconnect() {
      change('lost')
      const fault = new Fault('disconnected', 'The host went away.')
      events.end(fault)
      for (const run of runs.values()) run.drop(fault)
    },
    reconnect: () => change('connected'),
    failNext: (name, fault) => void faults.set(name, fault),
  }
}
