import { copyFileSync, chmodSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** What `afterPack` uses of electron-builder’s context (`AfterPackContext` of app-builder-lib). */
type PackContext = {
  appOutDir: string
  electronPlatformName: string
  packager: {
    executableName: string
    generateFuseConfig(fuses: object): Promise<object>
    addElectronFuses(context: object, fuses: object): Promise<unknown>
  }
}

/** The launcher that starts the Electron binary on Linux. */
export const launcherFile = join(import.meta.dirname, 'launcher.sh')

/**
 * Set the fuses of the Electron binary, then put the launcher in its place. The binary gets the ending
 * `-app`. electron-builder would set the fuses only after this hook, in a file that is the launcher by then.
 */
export const afterPackLinux =
  (fuses: object) =>
  async (context: PackContext): Promise<void> => {
    const { appOutDir, packager } = context
    await packager.addElectronFuses(context, await packager.generateFuseConfig(fuses))
    placeLauncher(join(appOutDir, packager.executableName))
  }

/** Rename the binary at `executable` and put the launcher in its place. */
export function placeLauncher(executable: string): void {
  renameSync(executable, `${executable}-app`)
  copyFileSync(launcherFile, executable)
  chmodSync(executable, 0o755)
}
