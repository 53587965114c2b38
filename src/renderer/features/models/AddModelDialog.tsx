import { useState, type ReactNode } from 'react'
import type { Model } from '../../../shared/contract/model.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Segmented } from '../../ui/Choice.tsx'
import { AddPath } from './add/AddPath.tsx'
import { ServerFields } from './add-server/ServerFields.tsx'

type How = 'file' | 'server'
type Props = { how: How; onAdded: (model: Model) => void; onClose: () => void }

/** Add a model from a file on disk or from a server. */
export function AddModelDialog({ how: first, onAdded, onClose }: Props): ReactNode {
  const [how, setHow] = useState<How>(first)
  const options = [
    { value: 'file' as const, label: 'File on this computer' },
    { value: 'server' as const, label: 'Server' },
  ]
  return (
    <Dialog title="Add a model" closeLabel="Close" onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Segmented label="Where the model is" options={options} value={how} onChange={setHow} />
        {how === 'file' ? (
          <AddPath onAdded={onAdded} onCopying={onClose} />
        ) : (
          <ServerFields onDone={onAdded} />
        )}
      </div>
    </Dialog>
  )
}
