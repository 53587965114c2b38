import { Library, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ModelList } from './ModelList.tsx'

type Props = {
  chosen: string
  onChoose: (id: string) => void
  onAdd: (how: 'file' | 'server') => void
  /** Open the Models page. */
  onManage?: (() => void) | undefined
}

/** The available models, and the two ways to add more. */
export function ModelChoice({ chosen, onChoose, onAdd, onManage }: Props): ReactNode {
  return (
    <>
      <ModelList chosen={chosen} onChoose={onChoose} />
      <div className="mt-1 border-t border-line pt-1">
        {(['file', 'server'] as const).map(how => (
          <button key={how} type="button" className="menu-item" onClick={() => onAdd(how)}>
            <Plus size={15} className="shrink-0" />
            {how === 'file' ? 'Add a model file…' : 'Add a server…'}
          </button>
        ))}
        {onManage && (
          <button type="button" className="menu-item" onClick={onManage}>
            <Library size={15} className="shrink-0" />
            All models…
          </button>
        )}
      </div>
    </>
  )
}
