/** Every sentence of the settings and of the list of shortcuts. */
export const settingsText = {
  title: 'Settings',
  close: 'Close',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  sendWith: 'Send a message with',
  sendWiths: { enter: 'Enter', mod_enter: (key: string) => key },
  sendHint: {
    enter: 'Shift+Enter starts a new line.',
    mod_enter: 'Enter starts a new line.',
  },
  models: 'Models',
  modelsHint: 'The tick marks the model of this chat; the star makes a model the one for new chats.',
  others: 'Other programs',
  othersHint: 'What you have in Hermes, ChatGPT or Claude can come here; it stays there as well.',
  import: 'Import chats and memories…',
  about: 'About',
  version: 'Version',
  home: 'Everything is kept in',
  failed: (why: string) => `The setting was not saved: ${why}`,

  shortcuts: 'Keyboard shortcuts',
  groups: [
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
        ['mod+j', 'Go to the question that waits'],
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
  ],
} as const
