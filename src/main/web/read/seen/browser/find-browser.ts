import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

/** A computer on which to look for a browser. */
type Computer = {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** Whether there is an executable file at this path. */
  isProgram: (path: string) => boolean
}

const LINUX_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'brave-browser',
]
const LINUX_PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/opt/google/chrome',
  '/opt/microsoft/msedge',
  '/usr/lib/chromium',
]
const MAC_PROGRAMS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'Brave Browser.app/Contents/MacOS/Brave Browser',
]
const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
  'BraveSoftware\\Brave-Browser\\Application\\brave.exe',
]

/**
 * Find an installed Chromium, Chrome, Edge or Brave; undefined if there is none. A snap comes last, because
 * it cannot see temporary folders.
 * @internal Tests ask it about other computers.
 */
export function findBrowser({ platform, env, isProgram }: Computer): string | undefined {
  return placesOf(platform, env).find(isProgram)
}

/** Find a browser on this computer. Not for threads, which have no environment variables. */
export const findInstalledBrowser = (): string | undefined =>
  findBrowser({
    platform: process.platform,
    env: process.env,
    isProgram: path => {
      try {
        accessSync(path, constants.X_OK)
        return statSync(path).isFile()
      } catch {
        return false
      }
    },
  })

function placesOf(platform: NodeJS.Platform, env: Computer['env']): string[] {
  if (platform === 'darwin') {
    const folders = ['/Applications', ...(env['HOME'] ? [posix.join(env['HOME'], 'Applications')] : [])]
    return MAC_PROGRAMS.flatMap(program => folders.map(folder => posix.join(folder, program)))
  }
  if (platform === 'win32') {
    const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(name => env[name] ?? [])
    return WINDOWS_PROGRAMS.flatMap(program => folders.map(folder => win32.join(folder, program)))
  }
  const onPath = (env['PATH'] ?? '').split(':').filter(folder => folder.startsWith('/'))
  const folders = [...new Set([...LINUX_PLACES, ...onPath])]
  const found = LINUX_NAMES.flatMap(name => folders.map(folder => posix.join(folder, name)))
  const isSnap = (path: string) => path.includes('/snap/')
  return [
    ...found.filter(path => !isSnap(path)),
    ...found.filter(isSnap),
    '/opt/google/chrome/chrome',
    '/snap/bin/chromium',
  ]
}
