import type { By } from '../memory/change.ts'
import { lengthOf, tidy } from '../memory/format.ts'
import type { Memory } from '../memory/memory.ts'
import { flawOf } from '../memory/scan.ts'
import type { ForeignMemory } from './foreign.ts'

const BY: By = { actor: 'import', sessionId: null, messageId: null, reviewId: null }

/** Remember one sentence of another program, whole or not at all; says why not, in words that go on “because …”. */
export function keepMemory(memory: Memory, { target, text }: ForeignMemory): string | undefined {
  const flaw = flawOf(text)
  if (flaw !== undefined) return `it ${flaw}`
  const { entries, capacity } = memory.view()
  const own = entries
    .filter(entry => entry.target === target && entry.project === null)
    .map(entry => entry.text)
  const limit = capacity.find(each => each.target === target && each.project === null)?.limit ?? 0
  const tidied = tidy(text)
  if (own.includes(tidied)) return 'it is remembered already'
  if (lengthOf([...own, tidied]) > limit)
    return 'there is no room for it; make some on the Memory page and import again'
  const outcome = memory.change([{ kind: 'add', target, project: null, text }], BY)
  return 'refused' in outcome ? outcome.refused.split('\n')[0] : undefined
}
