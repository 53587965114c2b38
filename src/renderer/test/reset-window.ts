import { beforeEach } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import '../app.css'
import { hideToast, toastList } from '../ui/Toasts.tsx'

// Test files share a page, so each test begins with what a new window has. The library cleans up only in the first file.
beforeEach(async () => {
  await cleanup()
  history.replaceState(null, '', location.pathname + location.search)
  localStorage.clear()
  sessionStorage.clear()
  delete document.documentElement.dataset['theme']
  for (const toast of toastList.get()) hideToast(toast.id)
  await page.viewport(1280, 800)
})
