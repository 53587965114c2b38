import type { AppEvent, Settings } from '../../shared/contract/app.ts'
import type { HostClient } from '../../shared/contract/index.ts'
import type { NetworkEntry, NetworkHost } from '../../shared/contract/network.ts'
import type { ConfigProblem, Setting, SettingKind } from '../../shared/contract/settings.ts'
import type { UsageSum } from '../../shared/contract/usage.ts'
import { Fault } from '../../shared/rpc.ts'

type Usage = Awaited<ReturnType<HostClient['usage.read']>>
type UsageRange = Parameters<HostClient['usage.read']>[0]

/** The settings, the ledger and the usage of a fake host, for tests to fill and to look into. */
export type FakeSettings = {
  /** A setting as it stands. */
  setting: (path: string) => Setting
  /** Set one as another window, or an editor, would. */
  put: (path: string, value: unknown) => void
  problems: ConfigProblem[]
  /** Something that left this computer, or was kept from leaving. */
  request: (given?: Partial<NetworkEntry>) => NetworkEntry
  requests: () => readonly NetworkEntry[]
  locked: () => boolean
  setupDone: () => boolean
  /** What the window itself goes by. */
  window: () => Settings
  /** What was used; `days` make the total unless it is given. */
  usage: Usage
  /** The ranges that were asked for. */
  ranges: UsageRange[]
}

type Names = Extract<keyof HostClient, `${'settings' | 'network' | 'usage' | 'setup'}.${string}`>
export type SettingsHandlers = { [K in Names]: (...input: Parameters<HostClient[K]>) => unknown } & {
  'app.setSettings': (...input: Parameters<HostClient['app.setSettings']>) => Settings
}

export const noUsage: UsageSum = {
  answers: 0,
  promptTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  ms: 0,
  costUsd: null,
}

const whole = (min: number, max: number): SettingKind => ({ type: 'number', min, max, whole: true })
const choice = (...options: string[]): SettingKind => ({ type: 'choice', options })
const text: SettingKind = { type: 'text', max: 4_096 }
const list: SettingKind = { type: 'list' }
const flag: SettingKind = { type: 'switch' }

type Row = readonly [path: string, title: string, help: string, kind: SettingKind, standard: unknown]

/** Some of each section and of each kind, in the words of the real ones. */
const rows: readonly Row[] = [
  ['agent.max_iterations', 'Steps in one answer', 'How often the model may call tools.', whole(1, 500), 20],
  ['tools.timeout_s', 'Time for a command', 'Seconds after which it is stopped.', whole(1, 3_600), 30],
  ['tools.result_limit', 'Length of a result', 'Characters of a result.', whole(1_000, 1_000_000), 50_000],
  [
    'approvals.default',
    'New chats may',
    'What the agent may do in a new chat without a question.',
    choice('chat_only', 'ask', 'reads', 'full', 'none'),
    'ask',
  ],
  [
    'approvals.wait_minutes',
    'How long a question waits',
    'Minutes after which it counts as denied.',
    { type: 'number', min: 0.1, max: 1_440, whole: false },
    10,
  ],
  [
    'engine.context_tokens',
    'Context of local models',
    'Tokens of a chat that a local model holds.',
    whole(512, 1_048_576),
    8_192,
  ],
  ['engine.threads', 'Threads', 'Threads of the engine.', { type: 'auto_number', min: 1, max: 256 }, 'auto'],
  [
    'engine.hosting',
    'Where the engine runs',
    'In a process of its own.',
    choice('process', 'inline'),
    'process',
  ],
  ['engine.gpu', 'Graphics card', 'Used when it is found.', choice('auto', 'off', 'cuda', 'vulkan'), 'auto'],
  ['memory.use_in_chats', 'Use memory in chats', 'New chats begin with what is remembered.', flag, true],
  ['memory.user_limit', 'Room for “About you”', 'Characters about you.', whole(200, 100_000), 1_375],
  ['skills.folders', 'More folders with skills', 'Folders whose skills are read too.', list, []],
  [
    'learning.mode',
    'How to learn',
    'Ask first, save and tell, or never.',
    choice('ask', 'save', 'off'),
    'ask',
  ],
  ['models.default', 'Model of new chats', 'As the Models page sets it.', { type: 'other' }, 'builtin'],
  ['models.fallback', 'When a server does not answer', 'Models that are asked instead.', list, []],
  ['models.fast', 'Quick model', 'For short and simple messages; empty for none.', text, ''],
  ['models.auxiliary', 'Model for summaries and looks back', '“chat” takes that of the chat.', text, 'chat'],
  ['network.offline', 'Offline lock', 'Lets nothing leave this computer.', flag, false],
  ['ui.theme', 'Colours', 'Light, dark, or as the system says.', choice('system', 'light', 'dark'), 'system'],
  ['ui.send_with', 'Send with', 'The key that sends a message.', choice('enter', 'mod_enter'), 'enter'],
  ['ui.expert', 'Show details for experts', 'Engine numbers, raw prompts and JSON.', flag, false],
  ['ui.setup_done', 'First run is over', 'False shows the first steps again.', { type: 'other' }, false],
]

const LATER = new Set(['tools.timeout_s', 'tools.result_limit', 'engine.hosting'])

/** What a host was started with. */
type Start = { settings?: Partial<Settings> | undefined; locked?: boolean; setupDone?: boolean }

/** A host in memory for the Settings page. */
export function fakeSettings(
  say: (event: AppEvent) => void,
  start: Start = {},
): { config: FakeSettings; handlers: SettingsHandlers } {
  const { theme = 'system', sendWith = 'enter', expert = false } = start.settings ?? {}
  const given: Record<string, unknown> = {
    'ui.theme': theme,
    'ui.send_with': sendWith,
    'ui.expert': expert,
    'ui.setup_done': start.setupDone ?? true,
    'network.offline': start.locked ?? false,
  }
  const standards = new Map(rows.map(row => [row[0], row]))
  const values = new Map(rows.map(([path, , , , standard]) => [path, given[path] ?? standard]))
  const requests: NetworkEntry[] = []
  const problems: ConfigProblem[] = []
  const ranges: UsageRange[] = []
  let lastRequest = 0

  function setting(path: string): Setting {
    const row = standards.get(path)
    if (!row) throw new Fault('not_found', `There is no setting “${path}”.`)
    const [, title, help, kind, standard] = row
    const value = values.get(path)
    const changed = JSON.stringify(value) !== JSON.stringify(standard)
    const section = path.split('.')[0] ?? ''
    return { path, section, title, help, kind, value, standard, changed, restart: LATER.has(path) }
  }
  const value = (path: string) => setting(path).value
  const window = () =>
    ({ theme: value('ui.theme'), sendWith: value('ui.send_with'), expert: value('ui.expert') }) as Settings
  const locked = () => value('network.offline') === true
  const setupDone = () => value('ui.setup_done') === true

  function put(path: string, next: unknown) {
    values.set(path, next ?? setting(path).standard)
    if (path === 'ui.setup_done') say({ type: 'setup', done: setupDone() })
    else if (path.startsWith('ui.')) say({ type: 'settings', settings: window() })
    if (path === 'network.offline') say({ type: 'network', locked: locked() })
  }

  function hosts(): NetworkHost[] {
    const byHost = Object.groupBy(requests, ({ host }) => host)
    return Object.values(byHost).map((all = []) => ({
      host: all[0]!.host,
      nearby: all[0]!.nearby,
      purposes: [...new Set(all.map(({ purpose }) => purpose))],
      requests: all.length,
      blocked: all.filter(({ state }) => state === 'blocked').length,
      sentBytes: all.reduce((sum, { sentBytes }) => sum + (sentBytes ?? 0), 0),
      receivedBytes: all.reduce((sum, { receivedBytes }) => sum + (receivedBytes ?? 0), 0),
      firstAt: Math.min(...all.map(({ at }) => at)),
      lastAt: Math.max(...all.map(({ at }) => at)),
    }))
  }

  const config: FakeSettings = {
    setting,
    put,
    problems,
    request(given = {}) {
      const entry: NetworkEntry = {
        id: ++lastRequest,
        at: Date.now(),
        host: 'llm.example.org',
        purpose: 'chat',
        subject: 'Big model',
        nearby: false,
        state: 'done',
        sentBytes: 4_200,
        receivedBytes: 1_300,
        ms: 2_400,
        ...given,
      }
      requests.unshift(entry)
      say({ type: 'network', locked: locked() })
      return entry
    },
    requests: () => requests,
    locked,
    setupDone,
    window,
    usage: { total: noUsage, days: [], models: [], chats: [], kinds: [] },
    ranges,
  }

  const handlers: SettingsHandlers = {
    'app.setSettings'({ theme, sendWith, expert }) {
      if (theme !== undefined) put('ui.theme', theme)
      if (sendWith !== undefined) put('ui.send_with', sendWith)
      if (expert !== undefined) put('ui.expert', expert)
      return window()
    },
    'settings.list': () => ({
      file: '/home/ada/.talaria/config.yaml',
      settings: rows.map(([path]) => setting(path)),
      problems,
    }),
    'settings.set'({ path, value }) {
      put(path, value)
      return setting(path)
    },
    'settings.reset'({ path }) {
      for (const [each] of rows) if (each === path || each.startsWith(`${path}.`)) put(each, undefined)
      return {}
    },
    'setup.finish'() {
      put('ui.setup_done', true)
      return {}
    },
    'setup.again'() {
      put('ui.setup_done', false)
      return {}
    },
    'network.list': ({ before = Infinity, limit = 100 }) => ({
      locked: locked(),
      entries: requests.filter(({ id }) => id < before).slice(0, limit),
      hosts: hosts(),
    }),
    'network.lock'({ locked: wanted }) {
      put('network.offline', wanted)
      return { locked: locked() }
    },
    'network.clear'() {
      requests.length = 0
      return {}
    },
    'usage.read'(range) {
      ranges.push(range)
      return config.usage
    },
  }
  return { config, handlers }
}
