import type { Setting } from '../../../shared/contract/settings.ts'
import { networkText } from './network/strings.ts'
import { isShown, sectionOf, sections, type Section } from './sections.ts'
import { settingsText } from './strings.ts'
import { optionWords } from './words.ts'

/** Something on the page that is no setting; `words` are what else people call it. */
export type Thing = { id: string; section: Section; title: string; words: string }

const text = settingsText

/** What can be found besides the settings. */
export const things: readonly Thing[] = [
  ...sections.map(section => ({ id: section, section, title: text.sections[section], words: '' })),
  { id: 'first', section: 'general', title: text.general.first, words: `${text.general.firstHint} setup` },
  { id: 'model-list', section: 'models', title: text.models, words: 'add file server default star download' },
  {
    id: 'requests',
    section: 'privacy',
    title: networkText.requests,
    words: 'requests ledger hosts network log',
  },
  {
    id: 'keys',
    section: 'privacy',
    title: networkText.keys,
    words: 'api key password secret keychain environment',
  },
  {
    id: 'totals',
    section: 'usage',
    title: text.search.totals,
    words: 'usage price money chart dollars',
  },
  { id: 'where', section: 'data', title: text.data.where, words: 'folder home path backup file workspace' },
  { id: 'import', section: 'data', title: text.others, words: `${text.othersHint} import` },
  {
    id: 'shortcut-list',
    section: 'shortcuts',
    title: text.shortcuts,
    words: `keyboard ${text.keyGroups.flatMap(({ keys }) => keys.map(([, does]) => does)).join(' ')}`,
  },
  {
    id: 'diagnostics',
    section: 'about',
    title: text.diagnostics,
    words: `${text.version} ${text.platform} ${text.copyDiagnostics} report bug`,
  },
]

export type Found = { section: Section; settings: Setting[]; things: Thing[] }

/** What has to do with all of the words, section by section. Words may be cut short and stand anywhere. */
export function findSettings(query: string, settings: readonly Setting[]): Found[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean)
  if (words.length === 0) return []
  const fits = (...texts: string[]) => {
    const all = texts.join('\n').toLowerCase()
    return words.every(word => all.includes(word))
  }
  return sections
    .map(section => ({
      section,
      settings: settings.filter(
        setting =>
          isShown(setting) &&
          sectionOf(setting) === section &&
          fits(setting.title, setting.help, setting.path, ...choicesOf(setting)),
      ),
      things: things.filter(each => each.section === section && fits(each.title, each.words)),
    }))
    .filter(found => found.settings.length + found.things.length > 0)
}

const choicesOf = ({ path, kind }: Setting): string[] =>
  kind.type === 'choice' ? kind.options.map(option => optionWords(path, option)) : []
