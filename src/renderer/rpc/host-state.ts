import { Area } from '../../shared/contract/areas.ts'
import type { AppEvent, Notice, Settings } from '../../shared/contract/app.ts'
import type { Delegated } from '../../shared/contract/runs/delegation.ts'
import type { Transfer } from '../../shared/contract/models/download.ts'
import type { EngineState, Model } from '../../shared/contract/models/model.ts'
import type { Session } from '../../shared/contract/chats/session.ts'

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
  /** Whether the offline lock is on. */
  locked: boolean
  /** Whether the first run is complete. Assumed true until the host reports it. */
  setupDone: boolean
  sessions: Readonly<Record<string, Session>>
  /** Sub-agents of opened chats, and those at work, by the id of their own chat. */
  agents: Readonly<Record<string, Delegated>>
  /** Whether the host has more, older chats than `sessions`. */
  moreSessions: boolean
  sessionsLoaded: boolean
  /** The latest finished schedule run to report, a new object each time. */
  endedRun: EndedRun | null
  /** The areas that changed last, a new object each time. For code that cannot use `useAnswer`. */
  changed: readonly Area[]
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
  settings: {
    theme: 'system',
    codeTheme: 'window',
    textSize: 'normal',
    sendWith: 'enter',
    keys: {},
    expert: false,
  },
  notices: [],
  models: [],
  defaultModelId: '',
  locked: false,
  setupDone: true,
  sessions: {},
  agents: {},
  moreSessions: false,
  sessionsLoaded: false,
  endedRun: null,
  changed: [],
}

/** Applies a host event to the state. Unknown events of a newer host are ignored. */
export function applyAppEvent(state: HostState, event: AppEvent): HostState {
  switch (event.type) {
    case 'hello': {
      const { engine, settings, notices, defaultModelId, locked, setupDone } = event
      const told = { engine, settings, notices, defaultModelId, locked, setupDone }
      // Events before the greeting were missed, so everything may have changed.
      return { ...state, hello: event, agents: {}, ...told, changed: Area.options }
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
      return { ...state, changed: event.areas }
    case 'session_removed': {
      const { [event.id]: _removed, ...sessions } = state.sessions
      return { ...state, sessions }
    }
    case 'agent':
      return { ...state, agents: { ...state.agents, [event.agent.sessionId]: event.agent } }
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

/** Whether a transfer is in progress. */
export const isMoving = ({ state }: Transfer): boolean => MOVING.includes(state)

/** Overall transfer progress from 0 to 1; null without active transfers. */
export function incomingShare(transfers: readonly Transfer[]): number | null {
  const moving = transfers.filter(isMoving)
  if (moving.length === 0) return null
  const known = moving.filter(({ totalBytes }) => totalBytes !== null)
  const total = known.reduce((sum, { totalBytes }) => sum + (totalBytes ?? 0), 0)
  return total === 0 ? 0 : known.reduce((sum, { doneBytes }) => sum + doneBytes, 0) / total
}
