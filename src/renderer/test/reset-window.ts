import * as react from 'react'
import { beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import '../app.css'
import { hideToast, toastList } from '../ui/Toasts.tsx'

// React's development build notes for every element where it was made, up to ten thousand times a second: a sixth of the
// page's time. All its warnings remain, without that place.
const internals = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
Object.defineProperty(
  (react as unknown as Record<string, object>)[internals]!,
  'recentlyCreatedOwnerStacks',
  {
    get: () => Infinity,
    set() {},
  },
)

// Test files share a page, so each test begins with what a new window has. The library cleans up only in the first file.
beforeEach(async () => {
  await cleanup()
  history.replaceState(null, '', location.pathname + location.search)
  localStorage.clear()
  sessionStorage.clear()
  delete document.documentElement.dataset['theme']
  for (const toast of toastList.get()) hideToast(toast.id)
  // Asked for only where a test has changed it: it goes through the browser's process.
  if (innerWidth !== 1280 || innerHeight !== 800) await page.viewport(1280, 800)
})
