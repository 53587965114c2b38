import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron'

/** Add the usual context menu for text, with corrections for a misspelled word. Electron has none by default. */
export function offerEditing(window: BrowserWindow): void {
  const { webContents } = window
  webContents.on('context-menu', (_event, params) => {
    const { isEditable, selectionText, editFlags, misspelledWord, dictionarySuggestions } = params
    const corrections: MenuItemConstructorOptions[] =
      isEditable && misspelledWord !== ''
        ? [
            ...dictionarySuggestions.map(word => ({
              label: word,
              click: () => webContents.replaceMisspelling(word),
            })),
            {
              label: `Add “${misspelledWord}” to the dictionary`,
              click: () => void webContents.session.addWordToSpellCheckerDictionary(misspelledWord),
            },
            { type: 'separator' },
          ]
        : []
    const items: MenuItemConstructorOptions[] = isEditable
      ? [
          ...corrections,
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
