import type { MemoryEntry } from '../../../shared/contract/learned/memory.ts'
import { isIn, type Place } from '../note-files.ts'
import type { MemoryStep } from '../plan-change.ts'
import { sayTheSame } from './same-fact.ts'

/** Find the entry that says the same. A general fact is stored once, be it about the user or a note. */
function findAlike(text: string, place: Place, entries: readonly MemoryEntry[]): MemoryEntry | undefined {
  const near = entries.filter(
    entry => isIn(entry, place) || (place.project === null && entry.project === null),
  )
  return near.find(entry => entry.text !== text.trim() && sayTheSame(entry.text, text))
}

/**
 * Separate the steps that say something new (`fresh`) from the texts of entries that already say the same
 * (`twins`). Entries that this change removes or rewrites are ignored, and identical texts are left to the
 * notebook. `insisted` has texts rejected before, which pass the second time.
 */
export function splitKnown(
  steps: readonly MemoryStep[],
  entries: readonly MemoryEntry[],
  insisted: Set<string>,
): { fresh: MemoryStep[]; twins: string[] } {
  const changed = new Set(steps.flatMap(step => ('id' in step ? [step.id] : [])))
  const staying = entries.filter(entry => !changed.has(entry.id))
  const fresh: MemoryStep[] = []
  const twins: string[] = []
  for (const step of steps) {
    const twin = step.kind === 'add' ? twinOf(step, staying, fresh) : undefined
    if (step.kind !== 'add' || twin === undefined || insisted.delete(step.text)) {
      fresh.push(step)
      continue
    }
    insisted.add(step.text)
    twins.push(twin)
  }
  return { fresh, twins }
}

function twinOf(
  step: Extract<MemoryStep, { kind: 'add' }>,
  entries: readonly MemoryEntry[],
  fresh: readonly MemoryStep[],
): string | undefined {
  const added = fresh.filter(each => each.kind === 'add' && isIn(each, step))
  const same = added.find(each => 'text' in each && sayTheSame(each.text, step.text))
  return findAlike(step.text, step, entries)?.text ?? (same && 'text' in same ? same.text : undefined)
}

/** Remember the texts that a chat's newest turn did not add because of a twin. A repeated call adds them. */
export function rememberTwins() {
  const turns = new Map<string, { askedId: number; texts: Set<string> }>()
  return {
    in({ sessionId, askedId }: { sessionId: string; askedId: number }): Set<string> {
      const known = turns.get(sessionId)
      if (known?.askedId === askedId) return known.texts
      const texts = new Set<string>()
      turns.set(sessionId, { askedId, texts })
      return texts
    },
  }
}
