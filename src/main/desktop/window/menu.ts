import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { WindowRequest } from '../../../shared/contract/desktop.ts'

const development: MenuItemConstructorOptions[] = [
  { role: 'reload' },
  { role: 'toggleDevTools' },
  { type: 'separator' },
]

/**
 * Set the application menu: the standard roles, so that every shortcut of the platform works, and common
 * actions. `ask` brings the window to the front. Reload is for development only.
 */
export function setMenu(ask: (request: WindowRequest) => void): void {
  const isMac = process.platform === 'darwin'
  /** Outside macOS the page handles its own keys, and the menu only shows them. */
  const item = (label: string, accelerator: string, request: WindowRequest): MenuItemConstructorOptions => ({
    label,
    accelerator,
    registerAccelerator: isMac,
    click: () => ask(request),
  })
  const settings = item('Settings…', 'CommandOrControl+,', { type: 'page', page: 'settings', tab: null })
  const appMenu: MenuItemConstructorOptions = {
    label: app.name,
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  }
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [appMenu] : []),
    {
      label: 'File',
      submenu: [
        item('New Chat', 'CommandOrControl+N', { type: 'chat', id: null }),
        item('Search Chats', 'CommandOrControl+Shift+F', { type: 'search' }),
        ...(isMac ? [] : [settings]),
        { type: 'separator' },
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        item('Command Palette…', 'CommandOrControl+K', { type: 'palette' }),
        { type: 'separator' },
        ...(app.isPackaged ? [] : development),
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        // The plus key without Shift on most keyboards.
        { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [item('Talaria Help', 'F1', { type: 'page', page: 'help', tab: null })],
    },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
