import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { desktopObstacle, electronSwitches, findElectron } from './electron.ts'

// `npm run test:desktop`: the end-to-end specs in Electron alone. Fails, and says what is missing, where
// Electron cannot run, because a suite that is skipped proves nothing.
const needs = `The desktop specs need:
  • the Electron binary: npx install-electron
  • a display: xvfb-run npm run test:desktop gives one to a Linux without
  • on Linux, permission for Chromium's sandbox: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`

const electron = findElectron()
const obstacle = electron
  ? desktopObstacle(electron, electronSwitches)
  : 'the Electron binary is not installed'
if (obstacle !== undefined) {
  console.error(`${needs}\n\nThey cannot run here: ${obstacle}.`)
  process.exit(1)
}
const playwright = join(rootFolder(), 'node_modules/@playwright/test/cli.js')
const args = ['test', '--project=desktop', ...process.argv.slice(2)]
process.exitCode =
  spawnSync(process.execPath, [playwright, ...args], { cwd: rootFolder(), stdio: 'inherit' }).status ?? 1
