import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium as playwrights } from '@playwright/test'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'

// The headless shell is what Playwright itself uses: the same engine without a browser's window. End-to-end tests take 206 s with it on
// two cores, and 341 s with `chromium --headless`.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Switches for a Chromium in tests: no sandbox where it is unavailable, and no requests to Google. */
export const chromiumArgs = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A working Chromium: `CHROMIUM_PATH`, else the system's, else the one that Playwright downloaded. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env['CHROMIUM_PATH']
  if (given) return given
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
  const candidates = names.flatMap(name => folders.map(folder => join(folder, name)))
  return [...candidates, ...applications, playwrights.executablePath()].find(
    file => existsSync(file) && runs(file),
  )
}

// Ubuntu's `chromium-browser` is only a script with installation instructions.
const runs = (file: string) =>
  process.platform === 'win32' || spawnSync(file, ['--version'], { timeout: 10_000 }).status === 0

/**
 * Find Chromium, or install it on Debian and Ubuntu as root. Otherwise print what to install and exit with
 * code 1.
 */
export function ensureChromium(): string {
  const installers = [() => true, installWithApt, installWithPlaywright]
  const found = installers
    .values()
    .map(install => (install() ? findChromium() : undefined))
    .find(Boolean)
  if (found) return found
  console.error(
    'The tests need Chromium, and none was found. Install it in one of these ways, then run them again:\n' +
      '  Debian:          sudo apt-get install chromium-headless-shell\n' +
      '  anywhere:        npx playwright install --with-deps chromium\n' +
      '  already there:   CHROMIUM_PATH=/path/to/chromium npm test',
  )
  process.exit(1)
}

const isRootOnDebian = () =>
  process.getuid?.() === 0 &&
  existsSync('/etc/debian_version') &&
  spawnSync('apt-get', ['--version']).status === 0

/** Debian has a real package. Ubuntu's is empty, so Playwright's own Chromium is used there. */
function installWithApt(): boolean {
  if (!isRootOnDebian() || /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'))) return false
  console.log('No Chromium was found; installing it with apt-get.')
  run('apt-get', ['update', '-qq'])
  const install = (name: string) => run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name])
  // Debian 11 and older have no package of the shell.
  return install('chromium-headless-shell') || install('chromium')
}

function installWithPlaywright(): boolean {
  if (!isRootOnDebian()) return false
  console.log('No Chromium was found; installing it with Playwright.')
  const cli = join(rootFolder(), 'node_modules/@playwright/test/cli.js')
  return run(process.execPath, [cli, 'install', '--with-deps', 'chromium'])
}

const run = (command: string, args: string[]) =>
  spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status === 0
