import type { ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { LoadFix, Model } from '../../../shared/contract/model.ts'
import { attempt } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/toasts.ts'
import { formatCount } from '../../ui/format.ts'

type LoadHow = Omit<Parameters<HostClient['model.load']>[0], 'id'>

/** Load a model now with the given options. A failure is shown as a notification. */
export function useLoad({ id }: Pick<Model, 'id'>): (how?: LoadHow) => Promise<void> {
  const { client } = useLink()
  return async (how = {}) => {
    const answer = await attempt(client['model.load']({ id, ...how }))
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
}

/** Buttons that fix a model that did not load; nothing when no fix is known. */
export function LoadFixes({ model }: { model: Pick<Model, 'id'> }): ReactNode {
  const load = useLoad(model)
  const failed = useHost(({ engine }) => engine.phase === 'failed' && engine.modelId === model.id)
  const fixes = useHost(host => host.engine.fixes)
  const ways = failed ? fixes.flatMap(fix => wayToLoad(fix) ?? []) : []
  if (ways.length === 0) return null
  return (
    <p className="flex flex-wrap justify-center gap-2">
      {ways.map(({ label, how }) => (
        <button key={label} type="button" className="btn btn-secondary" onClick={() => void load(how)}>
          {label}
        </button>
      ))}
    </p>
  )
}

/** The label and action of a fix; undefined for fixes that only the Models page offers. */
function wayToLoad(fix: LoadFix): { label: string; how: LoadHow } | undefined {
  switch (fix.do) {
    case 'context':
      return {
        label: `Context of ${formatCount(fix.tokens)} tokens`,
        how: { options: { contextTokens: fix.tokens } },
      }
    case 'layers':
      return {
        label: `${formatCount(fix.gpuLayers)} layers on the graphics card`,
        how: { options: { gpuLayers: fix.gpuLayers } },
      }
    case 'cpu':
      return { label: 'Without the graphics card', how: { cpu: true } }
    case 'anyway':
      return { label: 'Load anyway', how: { anyway: true } }
    case 'again':
      return { label: 'Try again', how: {} }
    case 'smaller':
      return undefined
  }
}
