import { useId, useState, type ReactNode } from 'react'
import type { Fit, Gpu, Model } from '../../../../shared/contract/models/model.ts'
import { cx } from '../../../ui/style.ts'
import { formatBytes, formatCount } from '../../../ui/text/format-values.ts'
import { useModelsPage, useModelActions } from '../use-models.ts'
import { isLoaded, toneOf, barOf, contextSteps } from '../models-state.ts'
import { useAnswers, useHost } from '../../../rpc/host-context.tsx'
import { useAnswer, useSettled } from '../../../rpc/use-answer.ts'
import { byCount } from '../../../../shared/text/amounts.ts'

const fitText = (fit: Fit, hasGpu: boolean) =>
  ({
    gpu: 'Fits the graphics card',
    memory: hasGpu ? 'Runs in memory, slower' : 'Fits into memory',
    too_big: `Too big: ${formatBytes(fit.missingBytes)} missing`,
    unknown: 'Cannot tell whether it fits',
  })[fit.label]

type Props = { fit: Fit | null | undefined }

/** A short coloured label: whether the model fits on this computer. */
export function FitLabel({ fit }: Props): ReactNode {
  return <FitBadge fit={fit} gpu={useModelsPage().machine?.gpu ?? null} />
}

/** The badge alone. Without `gpu`, the badge cannot tell whether a graphics card could do better. */
export function FitBadge({ fit, gpu = null }: Props & { gpu?: Gpu | null }): ReactNode {
  if (!fit) return null
  const rough = fit.uncertain !== '' && fit.label !== 'unknown'
  return (
    <span className={cx('fit-label', `fit-${toneOf(fit, gpu)}`)} title={rough ? fit.uncertain : undefined}>
      {rough && '≈ '}
      {fitText(fit, gpu !== null)}
    </span>
  )
}

const PARTS = {
  others: 'Other programs',
  weights: 'Model',
  context: 'Context',
  buffers: 'Working memory',
  free: 'Free',
} as const

type MemoryBarProps = {
  fit: Fit
  /** Whether the model is already loaded. Loading it again frees its own memory first. */
  isHere?: boolean
}

/** Predicted memory use as a bar, with a text version below. */
export function MemoryBar({ fit, isHere = false }: MemoryBarProps): ReactNode {
  const id = useId()
  if (fit.label === 'unknown' && fit.neededBytes === 0) {
    return (
      <p className="text-sm text-ink-2">
        {fit.uncertain || 'Talaria cannot tell whether it fits. You can load it anyway.'}
      </p>
    )
  }
  const { stretches, wholeBytes, limitBytes } = barOf(fit)
  const percent = (bytes: number) => `${wholeBytes === 0 ? 0 : (bytes / wholeBytes) * 100}%`
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="text-xs font-semibold text-ink-2">
        {fit.label === 'gpu' ? 'Graphics card memory' : 'Memory'}
      </h2>
      <div aria-hidden="true" className="memory-bar">
        {stretches.map(({ part, bytes }) => (
          <span
            key={part}
            data-part={part}
            className={`memory-${part}`}
            style={{ inlineSize: percent(bytes) }}
          />
        ))}
        {wholeBytes > limitBytes && (
          <span className="memory-limit" style={{ insetInlineStart: percent(limitBytes) }} />
        )}
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {stretches.map(({ part, bytes }) => (
          <div key={part} className="flex items-center gap-1.5">
            <dt className="flex items-center gap-1.5 text-ink-2">
              <span aria-hidden="true" className={`size-2.5 rounded-xs memory-${part}`} />
              {part === 'context' ? sayContextFor(fit.chats) : PARTS[part]}
            </dt>
            <dd className="text-ink-3 tabular-nums">{formatBytes(bytes)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-ink-2">
        {byCount(
          fit.chats,
          `Needs ${formatBytes(fit.neededBytes)} for one chat, of ${formatBytes(fit.availableBytes)} available.`,
          `Needs ${formatBytes(fit.neededBytes)} for ${fit.chats} chats, of ${formatBytes(fit.availableBytes)} available.`,
        )}
        {fit.freedBytes > 0 &&
          !isHere &&
          ` ${formatBytes(fit.freedBytes)} from another model is freed first.`}
      </p>
      {fit.uncertain !== '' && <p className="text-xs text-warn">{fit.uncertain}</p>}
    </section>
  )
}

/** Debounce while the slider moves, in ms. */
const SLIDE_MS = 60

const ESTIMATE = 'An estimate. The exact figures are being worked out.'

/** The memory that the model needs at a chosen context size. */
export function FitPanel({ model }: { model: Model }): ReactNode {
  const { load, setOptions } = useModelActions()
  const { id, options } = model
  /** Null until the user moves the slider. */
  const [chosen, setChosen] = useState<number | null>(null)
  const asked = useSettled(chosen, SLIDE_MS)
  // The list asked for the same fit, so show its figures until the answer replaces them.
  const { fitHow } = useModelsPage()
  const listed = useAnswers().known('model.fit', { id, ...fitHow })
  const phase = useHost(host => host.engine.phase)
  const isHere = useHost(host => isLoaded(host.engine, id))
  const isMoving = phase === 'loading' || phase === 'starting' || phase === 'busy'
  const answer = useAnswer(
    'model.fit',
    { id, ...(asked === null ? {} : { contextTokens: asked }), ...fitHow },
    // The fit changes when a model is loaded, its options change, or the search for a graphics card ends.
    { isOnce: true, by: JSON.stringify([id, asked, options, isHere, isMoving, fitHow]) },
  )
  if (answer?.ok === false) return <p className="text-sm text-danger">{answer.fault.message}</p>
  const fit = answer?.value ?? listed
  if (!fit) return <p className="text-xs text-ink-3">…</p>
  const tokens = chosen ?? fit.contextTokens
  const isOther = chosen !== null && chosen !== (options.contextTokens ?? null)
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <FitLabel fit={answer ? fit : { ...fit, uncertain: fit.uncertain || ESTIMATE }} />
      </div>
      <MemoryBar fit={fit} isHere={isHere} />
      <ContextSlider model={model} fit={fit} tokens={tokens} onChange={setChosen} />
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {(!isHere || chosen !== null) && (
          <button
            type="button"
            className={fit.label === 'too_big' ? 'btn btn-danger' : 'btn btn-primary'}
            disabled={isMoving}
            onClick={() =>
              void load(id, {
                ...(fit.label === 'too_big' ? { anyway: true } : {}),
                ...(chosen === null ? {} : { options: { contextTokens: chosen } }),
              })
            }
          >
            {fit.label === 'too_big' ? 'Load anyway' : `Load with ${formatCount(tokens)} tokens`}
          </button>
        )}
        {isOther && (
          <button
            type="button"
            className="btn btn-secondary"
            onClick={() => void setOptions(id, { ...options, contextTokens: chosen })}
          >
            Use for this model
          </button>
        )}
        {options.contextTokens !== undefined && (
          <button
            type="button"
            className="btn btn-quiet"
            onClick={() => {
              const { contextTokens: _general, ...others } = options
              setChosen(null)
              void setOptions(id, others)
            }}
          >
            Use the setting
          </button>
        )}
      </div>
      {options.contextTokens !== undefined && (
        <p className="-mt-2 text-xs text-ink-3">{`${formatCount(options.contextTokens)} tokens are now set for this model.`}</p>
      )}
    </div>
  )
}

type SliderProps = { model: Model; fit: Fit; tokens: number; onChange: (tokens: number) => void }

function ContextSlider({ model, fit, tokens, onChange }: SliderProps) {
  const id = useId()
  const trained = model.file?.trainedTokens || model.contextTokens || 0
  const steps = contextSteps(trained, tokens, fit.contextTokens, model.options.contextTokens)
  const at = Math.max(0, steps.indexOf(tokens))
  const canAsk = fit.mostContextTokens >= 512 && fit.mostContextTokens < (steps.at(-1) ?? 0)
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="text-xs font-semibold text-ink-2">
          Context
        </label>
        <output htmlFor={id} className="text-sm font-medium tabular-nums">
          {`${formatCount(tokens)} tokens`}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={Math.max(0, steps.length - 1)}
        step={1}
        value={at}
        aria-valuetext={`${formatCount(tokens)} tokens`}
        aria-describedby={`${id}-hint`}
        className="w-full accent-accent"
        onChange={event => onChange(steps[Number(event.target.value)] ?? tokens)}
      />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-xs text-ink-3">
        <span id={`${id}-hint`}>How much of a chat it sees at once. More takes more memory.</span>
        {canAsk && (
          <button type="button" className="link-btn" onClick={() => onChange(fit.mostContextTokens)}>
            {`Largest that fits: ${formatCount(fit.mostContextTokens)}`}
          </button>
        )}
      </div>
    </div>
  )
}

const sayContextFor = (chats: number) => byCount(chats, 'Context for one chat', `Context for ${chats} chats`)
