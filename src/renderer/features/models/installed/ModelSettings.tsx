import { ChevronRight } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import type { Model, ModelOptions } from '../../../../shared/contract/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { cx } from '../../../ui/cx.ts'
import { Select } from '../../../ui/Select.tsx'
import { useModels } from '../models-context.ts'
import { isLocal } from '../models-state.ts'
import { pageText } from '../page-strings.ts'
import { useActions } from '../use-actions.ts'
import { OptionField } from './OptionField.tsx'

const text = pageText.options

type Numbers = Exclude<keyof ModelOptions, 'strategy' | 'dialect'>
type Field = readonly [name: Numbers, range: readonly [number, number], whole: boolean]

const sampling: readonly Field[] = [
  ['temperature', [0, 5], false],
  ['topP', [0, 1], false],
  ['topK', [1, 1_000], true],
  ['minP', [0, 1], false],
]
const running: readonly Field[] = [
  ['gpuLayers', [0, 1_000], true],
  ['threads', [1, 256], true],
  ['batchTokens', [32, 4_096], true],
]

/** What a person may set for one model; every change counts at once, for the next time that it is loaded. */
export function ModelSettings({ model }: { model: Model }): ReactNode {
  const id = useId()
  const { setOptions } = useActions()
  const { options } = model
  const change = (change: { [K in keyof ModelOptions]?: ModelOptions[K] | undefined }) => {
    const all = Object.entries({ ...options, ...change }).filter(([, value]) => value !== undefined)
    void setOptions(model.id, Object.fromEntries(all))
  }
  const fields = (list: readonly Field[]) =>
    list.map(([name, range, whole]) => (
      <OptionField
        key={name}
        label={text[name as 'temperature']}
        hint={text[`${name as 'temperature'}Hint`]}
        value={options[name]}
        range={range}
        whole={whole}
        onChange={value => change({ [name]: value })}
      />
    ))
  // The context has its slider above.
  const isSet = Object.keys(options).some(name => name !== 'contextTokens')
  const { contextTokens } = options
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id={id} className="text-xs font-semibold text-ink-2">
          {text.heading}
        </h2>
        {isSet && (
          <button
            type="button"
            className="link-btn text-xs"
            onClick={() => void setOptions(model.id, contextTokens === undefined ? {} : { contextTokens })}
          >
            {text.reset}
          </button>
        )}
      </div>
      <p className="text-xs text-ink-3">{text.about}</p>
      <div className="option-grid">{fields(sampling)}</div>
      <Expert>
        {isLocal(model) && <div className="option-grid">{fields(running)}</div>}
        <div className="option-grid">
          <Select
            label={text.strategy}
            showLabel
            value={options.strategy ?? 'auto'}
            options={(['auto', 'text', 'structured'] as const).map(value => ({
              value,
              label: text.strategies[value],
            }))}
            onChange={value => change({ strategy: value === 'auto' ? undefined : value })}
          />
          <Dialect value={options.dialect} onChange={dialect => change({ dialect })} />
        </div>
      </Expert>
    </section>
  )
}

/** Folded for those who did not ask for details. */
function Expert({ children }: { children: ReactNode }) {
  const expert = useHost(host => host.settings.expert)
  const [open, setOpen] = useState(expert)
  return (
    <div className="grid gap-3">
      <button
        type="button"
        aria-expanded={open}
        className="link-quiet justify-self-start"
        onClick={() => setOpen(!open)}
      >
        <ChevronRight
          size={14}
          className={cx('transition-transform', open ? 'rotate-90' : 'rtl:rotate-180')}
        />
        {text.expert}
      </button>
      {open && children}
    </div>
  )
}

type DialectProps = { value: string | undefined; onChange: (dialect: string | undefined) => void }

function Dialect({ value, onChange }: DialectProps) {
  const known = useModels(models => models.engine?.dialects)
  const loadEngine = useModels(models => models.loadEngine)
  const isAsked = known !== undefined
  useEffect(() => {
    if (!isAsked) void loadEngine()
  }, [isAsked, loadEngine])
  const names = known ?? []
  // What was set in the file by hand is shown, whether or not it is known.
  const all =
    value === undefined || names.some(each => each.id === value)
      ? names
      : [...names, { id: value, name: value }]
  if (all.length === 0) return null
  return (
    <Select
      label={text.dialect}
      showLabel
      value={value ?? ''}
      options={[
        { value: '', label: text.dialectAuto },
        ...all.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={chosen => onChange(chosen === '' ? undefined : chosen)}
    />
  )
}
