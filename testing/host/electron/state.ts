import type { Menu, Notification, Tray } from './menus.ts'

/** The state that a test arranges before it acts. */
const arranged = {
  isFirst: true,
  /** The error that `loadURL` rejects with. */
  loadFails: undefined as Error | undefined,
  switches: new Set<string>(),
  /** The index of the button that a message box gets clicked, in order; without one, `cancelId`. */
  clicks: [] as number[],
  /** What the user chooses in a file dialog, in order; without one, they cancel. */
  chosen: [] as string[],
  onBattery: false,
  trayFails: false,
  notifications: true,
  /** Global shortcuts that other programs use. */
  takenKeys: new Set<string>(),
  languages: ['en-GB'],
  availableLanguages: ['de', 'en-GB', 'en-US', 'fr', 'pt-BR'],
  /** Results of `app.getPath`. */
  paths: new Map<string, string>(),
}

/** The requests of the shell. */
const asked = {
  sandboxed: false,
  holdsLock: true,
  /** The names of the requested sessions. */
  partitions: [] as string[],
  exitCode: undefined as number | undefined,
  relaunches: [] as { args?: string[]; execPath?: string }[],
  /** The blockers that keep the computer awake now, and how many there have been. */
  awake: new Set<number>(),
  awakeStarts: 0,
  modelId: '',
  linkSchemes: [] as string[],
  opened: [] as string[],
  revealed: [] as string[],
  errors: [] as string[],
  boxes: [] as { message: string; detail?: string; buttons?: string[]; cancelId?: number }[],
  fileDialogs: [] as { title?: string; defaultPath?: string; properties?: string[] }[],
  schemes: [] as { scheme: string; privileges: Record<string, boolean> }[],
  schemeHandlers: new Map<string, (request: Request) => Promise<Response>>(),
  menus: [] as Menu[],
  trays: [] as Tray[],
  notices: [] as Notification[],
  badge: 0,
  keys: new Map<string, () => void>(),
  loginItem: undefined as { openAtLogin?: boolean; args?: string[] } | undefined,
  spellingLanguages: undefined as string[] | undefined,
  checksSpelling: true,
}

/** The arranged state, and the requests of the shell. */
export const state = { ...arranged, ...asked }

const initial = structuredClone(state)

/** Reset the arranged state and the requests. */
export const resetState = (): void => void Object.assign(state, structuredClone(initial))
