import { useState, type ReactNode } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { useMemory } from './memory-context.ts'
import { Select } from '../../ui/Select.tsx'
import { memoryText } from './strings.ts'
import { useAsked } from '../../rpc/use-asked.ts'

/** The very block that a new chat begins with, and what it costs. */
export function PreviewDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = memoryText.preview
  const preview = useMemory(memory => memory.preview)
  const projects = useMemory(memory => memory.view?.projects) ?? []
  const isUsed = useMemory(memory => memory.view?.useInChats ?? true)
  const loadedAt = useMemory(memory => memory.loadedAt)
  const [folder, setFolder] = useState('')
  const answer = useAsked(
    signal => preview(folder === '' ? undefined : folder, signal),
    `${loadedAt} ${folder}`,
  )
  return (
    <Dialog title={text.title} closeLabel={memoryText.close} onClose={onClose} width="medium">
      <div className="grid gap-3">
        {projects.length > 0 && (
          <Select
            label={text.folder}
            showLabel
            value={folder}
            options={[
              { value: '', label: text.elsewhere },
              ...projects.map(({ folder, name }) => ({ value: folder, label: `${name} – ${folder}` })),
            ]}
            onChange={setFolder}
          />
        )}
        {!isUsed && <p className="text-sm text-warn">{text.off}</p>}
        {answer?.ok === false && (
          <p role="alert" className="text-sm text-danger">
            {text.failed(answer.fault.message)}
          </p>
        )}
        {answer?.ok && (
          <>
            <output className="text-sm text-ink-2">
              {answer.value.text === '' ? text.empty : text.tokens(formatCount(answer.value.tokens))}
            </output>
            {answer.value.text !== '' && (
              <Scrollable
                as="pre"
                dir="auto"
                label={text.text}
                className="diff-block max-h-[50dvh] overflow-auto font-mono"
              >
                {answer.value.text}
              </Scrollable>
            )}
          </>
        )}
        <p className="text-xs text-ink-3">{text.note}</p>
      </div>
    </Dialog>
  )
}
