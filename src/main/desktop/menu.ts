import { app, Menu, type MenuItemConstructorOptions } from 'electron'

/** The application menu: the standard roles, so that every shortcut of the platform works. Reloading is for development. */
export function setMenu(): void {
  const development: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    { role: 'toggleDevTools' },
    { type: 'separator' },
  ]
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    { role: 'fileMenu' },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        ...(app.isPackaged ? [] : development),
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
