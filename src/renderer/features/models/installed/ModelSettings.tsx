import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import type { Model, ModelFile, ModelOptions } from '../../../../shared/contract/models/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { Select } from '../../../ui/fields/Choice.tsx'
import { cx } from '../../../ui/style.ts'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { rangeText } from '../../../ui/fields/NumberField.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { useModelActions } from '../use-models.ts'
import { isLocal } from '../models-state.ts'

const STRATEGIES = { auto: 'Talaria decides', text: 'In the text', structured: 'As data' } as const

type Numbers = Exclude<keyof ModelOptions, 'strategy' | 'format' | 'thinking' | 'contextBits'>
type Field = { name: Numbers; label: string; hint: string; range: readonly [number, number]; whole: boolean }

const sampling: readonly Field[] = [
  { name: 'temperature', label: 'Temperature', hint: 'Higher is more varied.', range: [0, 5], whole: false },
  {
    name: 'topP',
    label: 'Top P',
    hint: 'Choose from the most likely words up to this total probability.',
    range: [0, 1],
    whole: false,
  },
  {
    name: 'topK',
    label: 'Top K',
    hint: 'Choose from this many of the most likely words.',
    range: [1, 1_000],
    whole: true,
  },
  {
    name: 'minP',
    label: 'Min P',
    hint: 'Drop words less likely than this share of the most likely one.',
    range: [0, 1],
    whole: false,
  },
  {
    name: 'repeatPenalty',
    label: 'Repeat penalty',
    hint: 'Above 1 means fewer repetitions, 1 turns it off. Local models below 1B use 1.1.',
    range: [0.1, 3],
    whole: false,
  },
]
const running: readonly Field[] = [
  {
    name: 'gpuLayers',
    label: 'Layers on the graphics card',
    hint: '0 keeps the whole model in memory.',
    range: [0, 1_000],
    whole: true,
  },
  {
    name: 'threads',
    label: 'Threads',
    hint: 'More threads than cores make it slower.',
    range: [1, 256],
    whole: true,
  },
  {
    name: 'chats',
    label: 'Chats at the same time',
    hint: 'How many chats it keeps in memory; two if you leave it empty. Each takes the memory of a full context.',
    range: [1, 8],
    whole: true,
  },
  { name: 'batchTokens', label: 'Batch', hint: 'Tokens read at a time.', range: [32, 4_096], whole: true },
]

/** The settings of one model. Changes are saved at once. They apply on the next load, or with the next message to a server. */
export function ModelSettings({ model }: { model: Model }): ReactNode {
  const id = useId()
  const { setOptions } = useModelActions()
  const { options } = model
  const change = (change: { [K in keyof ModelOptions]?: ModelOptions[K] | undefined }) => {
    const all = Object.entries({ ...options, ...change }).filter(([, value]) => value !== undefined)
    void setOptions(model.id, Object.fromEntries(all))
  }
  const fields = (list: readonly Field[]) =>
    list.map(({ name, ...field }) => (
      <OptionField
        key={name}
        {...field}
        value={options[name]}
        onChange={value => change({ [name]: value })}
      />
    ))
  // The context size has its own slider above.
  const isSet = Object.keys(options).some(name => name !== 'contextTokens')
  const { contextTokens } = options
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id={id} className="text-xs font-semibold text-ink-2">
          Settings of this model
        </h2>
        {isSet && (
          <button
            type="button"
            className="link-btn text-xs"
            onClick={() => void setOptions(model.id, contextTokens === undefined ? {} : { contextTokens })}
          >
            Back to automatic
          </button>
        )}
      </div>
      <p className="text-xs text-ink-3">
        {model.server
          ? 'The server decides what you leave empty. Changes apply from your next message on.'
          : 'Talaria decides what you leave empty. Changes apply the next time the model is loaded.'}
      </p>
      <div className="option-grid">
        {fields(sampling)}
        {model.file && (
          <ThinkingField
            value={options.thinking}
            choices={model.file.thinking}
            onChange={thinking => change({ thinking })}
          />
        )}
      </div>
      <Expert>
        {isLocal(model) && (
          <div className="option-grid">
            {fields(running)}
            <BitsField value={options.contextBits} onChange={contextBits => change({ contextBits })} />
          </div>
        )}
        <div className="option-grid">
          <Select
            label="How tools are called"
            showLabel
            value={options.strategy ?? 'auto'}
            options={(['auto', 'text', 'structured'] as const).map(value => ({
              value,
              label: STRATEGIES[value],
            }))}
            onChange={value => change({ strategy: value === 'auto' ? undefined : value })}
          />
          <Format value={options.format} onChange={format => change({ format })} />
        </div>
      </Expert>
    </section>
  )
}

const THINKING = { auto: 'Model’s default', on: 'On', off: 'Off' } as const

type ThinkingProps = {
  value: ModelOptions['thinking']
  /** The values that the model's chat template supports. */
  choices: ModelFile['thinking']
  onChange: (value: ModelOptions['thinking']) => void
}

/**
 * The choice whether the model thinks before it answers. A template without such a switch shows a note
 * instead.
 */
function ThinkingField({ value, choices, onChange }: ThinkingProps) {
  const id = useId()
  // Also show a value that was set while the model had a different template.
  const values = (['auto', 'on', 'off'] as const).filter(
    each => each === 'auto' || each === value || choices.includes(each),
  )
  if (values.length === 1) {
    return (
      <div className="grid content-start gap-1 text-xs">
        <p className="font-medium text-ink-2">Thinking</p>
        <p className="text-ink-3">{NO_SWITCH}</p>
      </div>
    )
  }
  const isIdle = value !== undefined && !choices.includes(value)
  return (
    <div className="grid content-start gap-1">
      <Select
        label="Thinking"
        showLabel
        describedBy={id}
        value={value ?? 'auto'}
        options={values.map(each => ({ value: each, label: THINKING[each] }))}
        onChange={chosen => onChange(chosen === 'auto' ? undefined : chosen)}
      />
      <p id={id} className="text-xs text-ink-3">
        {isIdle ? NO_SWITCH : 'Applies from the next message on.'}
      </p>
    </div>
  )
}

const NO_SWITCH = 'It cannot be set: the chat template of this model has no switch for it.'

const BITS = [
  { value: '16', label: '16 bits' },
  { value: '8', label: '8 bits, about half the memory' },
] as const

type BitsProps = {
  value: ModelOptions['contextBits']
  onChange: (value: ModelOptions['contextBits']) => void
}

/** The precision of the context in memory. */
function BitsField({ value, onChange }: BitsProps) {
  const id = useId()
  return (
    <div className="grid content-start gap-1">
      <Select
        label="Precision of the context"
        showLabel
        describedBy={id}
        value={value === 8 ? '8' : '16'}
        options={BITS}
        onChange={chosen => onChange(chosen === '8' ? 8 : undefined)}
      />
      <p id={id} className="text-xs text-ink-3">
        With 8 bits it writes more slowly, and answers may differ in single words.
      </p>
    </div>
  )
}

/** Collapsed at first unless expert mode is on. */
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
        For experts
      </button>
      {open && children}
    </div>
  )
}

type FormatProps = { value: string | undefined; onChange: (format: string | undefined) => void }

function Format({ value, onChange }: FormatProps) {
  const engine = useAnswer('engine.info', {}, { isTold: true })
  if (engine?.ok === false) return <Problem text={engine.fault.message} />
  const names = engine?.ok ? engine.value.formats : []
  // Also show a value that was set by hand in the file, even an unknown one.
  const all =
    value === undefined || names.some(each => each.id === value)
      ? names
      : [...names, { id: value, name: value }]
  if (all.length === 0) return null
  return (
    <Select
      label="Tool call format"
      showLabel
      value={value ?? ''}
      options={[{ value: '', label: 'Detected' }, ...all.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={chosen => onChange(chosen === '' ? undefined : chosen)}
    />
  )
}

type OptionFieldProps = {
  label: string
  hint: string
  /** Undefined for automatic. */
  value: number | undefined
  range: readonly [least: number, most: number]
  /** Whether only whole numbers are allowed. */
  whole?: boolean
  onChange: (value: number | undefined) => void
}

/** An optional number. Saved on blur or Enter; Esc discards what was typed. */
function OptionField({ label, hint, value, range, whole = false, onChange }: OptionFieldProps): ReactNode {
  /** Null until the user types. */
  const [typed, setTyped] = useState<string | null>(null)
  const [least, most] = range
  const number = Number((typed ?? '').trim().replace(',', '.'))
  const isEmpty = typed !== null && typed.trim() === ''
  const isRight =
    isEmpty ||
    (Number.isFinite(number) && number >= least && number <= most && (!whole || Number.isInteger(number)))
  const save = () => {
    if (typed === null || !isRight) return
    const next = isEmpty ? undefined : number
    if (next !== value) onChange(next)
    setTyped(null)
  }
  return (
    <TextField
      label={label}
      hint={hint}
      error={typed === null || isRight ? undefined : rangeText(range, whole)}
      inputMode="decimal"
      placeholder="automatic"
      value={typed ?? (value === undefined ? '' : String(value))}
      onChange={event => setTyped(event.target.value)}
      onBlur={save}
      onKeyDown={event => {
        if (isKey(event, 'enter')) save()
        else if (isKey(event, 'escape') && typed !== null) {
          event.stopPropagation()
          setTyped(null)
        }
      }}
    />
  )
}
