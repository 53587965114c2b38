import { EventEmitter } from 'node:events'
import { session } from './session.ts'
import { state } from './state.ts'

type OpenHandler = (details: { url: string }) => { action: string }

/** An event that a listener may prevent, as Electron passes it. */
function anEvent() {
  const event = { isPrevented: false, preventDefault: () => void (event.isPrevented = true) }
  return event
}

class WebContents extends EventEmitter {
  openHandler: OpenHandler = () => ({ action: 'allow' })
  readonly did: string[] = []
  readonly session = session.defaultSession
  zoom = 0
  url = ''
  setWindowOpenHandler(handler: OpenHandler) {
    this.openHandler = handler
  }
  getURL = () => this.url
  getZoomLevel = () => this.zoom
  setZoomLevel = (level: number) => void (this.zoom = level)
  replaceMisspelling = (word: string) => void this.did.push(`replace ${word}`)
  reload = () => void this.did.push('reload')
  /** Electron reports this like any crash. */
  forcefullyCrashRenderer() {
    this.did.push('crash')
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 })
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
  visible = false
  focused = false
  flashes = false
  bounds: Rectangle
  constructor(options: WindowOptions) {
    super()
    this.options = options
    this.visible = options['show'] !== false
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width!, height: options.height! }
    BrowserWindow.all.push(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  show() {
    this.visible = true
    this.did.push('show')
  }
  hide() {
    this.visible = false
    this.focused = false
    this.did.push('hide')
  }
  focus() {
    this.focused = true
    this.did.push('focus')
    this.emit('focus')
  }
  blur() {
    this.focused = false
    this.emit('blur')
  }
  restore = () => void (this.minimized = false)
  maximize = () => void (this.maximized = true)
  isMinimized = () => this.minimized
  isMaximized = () => this.maximized
  isVisible = () => this.visible
  isFocused = () => this.focused
  flashFrame = (isOn: boolean) => void (this.flashes = isOn)
  getNormalBounds = () => this.bounds
  setPosition = (x: number, y: number) => void Object.assign(this.bounds, { x, y })
  async loadURL(url: string) {
    if (state.loadFails) {
      const { message } = state.loadFails
      state.loadFails = undefined
      this.webContents.emit('did-fail-load', {}, -6, message, url, true)
      throw new Error(message)
    }
    this.url = this.webContents.url = url
    this.webContents.emit('did-finish-load')
    this.emit('ready-to-show')
  }
  /** Close the window as a user would. */
  close() {
    const event = anEvent()
    this.emit('close', event)
    if (!event.isPrevented) this.destroy()
  }
  destroy() {
    if (!BrowserWindow.all.includes(this)) return
    BrowserWindow.all = BrowserWindow.all.filter(each => each !== this)
    this.emit('closed')
    if (BrowserWindow.all.length === 0 && !isQuitting) app.emit('window-all-closed')
  }
}

let isReady = Promise.withResolvers<void>()
let isQuitting = false

export const app = Object.assign(new EventEmitter(), {
  name: 'Talaria',
  isPackaged: true,
  commandLine: { hasSwitch: (name: string) => state.switches.has(name) },
  enableSandbox: () => void (state.sandboxed = true),
  setName() {},
  setAppUserModelId: (id: string) => void (state.modelId = id),
  setAsDefaultProtocolClient(scheme: string) {
    state.linkSchemes.push(scheme)
    return true
  },
  setPath: (name: string, path: string) => void state.paths.set(name, path),
  getPath: (name: string) => state.paths.get(name) ?? `/paths/${name}`,
  setBadgeCount(count: number) {
    state.badge = count
    return true
  },
  getPreferredSystemLanguages: () => state.languages,
  getLoginItemSettings: () => ({ openAtLogin: state.loginItem?.openAtLogin === true }),
  setLoginItemSettings: (item: NonNullable<typeof state.loginItem>) => void (state.loginItem = item),
  requestSingleInstanceLock: () => state.isFirst,
  releaseSingleInstanceLock: () => void (state.holdsLock = false),
  getName: () => 'Talaria',
  getVersion: () => '0.1.0',
  getAppPath: () => '/paths/app',
  whenReady: () => isReady.promise,
  /** As documented: `before-quit`, then every window, then `will-quit`; each may prevent what follows. */
  quit() {
    const before = anEvent()
    app.emit('before-quit', before)
    if (before.isPrevented) return
    isQuitting = true
    for (const window of BrowserWindow.all) window.close()
    isQuitting = false
    if (BrowserWindow.all.length > 0) return
    const will = anEvent()
    app.emit('will-quit', will)
    if (!will.isPrevented) app.exit(0)
  },
  exit(code = 0) {
    state.exitCode ??= code
    app.emit('exited')
  },
  relaunch: (how: (typeof state.relaunches)[0]) => void state.relaunches.push(how),
})

/** Electron has finished starting. */
export const becomeReady = (): void => isReady.resolve()

/** Reset the application to the state before its start. */
export function resetApp(): void {
  app.removeAllListeners()
  app.isPackaged = true
  BrowserWindow.all = []
  isReady = Promise.withResolvers()
}

export const nativeTheme = { shouldUseDarkColors: false, themeSource: 'system' }

export const screen = {
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1050 } }],
  getAllDisplays: () => screen.displays,
  getCursorScreenPoint: () => ({ x: 10, y: 10 }),
  getDisplayNearestPoint: () => screen.displays[0]!,
}
