import type { Model } from '../../../shared/contract/model.ts'
import type { Setting } from '../../../shared/contract/settings.ts'
import { formatCount } from '../../ui/format.ts'
import { keyText } from '../../ui/keys.ts'
import { settingsText } from './strings.ts'

const text = settingsText.field

/** An option of a setting as a person reads it. */
export function optionWords(path: string, option: string): string {
  const words = settingsText.choices[path]?.[option] ?? option
  return words.startsWith('mod+') ? keyText(words) : words
}

/** What a setting may hold, as a person reads it: the default that it goes back to, or what a page of its own has set. */
export function valueWords({ path, kind }: Setting, value: unknown, models: readonly Model[]): string {
  if (isModel(path) && typeof value === 'string') return modelWords(value, models)
  if (path === 'ui.expert') return optionWords(path, value === true ? 'on' : 'off')
  if (kind.type === 'switch') return value === true ? text.on : text.off
  if (kind.type === 'choice') return optionWords(path, String(value))
  if (Array.isArray(value)) return value.length === 0 ? text.none : text.entries(value.length)
  if (typeof value === 'number') return formatCount(value)
  if (value === 'auto') return text.auto
  if (typeof value === 'string') return value === '' ? text.none : value
  const count = Object.keys(value ?? {}).length
  return count === 0 ? text.none : text.entries(count)
}

/** Whether a setting names a model. */
export const isModel = (path: string) =>
  path === 'models.default' || path === 'models.fast' || path === 'models.auxiliary'

/** The name of a model, or what stands in its place. */
export function modelWords(id: string, models: readonly Model[]): string {
  if (id === '') return text.noModel
  if (id === 'chat') return text.chatModel
  if (id === 'auto') return text.autoModel
  return models.find(model => model.id === id)?.name ?? text.gone(id)
}
