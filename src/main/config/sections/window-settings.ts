import { z } from 'zod'
import { Settings } from '../../../shared/contract/app.ts'
import { flag, groupFor, oneOf, text, withText } from './setting-rules.ts'

/** The look of the window, and what its keys do. */
export const WindowSettings = groupFor(['the window'], {
  theme: withText(
    oneOf(Settings.shape.theme.options).default('system'),
    'Colours',
    'Light, dark, or like the system.',
  ),
  code_theme: withText(
    oneOf(Settings.shape.codeTheme.options).default('window'),
    'Colours of code',
    'Like the window, always light, always dark, or with high contrast.',
    { since: 4 },
  ),
  text_size: withText(
    oneOf(Settings.shape.textSize.options).default('normal'),
    'Size of text',
    'Text size of the window, relative to the size that your system sets.',
    { since: 4 },
  ),
  send_with: withText(
    oneOf(Settings.shape.sendWith.options).default('enter'),
    'Send with',
    'The key that sends a message. The other one starts a new line.',
  ),
  keys: withText(
    z.record(text(64), z.string('a key such as mod+k').max(40, 'at most 40 characters')).default({}),
    'Keyboard shortcuts',
    'Changed keys, by the id of their action, such as chat.new: alt+c. Settings shows all keys under Shortcuts.',
    { since: 4 },
  ),
  expert: withText(flag.default(false), 'Show details for experts', 'Engine numbers, raw prompts and JSON.'),
  setup_done: withText(flag.default(false), 'Setup is done', 'Off shows the first steps again.'),
}).prefault({})
