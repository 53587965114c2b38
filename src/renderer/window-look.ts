import { useEffect, useRef } from 'react'
import { pages } from './features/sessions/PageLinks.tsx'
import type { Page } from './route.ts'
import { useHost, useHostStore } from './rpc/host-context.tsx'

/** Sets the theme: light, dark or system. */
export function useTheme() {
  const theme = useHost(host => host.settings.theme)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
}

/** Sets the window title to the page or the chat, with a dot while an approval is pending in any chat. */
export function useTitle({ page, chatId }: { page: Page; chatId: string | null }) {
  const store = useHostStore()
  const shown = useRef('')
  useEffect(() => {
    const show = () => {
      const { sessions } = store.getState()
      const waits = Object.values(sessions).some(session => session.waiting)
      const title =
        page === 'chat' ? sessions[chatId ?? '']?.title : pages.find(each => each.page === page)?.label
      const text = `${waits ? '● ' : ''}${title ? `${title} – ` : ''}Talaria`
      if (text !== shown.current) document.title = shown.current = text
    }
    show()
    return store.subscribe(show)
  }, [store, page, chatId])
}
