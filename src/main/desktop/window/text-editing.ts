import { Menu, app, session, type BrowserWindow, type MenuItemConstructorOptions } from 'electron'
import type { DesktopSettings } from '../../app/host-types.ts'

/** Add the usual context menu for text, with spelling corrections. Electron has none by default. */
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

/**
 * Check spelling in the user's languages, or not at all; returns whether it is checked. Call this before the
 * first window. Outside macOS Chromium fetches a dictionary for each set language, so set none while the
 * offline lock is on.
 */
export function checkSpelling(wish: DesktopSettings['spell_check'], isLocked: boolean): boolean {
  const { defaultSession } = session
  // macOS detects the language itself.
  if (process.platform === 'darwin') {
    defaultSession.setSpellCheckerEnabled(wish !== 'off')
    return wish !== 'off'
  }
  const isOn = wish === 'on' && !isLocked
  const languages = isOn ? languagesOf(defaultSession.availableSpellCheckerLanguages) : []
  defaultSession.setSpellCheckerLanguages(languages)
  defaultSession.setSpellCheckerEnabled(languages.length > 0)
  return languages.length > 0
}

/** Return the system's languages that have dictionaries: `de` has one, `de-AT` does not. */
function languagesOf(available: readonly string[]): string[] {
  const wanted = app.getPreferredSystemLanguages().flatMap(language => {
    const [short = language] = language.split('-')
    const found = [language, short].find(each => available.includes(each))
    return found ?? available.find(each => each.startsWith(`${short}-`)) ?? []
  })
  return [...new Set(wanted)]
}
