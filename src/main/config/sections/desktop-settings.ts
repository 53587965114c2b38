import { z } from 'zod'
import { flag, groupFor, withText, oneOf } from './setting-rules.ts'

/** System-wide shortcuts in Electron’s format: modifiers, then one key. */
const globalKey = z
  .string('keys such as “Ctrl+Shift+Space”')
  .regex(
    /^((CommandOrControl|CmdOrCtrl|Command|Cmd|Control|Ctrl|Alt|Option|Shift|Super|Meta)\+)+([A-Z0-9]|F([1-9]|1\d|2[0-4])|Space|Tab|Home|End|PageUp|PageDown|Up|Down|Left|Right)$/,
    'Ctrl, Alt, Shift, Cmd or Super, then one key, such as “Ctrl+Shift+Space”',
  )
  .max(60)

/** The settings that only the desktop app uses. */
export const DesktopConfig = groupFor(['the desktop app'], {
  notify_approvals: withText(
    flag.default(true),
    'Tell me when a chat waits for me',
    'A notification and a badge when the agent asks for approval and the window is not in front.',
  ),
  notify_answers: withText(
    flag.default(true),
    'Tell me when an answer has ended',
    'A notification and a badge when the window is not in front.',
  ),
  notify_proposals: withText(
    flag.default(true),
    'Tell me about proposals',
    'A notification and a badge when a review of a chat has found something to save.',
  ),
  notify_titles: withText(
    flag.default(false),
    'Show titles in notifications',
    'Notifications name the chat. Off, they say nothing of its content.',
  ),
  keep_running: withText(
    flag.default(false),
    'Keep running when the window closes',
    'Closing the window leaves Talaria in the tray. Where the system shows no tray, start Talaria again to get its window back.',
  ),
  start_at_login: withText(
    flag.default(false),
    'Start when I log in',
    'With “Keep running when the window closes”, it starts without a window.',
  ),
  quick_window: withText(
    flag.default(false),
    'Quick window',
    'A small window for one question opens from any program with the keys below.',
  ),
  quick_keys: withText(
    globalKey.default('Ctrl+Shift+Space'),
    'Keys of the quick window',
    'Ctrl, Alt, Shift, Cmd or Super, and one key. Some Linux desktops do not allow such keys.',
  ),
  spell_check: withText(
    oneOf(['auto', 'on', 'off']).default('auto'),
    'Check spelling',
    'In the languages of your system. “auto” checks where the system has dictionaries (macOS). “on” fetches them from Google once, if the offline lock is off.',
    { restart: true },
  ),
})
