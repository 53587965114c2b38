import type { Setting } from '../../../../shared/contract/settings.ts'

/** What every field of a setting gets; the name and the help stand beside it. */
export type FieldProps = {
  setting: Setting
  /** The id that the name is a label of. Choices and lists name themselves and do not take it. */
  id: string
  hintId: string
  onChange: (value: unknown) => void
}

/** Settings whose field is another than that of their kind. */
const CHOICES = new Set(['ui.expert', 'models.fast', 'models.auxiliary'])

/** Whether the field of a setting takes the id that its name is a label of. */
export const takesLabel = ({ path, kind }: Setting): boolean =>
  !CHOICES.has(path) && (kind.type === 'switch' || kind.type === 'number' || kind.type === 'text')
