import { app, Menu, nativeImage, Tray } from 'electron'
import { resourcePath } from '../../lib/disk/shipped-files.ts'

type Actions = { show(): void; startChat(): void; quit(): void; report(error: unknown): void }

/** The tray icon, if wanted. */
export type TrayIcon = {
  /** Show or remove the icon. Returns whether it is shown, as far as the system reports. */
  follow(isWanted: boolean): boolean
}

/** Prepare the tray icon. On a Linux desktop without a tray it is accepted but not visible. */
export function createTrayIcon({ show, startChat, quit, report }: Actions): TrayIcon {
  let tray: Tray | undefined

  function open(): Tray | undefined {
    try {
      const size = process.platform === 'darwin' ? 18 : 24
      const image = nativeImage.createFromPath(resourcePath('icon.png')).resize({ width: size, height: size })
      const opened = new Tray(image)
      opened.setToolTip('Talaria')
      opened.setContextMenu(
        Menu.buildFromTemplate([
          { label: 'Open Talaria', click: show },
          { label: 'New Chat', click: startChat },
          { type: 'separator' },
          { label: `Quit ${app.name}`, click: quit },
        ]),
      )
      // macOS opens the menu on click.
      if (process.platform !== 'darwin') opened.on('click', show)
      return opened
    } catch (error) {
      report(error)
      return undefined
    }
  }
  return {
    follow(isWanted) {
      if (!isWanted) tray?.destroy()
      tray = isWanted ? (tray ?? open()) : undefined
      return tray !== undefined
    },
  }
}
