import { TriangleAlert } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import type { Model } from '../../../../shared/contract/models/model.ts'
import { modelNote } from '../../../../shared/words/model-words.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { useModel } from '../store/open-chats.ts'
import type { TranscriptRow } from './transcript-rows.ts'

/** The data that decides where a chat shows a note on what a model cannot do. */
type Known = {
  /** The notes on models, by model name. */
  notes: ReadonlyMap<string, string>
  /** The note on the model of the next answer; undefined if there is none. */
  next: string | undefined
  /** Whether the chat has older messages that are not loaded. */
  more: boolean
}

/** The notes on the models that may have answered in this chat. */
export function useModelNotes(): Pick<Known, 'notes' | 'next'> {
  const models = useHost(host => host.models)
  const model = useModel()
  const notes = useMemo(() => notesOf(models), [models])
  return { notes, next: model && modelNote(model) }
}

const notesOf = (models: readonly Model[]): ReadonlyMap<string, string> =>
  new Map(
    models.flatMap(model => {
      const note = modelNote(model)
      return note === undefined ? [] : [[model.name, note] as const]
    }),
  )

/**
 * Say once per chat what a model cannot do: before its first answer, or after the message that it is about to
 * answer. While the beginning of a chat is not loaded, a model's first answer is known only if another model
 * answers before it.
 */
export function withModelNote(
  items: readonly TranscriptRow[],
  { notes, next, more }: Known,
): readonly TranscriptRow[] {
  const row = (text: string): TranscriptRow => ({ key: 'model-note', kind: 'model_note', text })
  const noteAt = (item: TranscriptRow | undefined) =>
    item?.kind === 'answer' ? notes.get(item.message?.model ?? '') : undefined
  const first = items.findIndex(item => noteAt(item) !== undefined)
  const said = noteAt(items[first])
  if (said !== undefined) {
    const isFirst = !more || items.slice(0, first).some(({ kind }) => kind === 'answer')
    return isFirst ? items.toSpliced(first, 0, row(said)) : items
  }
  const asked = items.findLastIndex(({ kind }) => kind === 'user')
  return next !== undefined && asked >= 0 ? items.toSpliced(asked + 1, 0, row(next)) : items
}

/** The line that shows the note. */
export function ModelNoteRow({ text }: { text: string }): ReactNode {
  return (
    <p className="flex items-start gap-2 py-1.5 text-sm text-ink-2">
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" />
      <span className="min-w-0 break-words">{text}</span>
    </p>
  )
}
