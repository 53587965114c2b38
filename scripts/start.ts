import { spawn } from 'node:child_process'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import packageJson from '../package.json' with { type: 'json' }
import { usage } from '../src/main/app/start-options.ts'
import { buildIfStale } from './build.ts'
import { desktopObstacle, fetchElectron, findElectron } from './electron.ts'
import { isFresh } from './freshness.mjs'
import { hasDisplay } from '../src/main/lib/processes/display-and-power.ts'

// `npm start`: open the desktop window if Electron is installed or can be downloaded, else the same window in
// a browser.
const args = process.argv.slice(2)

if (args.includes('--help')) {
  console.log(usage)
  process.exit(0)
}
if (args.includes('--version')) {
  console.log(packageJson.version)
  process.exit(0)
}
if (!isFresh(rootFolder())) say('Building the window; this takes about a minute the first time.')
buildIfStale()
const electron = await chooseElectron()
const headless = new URL('../out/main/headless.js', import.meta.url).href
const missingLibrary = 127
const code = electron ? await runDesktop(electron) : undefined
if (code === missingLibrary) say('Electron does not run here; opening Talaria in the browser instead.')
if (code === undefined || code === missingLibrary) {
  // The browser's host parses the same command line and does not know Electron's switch.
  process.argv = process.argv.filter(arg => arg !== '--no-sandbox')
  await import(headless)
} else process.exitCode = code

/** The Electron binary; undefined, after one line with the reason, when the browser is used. */
async function chooseElectron(): Promise<string | undefined> {
  // These options apply only to the browser, so they select it.
  if (args.some(arg => /^--(port|open|no-open)\b/.test(arg))) return undefined
  if (!hasDisplay()) return say('There is no display here; open the address below in a browser.')
  const found = findElectron() ?? (await fetchElectron())
  if (!found) return say('The Electron binary is not available here; opening Talaria in the browser instead.')
  const obstacle = desktopObstacle(found, args)
  return obstacle ? say(`Opening Talaria in the browser, because ${obstacle}.`) : found
}

function say(sentence: string): undefined {
  console.log(sentence)
}

/** Run Electron until it ends, and forward signals that reach only this process. */
function runDesktop(file: string): Promise<number> {
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const child = spawn(file, [rootFolder(), ...args], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise(resolve => {
    child.once('error', () => resolve(missingLibrary))
    child.once('exit', code => resolve(code ?? 1))
  })
}
