import { useState, type ReactNode } from 'react'
import type { Model } from '../../../shared/contract/model.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { AddPath } from './add/AddPath.tsx'
import { ServerFields } from './add-server/ServerFields.tsx'
import { modelsText } from './strings.ts'

const text = modelsText.add

type How = 'file' | 'server'
type Props = { how: How; onAdded: (model: Model) => void; onClose: () => void }

/** Link a model file where it is, or name a server that has one. */
export function AddModelDialog({ how: first, onAdded, onClose }: Props): ReactNode {
  const [how, setHow] = useState<How>(first)
  const options = [
    { value: 'file' as const, label: text.file },
    { value: 'server' as const, label: text.server },
  ]
  return (
    <Dialog title={text.title} closeLabel={text.close} onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Segmented label={text.which} options={options} value={how} onChange={setHow} />
        {how === 'file' ? (
          <AddPath onAdded={onAdded} onCopying={onClose} />
        ) : (
          <ServerFields onDone={onAdded} />
        )}
      </div>
    </Dialog>
  )
}
