import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { writeAtomic } from '../../lib/disk/durable-files.ts'

/** The argument of a start at login. */
export const startsHidden = '--hidden'

/**
 * Set whether the packaged app starts at login: through the system on macOS and Windows, by an autostart file
 * on Linux. `options`: those of this launch. Throws if the file cannot be written.
 */
export function startAtLogin(isWanted: boolean, options: readonly string[] = []): void {
  // In development the program is Electron itself.
  if (!app.isPackaged) return
  const args = [...options, startsHidden]
  if (process.platform === 'linux') return writeAutostart(isWanted, args)
  if (app.getLoginItemSettings({ args }).openAtLogin !== isWanted)
    app.setLoginItemSettings({ openAtLogin: isWanted, args })
}

/** Write an autostart entry by the Desktop Application Autostart Specification. */
function writeAutostart(isWanted: boolean, args: readonly string[]): void {
  const file = join(app.getPath('appData'), 'autostart', 'app.talaria.desktop.desktop')
  if (!isWanted) {
    if (existsSync(file)) rmSync(file)
    return
  }
  mkdirSync(dirname(file), { recursive: true })
  writeAtomic(
    file,
    [
      '[Desktop Entry]',
      'Type=Application',
      'Name=Talaria',
      `Exec=${[launcher(), ...args].map(quoted).join(' ')}`,
      'Terminal=false',
      'X-GNOME-Autostart-enabled=true',
      '',
    ].join('\n'),
  )
}

/** Return the program that starts the app. In an AppImage, the running one is in a temporary mount. */
function launcher(): string {
  const beside = process.execPath.replace(/-app$/, '')
  // The package puts a script before the program that checks the sandbox.
  return process.env['APPIMAGE'] ?? (existsSync(beside) ? beside : process.execPath)
}

/** Quote an argument of `Exec` by the Desktop Entry Specification, where `%` starts a field code. */
const quoted = (argument: string): string => {
  const inQuotes = argument.replaceAll(/["`$\\]/g, match => `\\${match}`)
  // The value of a key is unescaped once before the quotes are read.
  return `"${inQuotes.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`
}
