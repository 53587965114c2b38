import type { AppEvent, Notice, Settings } from '../../shared/contract/app.ts'
import type { EngineState, Model } from '../../shared/contract/model.ts'
import type { Session } from '../../shared/contract/session.ts'
import type { Transfer } from '../../shared/contract/transfers.ts'

export type Hello = Extract<AppEvent, { type: 'hello' }>

/** The window's copy of what the host has said and every page may need. `hello` is null until the host has spoken. */
export type HostState = {
  hello: Hello | null
  engine: EngineState
  settings: Settings
  notices: readonly Notice[]
  models: readonly Model[]
  defaultModelId: string
  /** Model files that come in or came in. */
  transfers: readonly Transfer[]
  /** Whether nothing may leave this computer. */
  locked: boolean
  /** Whether the first run is over; true until the host says otherwise. */
  setupDone: boolean
  sessions: Readonly<Record<string, Session>>
  /** Whether the host has older chats than those in `sessions`. */
  moreSessions: boolean
  sessionsLoaded: boolean
  /** Goes up whenever what is remembered may have changed, so that whoever shows it asks again. */
  memoryVersion: number
  /** The same for the library of skills. */
  skillsVersion: number
  /** The same for what was learned, what waits, and how it is learned. */
  learningVersion: number
  /** How much of what was found in chats waits for the person. */
  learningOpen: number
  /** The same for the lock and for what was asked of the network. */
  networkVersion: number
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
  settings: { theme: 'system', sendWith: 'enter', expert: false },
  notices: [],
  models: [],
  defaultModelId: '',
  transfers: [],
  locked: false,
  setupDone: true,
  sessions: {},
  moreSessions: false,
  sessionsLoaded: false,
  memoryVersion: 0,
  skillsVersion: 0,
  learningVersion: 0,
  learningOpen: 0,
  networkVersion: 0,
}

/** Fold one event of the host into the window's copy; an event of a newer host that is not known changes nothing. */
export function applyAppEvent(state: HostState, event: AppEvent): HostState {
  switch (event.type) {
    case 'hello': {
      const { engine, settings, notices, defaultModelId, locked, setupDone } = event
      const told = { engine, settings, notices, defaultModelId, locked, setupDone }
      // Nobody told this window what changed before it was greeted.
      const versions = {
        memoryVersion: state.memoryVersion + 1,
        skillsVersion: state.skillsVersion + 1,
        learningVersion: state.learningVersion + 1,
        networkVersion: state.networkVersion + 1,
      }
      return { ...state, hello: event, ...told, ...versions }
    }
    case 'engine':
      return { ...state, engine: event.engine }
    case 'settings':
      return { ...state, settings: event.settings }
    case 'notice': {
      const others = state.notices.filter(notice => notice.id !== event.notice.id)
      return { ...state, notices: [...others, event.notice] }
    }
    case 'session':
      return { ...state, sessions: { ...state.sessions, [event.session.id]: event.session } }
    case 'session_removed': {
      const { [event.id]: _removed, ...sessions } = state.sessions
      return { ...state, sessions }
    }
    case 'memory':
      return { ...state, memoryVersion: state.memoryVersion + 1 }
    case 'transfers':
      return { ...state, transfers: event.transfers }
    case 'network':
      return { ...state, locked: event.locked, networkVersion: state.networkVersion + 1 }
    case 'skills':
      return { ...state, skillsVersion: state.skillsVersion + 1 }
    case 'learning':
      return { ...state, learningOpen: event.open, learningVersion: state.learningVersion + 1 }
    case 'setup':
      return { ...state, setupDone: event.done }
    default:
      return state
  }
}
