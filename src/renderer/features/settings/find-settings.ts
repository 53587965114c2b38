import type { Key, Setting } from '../../../shared/contract/settings.ts'
import { optionWords } from './setting-texts.ts'
import {
  isShown,
  sectionOf,
  sections,
  sectionTitles,
  type Section,
} from '../../../shared/words/setting-words.ts'
import { shortcutGroups } from './Shortcuts.tsx'

/** A searchable item that is not a setting. `words` are its synonyms. */
export type Thing = { id: string; section: Section; title: string; words: string }

/** Searchable items besides the settings. */
export const things: readonly Thing[] = [
  ...sections.map(section => ({
    id: section,
    section,
    title: sectionTitles[section],
    words: section === 'general' ? 'appearance look' : '',
  })),
  {
    id: 'first',
    section: 'general',
    title: 'First steps',
    words: 'welcome setup look computer model learn skip',
  },
  { id: 'model-list', section: 'models', title: 'Models', words: 'add file server default star download' },
  {
    id: 'rules',
    section: 'permissions',
    title: 'Your rules',
    words: 'rule never always ask allow command folder forbid permission test',
  },
  {
    id: 'toolsets',
    section: 'tools',
    title: 'Toolsets',
    words: 'tools on off files terminal memory skills agent',
  },
  {
    id: 'api-address',
    section: 'api',
    title: 'Address and key',
    words: 'api server openai anthropic ollama lm studio jan claude code base url port programs',
  },
  { id: 'requests', section: 'privacy', title: 'What was sent', words: 'requests ledger hosts network log' },
  { id: 'keys', section: 'privacy', title: 'Keys', words: 'api key password secret keychain environment' },
  {
    id: 'totals',
    section: 'usage',
    title: 'Tokens, time and cost',
    words: 'usage price money chart dollars',
  },
  {
    id: 'where',
    section: 'data',
    title: 'Where everything is kept',
    words: 'folder home path file workspace',
  },
  { id: 'sizes', section: 'data', title: 'What takes space', words: 'size disk bytes storage megabytes' },
  {
    id: 'export',
    section: 'data',
    title: 'Export all chats',
    words: 'save download markdown html json web page',
  },
  { id: 'backup', section: 'data', title: 'Back up to one file', words: 'backup copy save zip' },
  { id: 'kept', section: 'data', title: 'Backups that Talaria keeps', words: 'daily automatic' },
  { id: 'restore', section: 'data', title: 'Restore a backup', words: 'recover move computer' },
  {
    id: 'import',
    section: 'data',
    title: 'Other programs',
    words: 'import chats memories hermes chatgpt claude',
  },
  {
    id: 'version',
    section: 'updates',
    title: 'Version',
    words: 'update upgrade newer release install download',
  },
  {
    id: 'shortcut-list',
    section: 'shortcuts',
    title: 'Keyboard shortcuts',
    words: `keyboard ${shortcutGroups.flatMap(({ rows }) => rows.map(({ label }) => label)).join(' ')}`,
  },
  {
    id: 'diagnostics',
    section: 'about',
    title: 'Diagnostics',
    words: 'Version System Copy diagnostics report bug',
  },
]

export type Found = { section: Section; settings: Setting[]; keys: Key[]; things: Thing[] }

/**
 * Results that match all words, by section: settings by title, help, name in the file, choices and what uses them, keys by
 * name and texts. Words may be partial and in any order.
 */
export function findSettings(
  query: string,
  { settings, keys }: { settings: readonly Setting[]; keys: readonly Key[] },
  shown: readonly Section[] = sections,
): Found[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return []
  const fits = (...texts: string[]) => {
    const all = texts.join('\n').toLowerCase()
    return words.every(word => all.includes(word))
  }
  return shown
    .map(section => ({
      section,
      settings: settings.filter(
        setting =>
          isShown(setting) &&
          sectionOf(setting) === section &&
          fits(setting.title, setting.help, setting.path, ...setting.usedBy, ...choicesOf(setting)),
      ),
      keys:
        section === 'privacy'
          ? keys.filter(({ name, help, where, usedBy }) => fits(name, help, where, ...usedBy))
          : [],
      things: things.filter(each => each.section === section && fits(each.title, each.words)),
    }))
    .filter(found => found.settings.length + found.keys.length + found.things.length > 0)
}

const choicesOf = ({ path, kind }: Setting): string[] =>
  kind.type === 'choice' ? kind.options.map(option => optionWords(path, option)) : []
