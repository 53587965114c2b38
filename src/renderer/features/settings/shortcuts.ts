/** All keyboard shortcuts. `newChat`, `send` and `newline` are placeholders for keys that depend on the platform or on a setting. */
export const shortcutGroups = [
  {
    title: 'Everywhere',
    keys: [
      ['newChat', 'New chat'],
      ['mod+shift+f', 'Search in chats'],
      ['mod+,', 'Settings'],
      ['mod+/', 'This list'],
    ],
  },
  {
    title: 'In a chat',
    keys: [
      ['send', 'Send the message'],
      ['newline', 'Start a new line'],
      ['escape', 'Stop the answer'],
      ['mod+j', 'Go to the waiting question'],
    ],
  },
  {
    title: 'On a question',
    keys: [
      ['enter', 'Allow once'],
      ['mod+enter', 'Allow in this chat'],
      ['escape', 'Deny'],
    ],
  },
  {
    title: 'In the list of chats',
    keys: [
      ['↑ ↓', 'Move'],
      ['F2', 'Rename'],
      ['Delete', 'Remove'],
    ],
  },
] as const
