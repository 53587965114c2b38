import { EventEmitter } from 'node:events'
import { state } from './state.ts'

type MenuItem = {
  role?: string
  type?: string
  label?: string
  accelerator?: string
  registerAccelerator?: boolean
  enabled?: boolean
  submenu?: MenuItem[]
  click?: () => void
}

export class Menu {
  items: MenuItem[]
  constructor(items: MenuItem[]) {
    this.items = items
  }
  static buildFromTemplate = (items: MenuItem[]) => new Menu(items)
  static setApplicationMenu = (menu: Menu) => void state.menus.push(menu)
  popup = () => void state.menus.push(this)
}

export class Tray extends EventEmitter {
  menu: Menu | undefined
  isGone = false
  constructor(_image: object) {
    super()
    if (state.trayFails) throw new Error('There is no tray.')
    state.trays.push(this)
  }
  setToolTip() {}
  setContextMenu = (menu: Menu) => void (this.menu = menu)
  destroy = () => void (this.isGone = true)
}

export const nativeImage = {
  createFromPath: (path: string) => ({ path, resize: () => ({ path }) }),
}

export class Notification extends EventEmitter {
  static isSupported = () => state.notifications
  readonly title: string
  readonly body: string
  constructor({ title, body }: { title: string; body: string }) {
    super()
    this.title = title
    this.body = body
  }
  show = () => void state.notices.push(this)
}

export const globalShortcut = {
  register(keys: string, act: () => void) {
    if (state.takenKeys.has(keys)) return false
    state.keys.set(keys, act)
    return true
  },
  unregister: (keys: string) => void state.keys.delete(keys),
}
