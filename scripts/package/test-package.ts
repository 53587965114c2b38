import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from '../build.ts'
import { fromBuilder, installBuilder, packageApp, type Asar } from './builder.ts'
import { checkContents, checkUnpacked } from './check-archive.ts'
import { checkConfiguration } from './check-configuration.ts'
import {
  checkFirstStart,
  checkFuses,
  checkHost,
  checkLauncher,
  checkPictureProcess,
  checkSearchWorker,
  checkSyntax,
} from './check-programs.ts'

// `npm run test:package`: package the application around a fake Electron, check the result, and run it under Node.
if (process.platform !== 'linux') {
  console.log('The packaging test knows the layout of Linux only; skipped.')
  process.exit(0)
}
const work = mkdtempSync(join(tmpdir(), 'talaria-package-'))
try {
  buildIfStale()
  await step('installed electron-builder', installBuilder)
  await step('the configuration of all systems fits its schema', checkConfiguration)
  const folder = await step('packaged around a hollow Electron', () => packageApp(work))
  const archive = join(folder, 'resources/app.asar')
  const asar = fromBuilder('@electron/asar') as Asar & { extractAll(archive: string, to: string): void }
  await step('the fuses are set', () => checkFuses(folder))
  await step('the launcher starts the binary', () => checkLauncher(folder))
  await step('the archive holds what is needed, and nothing else', () => checkContents(asar, archive))
  await step('what runs in other processes lies beside it', () => checkUnpacked(asar, archive))
  await step('the search runs in a thread from beside the archive', () => checkSearchWorker(archive))
  await step('pictures are made small by a process from beside the archive', () =>
    checkPictureProcess(archive),
  )
  const home = join(work, 'home')
  mkdirSync(home)
  await step('the application starts from the archive', () => checkFirstStart(archive, home))
  const app = join(work, 'app')
  await step('extracted it', () => asar.extractAll(archive, app))
  await step('every built file can be parsed', () => checkSyntax(app))
  await step('the packaged host starts and stops', () => checkHost(app, join(work, 'web-home')))
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function step<T>(name: string, act: () => T | Promise<T>): Promise<T> {
  const startedAt = Date.now()
  const result = await act()
  console.log(`✓ ${name} (${((Date.now() - startedAt) / 1_000).toFixed(1)} s)`)
  return result
}
