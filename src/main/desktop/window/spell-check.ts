import { app, session } from 'electron'
import type { DesktopSettings } from '../../app/host-types.ts'

/**
 * Check spelling in the languages of the user, or not at all; returns whether it is checked. Call it before the first window.
 * Outside macOS Chromium fetches a dictionary for each language that is set, so none is set while the offline lock is on.
 */
export function checkSpelling(wish: DesktopSettings['spell_check'], isLocked: boolean): boolean {
  const { defaultSession } = session
  // macOS finds out the language itself.
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

/** The languages of the system that there are dictionaries for: there is one for `de`, and none for `de-AT`. */
function languagesOf(available: readonly string[]): string[] {
  const wanted = app.getPreferredSystemLanguages().flatMap(language => {
    const [short = language] = language.split('-')
    const found = [language, short].find(each => available.includes(each))
    return found ?? available.find(each => each.startsWith(`${short}-`)) ?? []
  })
  return [...new Set(wanted)]
}
