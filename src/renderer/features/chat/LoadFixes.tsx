import type { ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { LoadFix, Model } from '../../../shared/contract/model.ts'
import { attempt } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/toasts.ts'
import { chatText } from './strings.ts'

const text = chatText.empty

type LoadHow = Omit<Parameters<HostClient['model.load']>[0], 'id'>

/** Load a model now, in one way or another; what keeps it from loading is told in the corner. */
export function useLoad({ id }: Pick<Model, 'id'>): (how?: LoadHow) => Promise<void> {
  const { client } = useLink()
  return async (how = {}) => {
    const answer = await attempt(client['model.load']({ id, ...how }))
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
}

/** What can be done about a model that did not load, as buttons; nothing when there is nothing. */
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

/** What a button says and does; undefined for what only the Models page can do. */
function wayToLoad(fix: LoadFix): { label: string; how: LoadHow } | undefined {
  const { fixes } = text
  switch (fix.do) {
    case 'context':
      return { label: fixes.context(fix.tokens), how: { options: { contextTokens: fix.tokens } } }
    case 'layers':
      return { label: fixes.layers(fix.gpuLayers), how: { options: { gpuLayers: fix.gpuLayers } } }
    case 'cpu':
      return { label: fixes.cpu, how: { cpu: true } }
    case 'anyway':
      return { label: fixes.anyway, how: { anyway: true } }
    case 'again':
      return { label: fixes.again, how: {} }
    case 'smaller':
      return undefined
  }
}
