import { nativeTheme } from 'electron'
import type { HostHandlers } from '../../shared/contract/index.ts'

/**
 * Let the window's frame, menus and `prefers-color-scheme` follow the theme in the settings until `signal` aborts.
 * The promise settles once the first theme is known, so that a window opened after it has the right background.
 */
export async function followTheme(
  watch: HostHandlers['app.watch'],
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  const known = Promise.withResolvers<void>()
  async function follow() {
    for await (const event of watch({}, signal)) {
      if (event.type !== 'hello' && event.type !== 'settings') continue
      nativeTheme.themeSource = event.settings.theme
      known.resolve()
    }
  }
  void follow()
    .catch((error: unknown) => {
      if (!signal.aborted) report(error)
    })
    .finally(known.resolve)
  await known.promise
}
