import type { Area } from '../../shared/contract/areas.ts'
import type { AppEvent, Notice, Settings } from '../../shared/contract/app.ts'
import type { Delegated } from '../../shared/contract/delegation.ts'
import type { Transfer } from '../../shared/contract/download.ts'
import type { EngineState, Model } from '../../shared/contract/model.ts'
import type { Project } from '../../shared/contract/projects.ts'
import type { Session } from '../../shared/contract/session.ts'

export type EndedRun = Extract<AppEvent, { type: 'schedule_ended' }>
export type Hello = Extract<AppEvent, { type: 'hello' }>

/** The window's copy of the shared host state. `hello` is null until the host connects. */
export type HostState = {
  hello: Hello | null
  engine: EngineState
  settings: Settings
  notices: readonly Notice[]
  models: readonly Model[]
  defaultModelId: string
  /** Current and past transfers of model files. */
  transfers: readonly Transfer[]
  /** Whether the offline lock is on. */
  locked: boolean
  /** Whether the first run is complete. Assumed true until the host reports it. */
  setupDone: boolean
  sessions: Readonly<Record<string, Session>>
  /** By name. */
  projects: readonly Project[]
  /** Sub-agents of chats that were opened or are at work, by the id of their own chat. */
  agents: Readonly<Record<string, Delegated>>
  /** Whether the host has more, older chats than `sessions`. */
  moreSessions: boolean
  sessionsLoaded: boolean
  /** The newest run of a schedule that ended and is told of; each is an object of its own. */
  endedRun: EndedRun | null
  /** Incremented when memory may have changed, so that views reload. */
  memoryVersion: number
  /** The same for the skill library. */
  skillsVersion: number
  /** The same for learned entries, open proposals and the learning settings. */
  learningVersion: number
  /** Number of learned proposals that wait for the user. */
  learningOpen: number
  /** The same for what is attached to drafts. */
  attachedVersion: number
}

export const initialHostState: HostState = {
  hello: null,
  engine: {
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
  },
  settings: { theme: 'system', codeTheme: 'window', sendWith: 'enter', expert: false },
  notices: [],
  models: [],
  defaultModelId: '',
  transfers: [],
  locked: false,
  setupDone: true,
  sessions: {},
  projects: [],
  agents: {},
  moreSessions: false,
  sessionsLoaded: false,
  memoryVersion: 0,
  skillsVersion: 0,
  learningVersion: 0,
  learningOpen: 0,
  endedRun: null,
  attachedVersion: 0,
}

/** Applies a host event to the state. Unknown events of a newer host are ignored. */
export function applyAppEvent(state: HostState, event: AppEvent): HostState {
  switch (event.type) {
    case 'hello': {
      const { engine, settings, notices, defaultModelId, locked, setupDone } = event
      const told = { engine, settings, notices, defaultModelId, locked, setupDone }
      // Events before the greeting were missed, so reload everything.
      const versions = {
        memoryVersion: state.memoryVersion + 1,
        skillsVersion: state.skillsVersion + 1,
        learningVersion: state.learningVersion + 1,
      }
      return { ...state, hello: event, agents: {}, ...told, ...versions }
    }
    case 'engine':
      return { ...state, engine: event.engine }
    case 'settings':
      return { ...state, settings: event.settings }
    case 'notice': {
      const others = state.notices.filter(notice => notice.id !== event.notice.id)
      return { ...state, notices: [...others, event.notice] }
    }
    case 'notice_ended':
      return { ...state, notices: state.notices.filter(notice => notice.id !== event.id) }
    case 'session':
      return { ...state, sessions: { ...state.sessions, [event.session.id]: event.session } }
    case 'changed':
      return { ...state, ...versionsAfter(state, event.areas) }
    case 'session_removed': {
      const { [event.id]: _removed, ...sessions } = state.sessions
      return { ...state, sessions }
    }
    case 'agent':
      return { ...state, agents: { ...state.agents, [event.agent.sessionId]: event.agent } }
    case 'transfers':
      return { ...state, transfers: event.transfers }
    case 'lock':
      return { ...state, locked: event.locked }
    case 'schedule_ended':
      return { ...state, endedRun: event }
    case 'setup':
      return { ...state, setupDone: event.done }
    default:
      return state
  }
}

const MOVING: readonly Transfer['state'][] = ['waiting', 'running', 'checking']

/** Overall transfer progress from 0 to 1; null without active transfers. */
export function incomingShare(transfers: readonly Transfer[]): number | null {
  const moving = transfers.filter(({ state }) => MOVING.includes(state))
  if (moving.length === 0) return null
  const known = moving.filter(({ totalBytes }) => totalBytes !== null)
  const total = known.reduce((sum, { totalBytes }) => sum + (totalBytes ?? 0), 0)
  return total === 0 ? 0 : known.reduce((sum, { doneBytes }) => sum + doneBytes, 0) / total
}

const VERSIONS = {
  attachment: 'attachedVersion',
  learning: 'learningVersion',
  memory: 'memoryVersion',
  skills: 'skillsVersion',
} as const

function versionsAfter(state: HostState, areas: readonly Area[]): Partial<HostState> {
  const changed = areas.flatMap(area => (area in VERSIONS ? [VERSIONS[area as keyof typeof VERSIONS]] : []))
  return Object.fromEntries(changed.map(version => [version, state[version] + 1]))
}
