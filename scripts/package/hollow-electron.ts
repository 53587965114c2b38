import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Electron finds its fuses in its own binary by this text, followed by a version, their number, and one digit
 * each.
 */
const sentinel = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
const fuses = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'nodeCliInspect',
  'asarIntegrity',
  'onlyLoadAppFromAsar',
  'browserV8Snapshot',
  'fileProtocolPrivileges',
] as const

/** Electron's default fuses. */
const defaults = '10110001'

/**
 * Make a fake Electron distribution for Linux: a stub with default fuses, and the files that packaging
 * expects beside it. `electron` is the npm package, for its version and licence.
 */
export function hollowElectron(folder: string, electron: string): void {
  const { version } = JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8')) as { version: string }
  for (const each of ['resources', 'locales']) mkdirSync(join(folder, each), { recursive: true })
  const wire = Buffer.concat([sentinel, Buffer.from([1, defaults.length]), Buffer.from(defaults)])
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('#!/bin/sh\nexit 0\n'), wire]), {
    mode: 0o755,
  })
  writeFileSync(join(folder, 'chrome-sandbox'), '', { mode: 0o755 })
  writeFileSync(join(folder, 'version'), version)
  writeFileSync(join(folder, 'LICENSES.chromium.html'), '')
  writeFileSync(join(folder, 'locales/en-US.pak'), '')
  copyFileSync(join(electron, 'LICENSE'), join(folder, 'LICENSE'))
}

/** Read back the fuses of a packaged executable. */
export function readFuses(executable: string): Record<string, boolean> {
  const bytes = readFileSync(executable)
  const at = bytes.indexOf(sentinel) + sentinel.length + 2
  return Object.fromEntries(
    fuses.map((name, index) => [name, bytes.toString('latin1', at + index, at + index + 1) === '1']),
  )
}
