import type { Setting } from '../../../../shared/contract/settings.ts'

/** Props of every settings field. The row renders the name and the help. */
export type FieldProps = {
  setting: Setting
  /** The target id of the row's label. Choices and lists have their own label and ignore it. */
  id: string
  hintId: string
  onChange: (value: unknown) => void
}

/** Settings shown as a choice although their kind is different. */
const CHOICES = new Set(['ui.expert', 'models.fast', 'models.auxiliary'])

/** Whether the field uses the row's label. */
export const takesLabel = ({ path, kind }: Setting): boolean =>
  !CHOICES.has(path) && (kind.type === 'switch' || kind.type === 'number' || kind.type === 'text')
