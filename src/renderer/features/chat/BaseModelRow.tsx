import { TriangleAlert } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import type { Model } from '../../../shared/contract/model.ts'
import { BASE_MODEL } from '../../../shared/model-words.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useModel } from './chats.ts'
import type { Item } from './items.ts'

/** What decides where a chat says that a base model answers in it. */
type Known = {
  /** The names of the base models, as answers have them. */
  names: ReadonlySet<string>
  /** Whether the next answer of the chat comes from one. */
  isNext: boolean
  /** Whether the chat has older messages that are not loaded. */
  more: boolean
}

/** The base models that this chat may have answers of. */
export function useBaseModels(): Pick<Known, 'names' | 'isNext'> {
  const models = useHost(host => host.models)
  const isNext = useModel()?.file?.base === true
  const names = useMemo(() => namesOf(models), [models])
  return { names, isNext }
}

const namesOf = (models: readonly Model[]): ReadonlySet<string> =>
  new Set(models.filter(model => model.file?.base).map(({ name }) => name))

/**
 * Say once in a chat that a base model answers in it: before its first answer, or behind the message that it is about to answer.
 * While the beginning of a chat is not loaded, its first answer is not known, unless another model is seen to answer before it.
 */
export function withBaseModel(items: readonly Item[], { names, isNext, more }: Known): readonly Item[] {
  const row: Item = { key: 'base', kind: 'base' }
  const isBase = (item: Item) => item.kind === 'answer' && names.has(item.message?.model ?? '')
  const first = items.findIndex(isBase)
  if (first >= 0) {
    const isFirst = !more || items.slice(0, first).some(({ kind }) => kind === 'answer')
    return isFirst ? items.toSpliced(first, 0, row) : items
  }
  const asked = items.findLastIndex(({ kind }) => kind === 'user')
  return isNext && asked >= 0 ? items.toSpliced(asked + 1, 0, row) : items
}

/** The line that says it. */
export function BaseModelRow(): ReactNode {
  return (
    <p className="flex items-start gap-2 py-1.5 text-sm text-ink-2">
      <TriangleAlert size={15} className="mt-0.5 shrink-0 text-warn" />
      <span className="min-w-0 break-words">{BASE_MODEL}</span>
    </p>
  )
}
