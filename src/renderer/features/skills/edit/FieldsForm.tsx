import { useId, type ReactNode } from 'react'
import { TextField } from '../../../ui/TextField.tsx'
import { useDraft } from './draft-context.ts'
import { MOST_DESCRIPTION, type Form, type FormKey } from './form.ts'
import { editText } from './strings.ts'

const text = editText.form

/** The front matter as a form; it follows the text, and the text follows it. */
export function FieldsForm(): ReactNode {
  const form = useDraft(draft => draft.form)
  const problem = useDraft(draft => draft.formProblem)
  const isNew = useDraft(draft => draft.id === null)
  return (
    <fieldset className="grid min-w-0 content-start gap-3">
      <legend className="mb-2 text-sm font-semibold">{text.legend}</legend>
      {problem !== '' && (
        <p role="alert" className="text-xs text-danger">
          {text.failed(problem)}
        </p>
      )}
      {isNew ? (
        <>
          <Line name="name" label={text.name} hint={text.nameHint} max={200} dir="ltr" />
          <Category />
        </>
      ) : (
        <FixedName />
      )}
      <Description />
      <Line name="tags" label={text.tags} hint={text.tagsHint} max={1_000} />
      <Line name="requires" label={text.requires} hint={text.requiresHint} max={1_000} dir="ltr" />
      <Platforms platforms={form.platforms} />
      <Line name="licence" label={text.licence} hint={text.licenceHint} max={500} />
    </fieldset>
  )
}

/** What every field of the form does when it is written in, entered and left. */
function useField(name: FormKey) {
  const setForm = useDraft(draft => draft.setForm)
  const hold = useDraft(draft => draft.holdField)
  return {
    set: (change: Partial<Form>) => setForm(change),
    onFocus: () => hold(name),
    onBlur: () => hold(null),
  }
}

/** A skill is called as its folder is; only a name that is not so yet can be put right. */
function FixedName() {
  const folder = useDraft(draft => draft.id?.split('/').at(-1) ?? '')
  const isRight = useDraft(draft => draft.form.name === folder)
  const hint = isRight ? text.nameFixed : text.nameWrong(folder)
  return <Line name="name" label={text.name} hint={hint} max={200} dir="ltr" readOnly={isRight} />
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
      label={text.category}
      hint={text.categoryHint}
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
  // As people count: a sign that takes two units is one.
  const length = Array.from(value.trim()).length
  const over = length - MOST_DESCRIPTION
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {text.description}
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
          {over > 0 ? text.over(over) : text.counter(length, MOST_DESCRIPTION)}
        </span>
        {'. '}
        {text.descriptionHint}
      </p>
    </div>
  )
}

function Platforms({ platforms }: { platforms: readonly string[] }) {
  const id = useId()
  const { set, ...focus } = useField('platforms')
  // A name that the specification does not know stays, and can be taken away.
  const names = [...new Set([...Object.keys(text.platformNames), ...platforms])]
  return (
    <fieldset aria-describedby={id}>
      <legend className="mb-1 text-xs font-medium text-ink-2">{text.platforms}</legend>
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
            {text.platformNames[name] ?? name}
          </label>
        ))}
      </div>
      <p id={id} className="mt-1 text-xs text-ink-3">
        {text.platformsHint}
      </p>
    </fieldset>
  )
}
