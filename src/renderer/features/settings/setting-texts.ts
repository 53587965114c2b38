import type { Model } from '../../../shared/contract/models/model.ts'
import type { Setting } from '../../../shared/contract/settings.ts'
import { formatCount, countOf } from '../../ui/text/format-values.ts'
import { keyText } from '../../ui/keyboard/keys.ts'
import type { HostState, Hello } from '../../rpc/host-state.ts'
import {
  choiceWords,
  isShown,
  sectionOf,
  sections,
  type Section,
} from '../../../shared/words/setting-words.ts'

/** The label of an option. */
export function optionWords(path: string, option: string): string {
  const words = choiceWords(path, option)
  return words.startsWith('mod+') ? keyText(words) : words
}

/** A setting value as text for the user. */
export function valueWords({ path, kind }: Setting, value: unknown, models: readonly Model[]): string {
  if (isModel(path) && typeof value === 'string') return modelWords(value, models)
  if (path === 'models.auxiliary')
    return [...new Set(AUXILIARY_WORK.map(([work]) => auxiliaryId(value, work)))]
      .map(id => modelWords(id, models))
      .join(', ')
  if (path === 'ui.expert') return optionWords(path, value === true ? 'on' : 'off')
  if (kind.type === 'switch') return value === true ? 'On' : 'Off'
  if (kind.type === 'choice') return optionWords(path, String(value))
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : countOf(value.length, 'entry', 'entries')
  if (typeof value === 'number') return formatCount(value)
  if (value === 'auto') return 'Automatic'
  if (typeof value === 'string') return value === '' ? 'nothing' : value
  const count = Object.keys(value ?? {}).length
  return count === 0 ? 'nothing' : countOf(count, 'entry', 'entries')
}

/** Whether a setting names a model. */
const isModel = (path: string) => path === 'models.default' || path === 'models.fast'

/** The kinds of work besides chats that can have their own model, with their labels. */
export const AUXILIARY_WORK = [
  ['summary', 'Summaries of long chats, second look'],
  ['draft', 'Reviews'],
  ['recap', 'Recaps of past chats'],
  ['vision', 'Descriptions of pictures'],
  ['transcription', 'Transcripts of voice notes'],
] as const

/** The id of the model for one kind of work, in the value of `models.auxiliary`. */
export const auxiliaryId = (value: unknown, work: string): string =>
  (value as Record<string, string> | null)?.[work] ?? 'chat'

/** The name of a model, or the label of a special value. */
export function modelWords(id: string, models: readonly Model[]): string {
  if (id === '') return 'None'
  if (id === 'chat') return 'The model of the chat'
  if (id === 'auto') return 'A server set in the environment'
  return models.find(model => model.id === id)?.name ?? `${id} (no longer available)`
}

/**
 * Diagnostics for a bug report, as lines of text. Reports are often public, so chats, paths, models and
 * servers are omitted. Changed numbers, switches and choices appear with their value, other changed settings
 * only by name.
 */
export function diagnosticsOf(
  { hello, engine, locked }: Pick<HostState, 'hello' | 'engine' | 'locked'>,
  settings: readonly Setting[],
  browser: string,
): string {
  const changed = settings
    .filter(setting => setting.changed)
    .map(({ path, kind, value }) =>
      kind.type === 'text' || kind.type === 'list' || kind.type === 'other'
        ? `  ${path}`
        : `  ${path}: ${String(value)}`,
    )
  return [
    `Talaria ${hello?.version ?? '?'}, ${hello?.hosting ?? '?'}, ${hello?.platform ?? '?'}`,
    `Window: ${browser}`,
    `Engine: ${engine.phase}, ${engine.hosting}, context ${engine.contextTokens ?? 'unknown'}`,
    locked ? 'Offline lock: on' : 'Offline lock: off',
    changed.length === 0 ? 'Changed settings: none' : 'Changed settings:',
    ...changed,
    '',
  ].join('\n')
}

/** The sections of a window. A browser has no sections for the desktop app. */
export const sectionsOn = (hosting: Hello['hosting'] | undefined): readonly Section[] =>
  hosting === 'desktop' ? sections : sections.filter(section => section !== 'desktop')

/** The section named in a URL, or the first section if the name is unknown. */
export const readSection = (name: string | null, shown: readonly Section[] = sections): Section =>
  shown.find(section => section === name) ?? sections[0]!

/** Whether the setting differs from its default and can be reset here, not on another page. */
export const isResettable = ({ path, changed, kind }: Setting) =>
  changed && kind.type !== 'other' && isShown({ path })

/** Settings with a card of their own above the rows. */
const ON_CARDS = new Set(['network.offline'])

/** The settings of a section, grouped as in the settings file. */
export function groupsOf(settings: readonly Setting[], section: Section): [string, Setting[]][] {
  const here = settings.filter(
    setting => isShown(setting) && !ON_CARDS.has(setting.path) && sectionOf(setting) === section,
  )
  return Object.entries(Object.groupBy(here, setting => setting.section)).map(([name, group = []]) => [
    name,
    group,
  ])
}
