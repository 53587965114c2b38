import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron'

/** Give text the menu that people expect under the right mouse button; Electron has none of its own. */
export function offerEditing(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, { isEditable, selectionText, editFlags }) => {
    const items: MenuItemConstructorOptions[] = isEditable
      ? [
          { role: 'undo', enabled: editFlags.canUndo },
          { role: 'redo', enabled: editFlags.canRedo },
          { type: 'separator' },
          { role: 'cut', enabled: editFlags.canCut },
          { role: 'copy', enabled: editFlags.canCopy },
          { role: 'paste', enabled: editFlags.canPaste },
          { role: 'selectAll', enabled: editFlags.canSelectAll },
        ]
      : [{ role: 'copy', enabled: selectionText.trim() !== '' }, { role: 'selectAll' }]
    Menu.buildFromTemplate(items).popup({ window })
  })
}
