/**
 * A stand-in for `electron`, so that the main process and the preload run under plain Node: real message ports inside,
 * and the behaviour that the shell relies on, nothing more.
 */
import { EventEmitter } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'

class PortMain extends EventEmitter {
  readonly port: MessagePort
  constructor(port: MessagePort) {
    super()
    this.port = port
    port.on('message', data => this.emit('message', { data, ports: [] }))
    port.on('close', () => this.emit('close'))
  }
  postMessage(message: unknown) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    this.port.postMessage(message)
  }
  start() {
    this.port.start()
  }
  close() {
    this.port.close()
  }
}

export class MessageChannelMain {
  port1: PortMain
  port2: PortMain
  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.port1 = new PortMain(port1)
    this.port2 = new PortMain(port2)
  }
}

type OpenHandler = (details: { url: string }) => { action: string }

class WebContents extends EventEmitter {
  openHandler: OpenHandler = () => ({ action: 'allow' })
  setWindowOpenHandler(handler: OpenHandler) {
    this.openHandler = handler
  }
}

type Rectangle = { x: number; y: number; width: number; height: number }
type WindowOptions = Partial<Rectangle> & { webPreferences?: object; [option: string]: unknown }

export class BrowserWindow extends EventEmitter {
  static all: BrowserWindow[] = []
  static getAllWindows = () => BrowserWindow.all
  readonly webContents = new WebContents()
  readonly options: WindowOptions
  readonly did: string[] = []
  url = ''
  maximized = false
  minimized = false
  bounds: Rectangle
  constructor(options: WindowOptions) {
    super()
    this.options = options
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width!, height: options.height! }
    BrowserWindow.all.push(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  show = () => void this.did.push('show')
  focus = () => void this.did.push('focus')
  restore = () => void (this.minimized = false)
  maximize = () => void (this.maximized = true)
  isMinimized = () => this.minimized
  isMaximized = () => this.maximized
  getNormalBounds = () => this.bounds
  async loadURL(url: string) {
    if (state.loadFails) throw state.loadFails
    this.url = url
    this.emit('ready-to-show')
  }
  /** Close it as a person would. */
  close() {
    this.emit('close')
    BrowserWindow.all = BrowserWindow.all.filter(each => each !== this)
    if (BrowserWindow.all.length === 0) app.emit('window-all-closed')
  }
}

/** What the test arranges, and what the shell asked for. */
export const state = {
  sandboxed: false,
  isFirst: true,
  exitCode: undefined as number | undefined,
  loadFails: undefined as Error | undefined,
  opened: [] as string[],
  errors: [] as string[],
  schemes: [] as { scheme: string; privileges: Record<string, boolean> }[],
  schemeHandlers: new Map<string, (request: Request) => Promise<Response>>(),
  menus: [] as Menu[],
  paths: new Map<string, string>(),
  switches: new Set<string>(),
}

let isReady = Promise.withResolvers<void>()

export const app = Object.assign(new EventEmitter(), {
  isPackaged: true,
  commandLine: { hasSwitch: (name: string) => state.switches.has(name) },
  enableSandbox: () => void (state.sandboxed = true),
  setName() {},
  setPath: (name: string, path: string) => void state.paths.set(name, path),
  requestSingleInstanceLock: () => state.isFirst,
  whenReady: () => isReady.promise,
  /** Quitting goes the way Electron's does: whoever prevents it must end the process later. */
  quit() {
    let prevented = false
    app.emit('will-quit', { preventDefault: () => (prevented = true) })
    if (!prevented) app.exit(0)
  },
  exit(code = 0) {
    state.exitCode ??= code
    app.emit('exited')
  },
})

export const shell = { openExternal: async (url: string) => void state.opened.push(url) }

export const dialog = {
  showErrorBox: (title: string, text: string) => void state.errors.push(`${title}: ${text}`),
}

export const protocol = {
  registerSchemesAsPrivileged: (schemes: typeof state.schemes) => void state.schemes.push(...schemes),
  handle: (scheme: string, handler: (request: Request) => Promise<Response>) =>
    void state.schemeHandlers.set(scheme, handler),
}

type Details = { requestingUrl?: string; isMainFrame: boolean }
type Ask = (
  contents: unknown,
  permission: string,
  reply: (allowed: boolean) => void,
  details: Details,
) => void
type Check = (contents: unknown, permission: string, origin: string, details: Details) => boolean

/** Electron allows everything until somebody says otherwise. */
export const permissions = {
  ask: ((_contents, _permission, reply) => reply(true)) as Ask,
  check: (() => true) as Check,
  device: () => true,
}

export const session = {
  defaultSession: {
    setPermissionRequestHandler: (handler: Ask) => void (permissions.ask = handler),
    setPermissionCheckHandler: (handler: Check) => void (permissions.check = handler),
    setDevicePermissionHandler: (handler: () => boolean) => void (permissions.device = handler),
  },
}

export const nativeTheme = { shouldUseDarkColors: false, themeSource: 'system' }

export const screen = {
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1050 } }],
  getAllDisplays: () => screen.displays,
}

type MenuItem = { role?: string; label?: string; enabled?: boolean; submenu?: MenuItem[] }

export class Menu {
  items: MenuItem[]
  constructor(items: MenuItem[]) {
    this.items = items
  }
  static buildFromTemplate = (items: MenuItem[]) => new Menu(items)
  static setApplicationMenu = (menu: Menu) => void state.menus.push(menu)
  popup = () => void state.menus.push(this)
}

export class ChildProcess extends EventEmitter {
  readonly sent: unknown[] = []
  postMessage = (message: unknown) => void this.sent.push(message)
  killed = 0
  /** Its exit comes later, with a number that depends on the system: a test that wants one says which. */
  kill = () => ++this.killed > 0
}

export const utilityProcess = {
  forked: [] as { script: string; options: { env: NodeJS.ProcessEnv }; child: ChildProcess }[],
  fork(script: string, _args: string[], options: { env: NodeJS.ProcessEnv }) {
    const child = new ChildProcess()
    utilityProcess.forked.push({ script, options, child })
    return child
  },
}

export const ipcMain = new EventEmitter()

export const exposed: Record<string, unknown> = {}
export const contextBridge = {
  exposeInMainWorld: (key: string, api: unknown) => void (exposed[key] = api),
}
export const ipcRenderer = Object.assign(new EventEmitter(), {
  send: (channel: string) => ipcRenderer.emit('sent', channel),
})

export const webUtils = { getPathForFile: (file: { path?: string }) => file.path ?? '' }

/** Turns bytes round instead of encrypting them. `backend` is what Linux would say. */
export const safeStorage = {
  available: true,
  backend: 'gnome_libsecret',
  stale: false,
  isAsyncEncryptionAvailable: async () => safeStorage.available,
  getSelectedStorageBackend: () => safeStorage.backend,
  encryptStringAsync: async (text: string) => Buffer.from(Buffer.from(text).toReversed()),
  decryptStringAsync: async (sealed: Buffer) => ({
    result: Buffer.from(sealed.toReversed()).toString(),
    shouldReEncrypt: safeStorage.stale,
  }),
}

/** Electron has finished starting. */
export const becomeReady = (): void => isReady.resolve()

/** Back to a process that has just started. */
export function resetShim(): void {
  for (const emitter of [app, ipcMain, ipcRenderer]) emitter.removeAllListeners()
  Object.assign(safeStorage, { available: true, backend: 'gnome_libsecret', stale: false })
  BrowserWindow.all = []
  isReady = Promise.withResolvers()
  Object.assign(state, {
    sandboxed: false,
    isFirst: true,
    exitCode: undefined,
    loadFails: undefined,
    opened: [],
    errors: [],
    schemes: [],
    menus: [],
  })
  state.schemeHandlers.clear()
  state.paths.clear()
  state.switches.clear()
  app.isPackaged = true
  utilityProcess.forked.length = 0
  Object.assign(nativeTheme, { shouldUseDarkColors: false, themeSource: 'system' })
}
