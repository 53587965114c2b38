import type { BrowserWindow } from 'electron'

/** Chromium's steps from 25 to 500 %. */
const levels = { least: -7.6, most: 8.8, step: 0.5 }

/** Let Ctrl and the mouse wheel change the size of a page. Chromium keeps the size in its profile. */
export function zoomByWheel({ webContents }: BrowserWindow): void {
  webContents.on('zoom-changed', (_event, direction) => {
    const level = webContents.getZoomLevel() + (direction === 'in' ? levels.step : -levels.step)
    webContents.setZoomLevel(Math.min(levels.most, Math.max(levels.least, level)))
  })
}
