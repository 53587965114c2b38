import { focusSearch } from './features/sessions/chat-row-focus.ts'
import { useKeys } from './ui/keys.ts'

/** Browsers reserve Ctrl+N, so a browser window uses another key. */
export const newChatKey = window.desktop ? 'mod+n' : 'alt+n'

type Actions = Record<'newChat' | 'search' | 'settings' | 'shortcuts', () => void>

/** The shortcuts that work on every page. `search` runs only when no search field is visible. */
export function useShortcuts(enabled: boolean, actions: Actions): void {
  const keys = {
    [newChatKey]: actions.newChat,
    'mod+shift+f': () => focusSearch() || actions.search(),
    'mod+,': actions.settings,
    'mod+/': actions.shortcuts,
  }
  useKeys(enabled ? keys : {})
}
