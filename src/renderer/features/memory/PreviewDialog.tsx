import { useState, type ReactNode } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatCount } from '../../ui/format.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { useMemory } from './memory-context.ts'
import { Select } from '../../ui/Choice.tsx'
import { useAsked } from '../../rpc/use-asked.ts'

/** The exact memory block a new chat starts with, and its token cost. */
export function PreviewDialog({ onClose }: { onClose: () => void }): ReactNode {
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
    <Dialog title="As the model sees it" closeLabel="Close" onClose={onClose} width="medium">
      <div className="grid gap-3">
        {projects.length > 0 && (
          <Select
            label="In a chat that works in"
            showLabel
            value={folder}
            options={[
              { value: '', label: 'any other folder' },
              ...projects.map(({ folder, name }) => ({ value: folder, label: `${name} – ${folder}` })),
            ]}
            onChange={setFolder}
          />
        )}
        {!isUsed && (
          <p className="text-sm text-warn">“Use in chats” is off, so new chats start without this.</p>
        )}
        {answer?.ok === false && (
          <p role="alert" className="text-sm text-danger">
            {`The preview failed: ${answer.fault.message}`}
          </p>
        )}
        {answer?.ok && (
          <>
            <output className="text-sm text-ink-2">
              {answer.value.text === ''
                ? 'Nothing: a new chat starts without memory.'
                : `${formatCount(answer.value.tokens)} tokens`}
            </output>
            {answer.value.text !== '' && (
              <Scrollable
                as="pre"
                dir="auto"
                label="The block that a new chat starts with"
                className="diff-block max-h-[50dvh] overflow-auto font-mono"
              >
                {answer.value.text}
              </Scrollable>
            )}
          </>
        )}
        <p className="text-xs text-ink-3">Open chats keep what they started with.</p>
      </div>
    </Dialog>
  )
}
