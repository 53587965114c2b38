import { focusSearch } from './features/sessions/chat-row-focus.ts'
import { useKeys } from './ui/keys.ts'
import type { WindowActions } from './window-actions.ts'

/** Browsers reserve Ctrl+N, so a browser window uses another key. */
export const newChatKey = window.desktop ? 'mod+n' : 'alt+n'

/** The keyboard shortcuts that work on every page. Search opens the list only when no search field is visible. */
export function useShortcuts(enabled: boolean, actions: WindowActions): void {
  const keys = {
    [newChatKey]: actions.newChat,
    'mod+shift+f': () => focusSearch() || actions.openList(true),
    'mod+,': () => actions.openSettings(),
    'mod+/': actions.openShortcuts,
  }
  useKeys(enabled ? keys : {})
}
