import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { app } from 'electron'
import { writeAtomic } from '../../lib/disk/durable-files.ts'

/** The argument of a start at login. */
export const startsHidden = '--hidden'

/**
 * Start the packaged app when the user logs in, or no longer: by the system on macOS and Windows, by an autostart file on Linux.
 * `options` are those that this start had. Throws when the file cannot be written.
 */
export function startAtLogin(isWanted: boolean, options: readonly string[] = []): void {
  // In development the program is Electron itself.
  if (!app.isPackaged) return
  const args = [...options, startsHidden]
  if (process.platform === 'linux') return writeAutostart(isWanted, args)
  if (app.getLoginItemSettings({ args }).openAtLogin !== isWanted)
    app.setLoginItemSettings({ openAtLogin: isWanted, args })
}

/** The Desktop Application Autostart Specification: a desktop entry in `autostart` of the configuration folder. */
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

/** What starts the app. The program inside a running AppImage is mounted in a folder that is gone at the next login. */
function launcher(): string {
  const beside = process.execPath.replace(/-app$/, '')
  // The package puts a script that looks at the sandbox before the program.
  return process.env['APPIMAGE'] ?? (existsSync(beside) ? beside : process.execPath)
}

/** An argument of `Exec`: in quotes, with the escapes of the Desktop Entry Specification, where `%` begins a field code. */
const quoted = (argument: string): string => {
  const inQuotes = argument.replaceAll(/["`$\\]/g, match => `\\${match}`)
  // The value of a key is unescaped once before the quotes are read.
  return `"${inQuotes.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`
}
