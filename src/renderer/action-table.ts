/** Browsers reserve Ctrl+N, so a browser window uses another key. */
export const newChatKey = globalThis.window?.desktop ? 'mod+n' : 'alt+n'

/** Where an action works: on every page, in the open chat, on a question card, in the list of chats. */
export type ActionPlace = 'everywhere' | 'chat' | 'question' | 'list'

export type ActionText = {
  /** What the action does, as shown in the palette and the list of shortcuts. */
  label: string
  /** A shorter label for menus of one thing, such as “Rename” in the menu of a chat. */
  short?: string
  place: ActionPlace
  /** The shortcut in the notation of `useKeys`; for `list` actions only text to show. */
  keys?: string
  /** Other words that find the action in the palette. */
  words?: string
  danger?: true
  /** True for a key of one part of the window: it is in the list of shortcuts, but not in the palette. */
  isOnlyKey?: true
}

/**
 * Everything the user can do by a key or from the command palette. The palette, the list of shortcuts and the
 * menus all read their texts and keys here. To add an action, add its line here and call `useActions` where
 * it is carried out.
 */
export const actionTable = {
  'palette.open': { label: 'Command palette', place: 'everywhere', keys: 'mod+k', words: 'find go' },
  'chat.new': { label: 'New chat', place: 'everywhere', keys: newChatKey, words: 'start create' },
  'chat.newTemporary': {
    label: 'New temporary chat',
    place: 'everywhere',
    words: 'private incognito forget secret',
  },
  'chats.search': {
    label: 'Search in chats',
    place: 'everywhere',
    keys: 'mod+shift+f',
    words: 'find messages past recall',
  },
  'chats.archived': { label: 'Archived chats', place: 'everywhere', words: 'archive hidden old' },
  'chats.deleted': {
    label: 'Recently deleted…',
    place: 'everywhere',
    words: 'trash bin removed restore undelete',
  },
  'sidebar.fold': {
    label: 'Collapse or expand the sidebar',
    place: 'everywhere',
    keys: 'mod+b',
    words: 'list of chats hide show icons rail',
  },
  'chats.import': {
    label: 'Import chats and memories…',
    place: 'everywhere',
    words: 'chatgpt claude hermes other programs',
  },
  'settings.open': { label: 'Settings', place: 'everywhere', keys: 'mod+,', words: 'preferences options' },
  'processes.open': {
    label: 'Background processes',
    place: 'everywhere',
    words: 'commands servers running output stop ended',
  },
  'help.open': { label: 'Help', place: 'everywhere', keys: 'f1', words: 'guide manual documentation how to' },
  'shortcuts.open': { label: 'Keyboard shortcuts', place: 'everywhere', keys: 'mod+/', words: 'keys help' },
  'model.addFile': { label: 'Add a model file…', place: 'everywhere', words: 'gguf import' },
  'model.addServer': {
    label: 'Add a model server…',
    place: 'everywhere',
    words: 'api openai anthropic ollama',
  },
  'model.scan': { label: 'Look for models on this computer…', place: 'everywhere', words: 'scan find gguf' },
  'theme.system': { label: 'Theme: match the system', place: 'everywhere', words: 'appearance colours' },
  'theme.light': { label: 'Theme: light', place: 'everywhere', words: 'appearance bright day' },
  'theme.dark': { label: 'Theme: dark', place: 'everywhere', words: 'appearance night' },
  'network.lock': {
    label: 'Turn the offline lock on',
    place: 'everywhere',
    words: 'network privacy internet',
  },
  'network.unlock': {
    label: 'Turn the offline lock off',
    place: 'everywhere',
    words: 'network privacy internet',
  },

  'chat.find': { label: 'Find in this chat', place: 'chat', keys: 'mod+f', words: 'search text' },
  'chat.timeline': {
    label: 'Timeline of this chat',
    place: 'chat',
    keys: 'alt+t',
    words: 'jump turns history days outline',
  },
  'chat.send': { label: 'Send the message', place: 'chat', keys: 'send', isOnlyKey: true },
  'chat.newline': { label: 'Start a new line', place: 'chat', keys: 'newline', isOnlyKey: true },
  'chat.recall': { label: 'Bring back your last message', place: 'chat', keys: '↑', isOnlyKey: true },
  'chat.stop': { label: 'Stop the answer', place: 'chat', keys: 'escape', words: 'cancel abort' },
  'mode.chat_only': {
    label: 'Permissions: chat only',
    short: 'Chat only',
    place: 'chat',
    words: 'mode approval no tools',
  },
  'mode.ask': { label: 'Permissions: ask', short: 'Ask', place: 'chat', words: 'mode approval' },
  'mode.reads': {
    label: 'Permissions: auto for safe reads',
    short: 'Auto for safe reads',
    place: 'chat',
    words: 'mode approval',
  },
  'mode.full': {
    label: 'Permissions: full access',
    short: 'Full access',
    place: 'chat',
    danger: true,
    words: 'mode approval everything yolo',
  },
  'chat.question': {
    label: 'Go to the waiting question',
    place: 'chat',
    keys: 'mod+j',
    words: 'approval allow',
  },
  'chat.retry': { label: 'Answer the newest question again', place: 'chat', words: 'retry regenerate' },
  'chat.undo': {
    label: 'Undo the newest question and offer to undo its file changes',
    place: 'chat',
    words: 'back take revert restore',
  },
  'chat.takeBack': {
    label: 'Undo file changes of the last answer',
    place: 'chat',
    words: 'undo revert restore take back file changed written delete',
  },
  'chat.compact': { label: 'Compact this chat', place: 'chat', words: 'summary summarise shorten context' },
  'chat.learn': { label: 'Learn from this chat now', place: 'chat', words: 'review memory remember' },
  'chat.remember': { label: 'Remember something about me', place: 'chat', words: 'memory save fact' },
  'chat.note': { label: 'Save a note', place: 'chat', words: 'memory remember project folder' },
  'chat.forget': { label: 'Forget something', place: 'chat', words: 'memory remove delete' },
  'chat.context': { label: 'Show what the model sees', place: 'chat', words: 'context prompt panel tokens' },
  'chat.settings': {
    label: 'Settings for this chat',
    place: 'chat',
    words: 'instructions project sampling decider prompt options',
  },
  'chat.keep': { label: 'Keep this temporary chat', place: 'chat', words: 'save ordinary' },
  'chat.end': { label: 'End this temporary chat', place: 'chat', words: 'remove forget close' },
  'chat.rename': { label: 'Rename this chat', short: 'Rename', place: 'chat', words: 'title name' },
  'chat.pin': { label: 'Pin this chat', short: 'Pin', place: 'chat', words: 'top favourite' },
  'chat.unpin': { label: 'Unpin this chat', short: 'Unpin', place: 'chat' },
  'chat.archive': { label: 'Archive this chat', short: 'Archive', place: 'chat', words: 'hide away' },
  'chat.unarchive': {
    label: 'Unarchive this chat',
    short: 'Unarchive',
    place: 'chat',
    words: 'unarchive restore',
  },
  'chat.export': {
    label: 'Export this chat…',
    short: 'Export…',
    place: 'chat',
    words: 'save download markdown html json',
  },
  'chat.print': {
    label: 'Print the open chat',
    short: 'Print…',
    place: 'everywhere',
    keys: 'mod+p',
    words: 'paper pdf',
  },
  'chat.remove': {
    label: 'Delete this chat',
    short: 'Delete',
    place: 'chat',
    danger: true,
    words: 'remove trash',
  },

  'question.once': { label: 'Allow once', place: 'question', keys: 'enter', isOnlyKey: true },
  'question.chat': { label: 'Allow in this chat', place: 'question', keys: 'mod+enter', isOnlyKey: true },
  'question.deny': { label: 'Deny', place: 'question', keys: 'escape', isOnlyKey: true },

  'list.move': { label: 'Move', place: 'list', keys: '↑ ↓', isOnlyKey: true },
  'list.rename': { label: 'Rename', place: 'list', keys: 'F2', isOnlyKey: true },
  'list.remove': { label: 'Delete', place: 'list', keys: 'Delete', isOnlyKey: true },
} as const satisfies Record<string, ActionText>

export type ActionId = keyof typeof actionTable

/** Keys that the user has changed, by action; an empty string removes the key. */
export type BoundKeys = Readonly<Record<string, string>>

/** The key of an action: the user’s own, else the one in the table. Undefined if it has none. */
export function keysOf(id: ActionId, bound: BoundKeys): string | undefined {
  const { keys, isOnlyKey }: ActionText = actionTable[id]
  const given = isOnlyKey ? undefined : bound[id]
  return given === undefined ? keys : given === '' ? undefined : given
}

/** The other action that already uses a key, if any. */
export function actionWith(keys: string, other: ActionId, bound: BoundKeys): ActionId | undefined {
  const ids = Object.keys(actionTable) as ActionId[]
  return ids.find(id => id !== other && keysOf(id, bound)?.toLowerCase() === keys)
}

/** The entry of an action in the table. */
export const actionText = (id: ActionId): ActionText => actionTable[id]

/** The label of an action in a menu of one thing. */
export const menuLabel = (id: ActionId): string => actionText(id).short ?? actionText(id).label
