import { useId, type ReactNode } from 'react'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { useDraft } from './draft-context.ts'
import { MOST_DESCRIPTION, type Form, type FormKey } from './skill-form.ts'
import { formatCount, countOf } from '../../../ui/text/format-values.ts'
import { Problem } from '../../../ui/Banner.tsx'

const PLATFORMS: Readonly<Record<string, string>> = { linux: 'Linux', macos: 'macOS', windows: 'Windows' }

/** The front matter as a form, synchronized with the text in both directions. */
export function FieldsForm(): ReactNode {
  const form = useDraft(draft => draft.form)
  const problem = useDraft(draft => draft.formProblem)
  const isNew = useDraft(draft => draft.id === null)
  return (
    <fieldset className="grid min-w-0 content-start gap-3">
      <legend className="mb-2 text-sm font-semibold">About this skill</legend>
      {problem !== '' && (
        <Problem className="text-xs" text={`The text could not be changed to fit this form. ${problem}`} />
      )}
      {isNew ? (
        <>
          <Line name="name" label="Name" hint="Lowercase letters, digits and hyphens" max={200} dir="ltr" />
          <Category />
        </>
      ) : (
        <FixedName />
      )}
      <Description />
      <Line name="tags" label="Tags" hint="Separated by commas" max={1_000} />
      <Line
        name="requires"
        label="Needed tools"
        hint="Toolsets, separated by commas, such as files, terminal. If one is off, models do not see the skill."
        max={1_000}
        dir="ltr"
      />
      <Platforms platforms={form.platforms} />
      <Line name="licence" label="Licence" hint="Such as MIT. Optional." max={500} />
    </fieldset>
  )
}

/** Change, focus and blur handlers shared by all form fields. */
function useField(name: FormKey) {
  const setForm = useDraft(draft => draft.setForm)
  const hold = useDraft(draft => draft.holdField)
  return {
    set: (change: Partial<Form>) => setForm(change),
    onFocus: () => hold(name),
    onBlur: () => hold(null),
  }
}

/** The name must equal the folder name, so the only edit offered is to correct a mismatch. */
function FixedName() {
  const folder = useDraft(draft => draft.id?.split('/').at(-1) ?? '')
  const isRight = useDraft(draft => draft.form.name === folder)
  const hint = isRight
    ? 'This is also the name of its folder. To rename the skill, duplicate it.'
    : `Its folder is called ${folder}, and the name must be the same.`
  return <Line name="name" label="Name" hint={hint} max={200} dir="ltr" readOnly={isRight} />
}

type LineProps = {
  name: 'name' | 'tags' | 'requires' | 'licence'
  label: string
  hint: string
  max: number
  dir?: 'ltr' | 'auto'
  readOnly?: boolean
}

function Line({ name, label, hint, max, dir = 'auto', readOnly = false }: LineProps) {
  const value = useDraft(draft => draft.form[name])
  const { set, ...focus } = useField(name)
  return (
    <TextField
      label={label}
      hint={hint}
      dir={dir}
      maxLength={max}
      readOnly={readOnly}
      value={value}
      onChange={event => set({ [name]: event.target.value })}
      {...focus}
    />
  )
}

function Category() {
  const category = useDraft(draft => draft.category)
  const setCategory = useDraft(draft => draft.setCategory)
  return (
    <TextField
      label="Category"
      hint="A folder such as writing. Optional."
      dir="ltr"
      maxLength={200}
      value={category}
      onChange={event => setCategory(event.target.value)}
    />
  )
}

function Description() {
  const id = useId()
  const value = useDraft(draft => draft.form.description)
  const { set, ...focus } = useField('description')
  // Count code points, so that a surrogate pair counts once.
  const length = Array.from(value.trim()).length
  const over = length - MOST_DESCRIPTION
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        Description
      </label>
      <textarea
        id={id}
        dir="auto"
        maxLength={4_000}
        value={value}
        aria-invalid={over > 0}
        aria-describedby={`${id}-about`}
        className="field field-sizing-content max-h-60 min-h-20 resize-none"
        onChange={event => set({ description: event.target.value })}
        {...focus}
      />
      <p id={`${id}-about`} className="text-xs text-ink-3">
        <span className={over > 0 ? 'text-danger' : 'tabular-nums'}>
          {over > 0
            ? `${countOf(over, 'character', 'characters')} too many`
            : `${formatCount(length)} of ${formatCount(MOST_DESCRIPTION)} characters`}
        </span>
        {'. '}
        What it does and when to use it. This is all that a model sees before it loads the skill.
      </p>
    </div>
  )
}

function Platforms({ platforms }: { platforms: readonly string[] }) {
  const id = useId()
  const { set, ...focus } = useField('platforms')
  // Keep platforms that the specification does not list, so that the user can remove them.
  const names = [...new Set([...Object.keys(PLATFORMS), ...platforms])]
  return (
    <fieldset aria-describedby={id}>
      <legend className="mb-1 text-xs font-medium text-ink-2">Only on</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {names.map(name => (
          <label key={name} className="flex items-center gap-1.5 text-sm">
            <input
              type="checkbox"
              className="size-3.5 shrink-0 accent-accent"
              checked={platforms.includes(name)}
              onChange={event =>
                set({
                  platforms: event.target.checked
                    ? [...platforms, name]
                    : platforms.filter(each => each !== name),
                })
              }
              {...focus}
            />
            {PLATFORMS[name] ?? name}
          </label>
        ))}
      </div>
      <p id={id} className="mt-1 text-xs text-ink-3">
        None chosen: everywhere
      </p>
    </fieldset>
  )
}
