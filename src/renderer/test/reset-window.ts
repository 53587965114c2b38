import * as react from 'react'
import { beforeEach } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import '../app.css'
import { MORE_KEPT } from '../features/sessions/PageLinks.tsx'
import { guardComposing } from '../ui/keyboard/composing-keys.ts'
import { keepValue } from '../ui/local-storage.ts'
import { loadTypeface } from '../ui/load-typeface.ts'
import { hideToast, toastList } from '../ui/toast-list.ts'

// React's development build records where every element was created, up to 10,000 times a second: a sixth of
// the page's time. This turns it off; all warnings remain, without that location.
const internals = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
Object.defineProperty(
  (react as unknown as Record<string, object>)[internals]!,
  'recentlyCreatedOwnerStacks',
  {
    get: () => Infinity,
    set() {},
  },
)

guardComposing()
await loadTypeface()

/** How many times slower the page computes. With `VITE_SLOW=3`, tests that depend on speed fail. */
const slow = Number(import.meta.env['VITE_SLOW'] ?? 1)
if (slow > 1) {
  // Vitest leaves the type of the session to the provider, which has none for this method.
  const session = cdp() as unknown as { send(method: string, input: object): Promise<unknown> }
  await session.send('Emulation.setCPUThrottlingRate', { rate: slow })
}

// Test files share a page, so each test starts from the state of a new window. The library cleans up only in
// the first file.
beforeEach(async () => {
  await cleanup()
  history.replaceState(null, '', location.pathname + location.search)
  localStorage.clear()
  sessionStorage.clear()
  // Open the group, so that tests find the links to all pages. The tests of the sidebar close it, as in a new
  // window.
  keepValue(MORE_KEPT.key, MORE_KEPT.open)
  delete document.documentElement.dataset['theme']
  for (const toast of toastList.get()) hideToast(toast.id)
  // Only if a test has changed it, because the call goes through the browser process.
  if (innerWidth !== 1280 || innerHeight !== 800) await page.viewport(1280, 800)
})
