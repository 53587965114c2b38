import { useId, useState, type ReactNode } from 'react'
import type { Fit, Model } from '../../../../shared/contract/model.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { useAsked } from '../../../rpc/use-asked.ts'
import { useInMemory, useModelActions, useSettled } from '../use-models.ts'
import { contextSteps } from '../models-state.ts'
import { formatCount } from '../../../ui/format.ts'
import { FitLabel, MemoryBar } from './Fit.tsx'

/** Debounce while the slider moves, in ms. */
const SLIDE_MS = 60

/** The memory that the model needs at a chosen context size. */
export function FitPanel({ model }: { model: Model }): ReactNode {
  const { client } = useLink()
  const { load, setOptions } = useModelActions()
  const { id, options } = model
  /** Null until the user moves the slider. */
  const [chosen, setChosen] = useState<number | null>(null)
  const asked = useSettled(chosen, SLIDE_MS)
  const phase = useHost(host => host.engine.phase)
  const isHere = useInMemory() === id
  const isMoving = phase === 'loading' || phase === 'starting' || phase === 'busy'
  const answer = useAsked(
    signal =>
      attemptCall(
        client['model.fit']({ id, ...(asked === null ? {} : { contextTokens: asked }) }, { signal }),
      ),
    // The fit changes when a model is loaded or its options change.
    JSON.stringify([id, asked, options, isHere, isMoving]),
  )
  if (!answer) return <p className="text-xs text-ink-3">…</p>
  if (!answer.ok) return <p className="text-sm text-danger">{answer.fault.message}</p>
  const fit = answer.value
  const tokens = chosen ?? fit.contextTokens
  const isOther = chosen !== null && chosen !== (options.contextTokens ?? null)
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <FitLabel fit={fit} />
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
        <p className="-mt-2 text-xs text-ink-3">
          {formatCount(options.contextTokens)} tokens are now set for this model.
        </p>
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
          {formatCount(tokens)} tokens
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
            Largest that fits: {formatCount(fit.mostContextTokens)}
          </button>
        )}
      </div>
    </div>
  )
}
