/**
 * A stand-in for `electron`, so that the main process and the preload run under plain Node. It has real
 * message ports and only the behaviour that the shell relies on, as stated by Electron's type declarations
 * and documentation.
 */
import { ipcMain, ipcRenderer } from './electron/ports.ts'
import { safeStorage } from './electron/session.ts'
import { resetState } from './electron/state.ts'
import { powerMonitor, utilityProcess } from './electron/system.ts'
import { nativeTheme, resetApp } from './electron/windows.ts'

export { globalShortcut, Menu, nativeImage, Notification, Tray } from './electron/menus.ts'
export {
  contextBridge,
  exposed,
  ipcMain,
  ipcRenderer,
  MessageChannelMain,
  webUtils,
} from './electron/ports.ts'
export { net } from './electron/net.ts'
export { permissions, protocol, safeStorage, session } from './electron/session.ts'
export { state } from './electron/state.ts'
export {
  autoUpdater,
  dialog,
  powerMonitor,
  powerSaveBlocker,
  shell,
  utilityProcess,
} from './electron/system.ts'
export { app, becomeReady, BrowserWindow, nativeTheme, screen } from './electron/windows.ts'

/** Reset to the state of a process that has just started. */
export function resetShim(): void {
  for (const emitter of [ipcMain, ipcRenderer, powerMonitor]) emitter.removeAllListeners()
  resetApp()
  resetState()
  Object.assign(safeStorage, { available: true, backend: 'gnome_libsecret', stale: false })
  utilityProcess.forked.length = 0
  Object.assign(nativeTheme, { shouldUseDarkColors: false, themeSource: 'system' })
}
