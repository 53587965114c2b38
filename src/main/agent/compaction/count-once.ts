import type { Turn } from '../turn.ts'

/** The same turn, whose engine counts each text only once: in a pass over a long chat every message is counted several times. */
export function countOnce<T extends Pick<Turn, 'engine'>>(turn: T): T {
  const { engine } = turn
  const counted = new Map<string, number>()
  const count = (text: string): number => {
    const known = counted.get(text) ?? engine.count(text)
    counted.set(text, known)
    return known
  }
  const { modelId, name } = engine
  return {
    ...turn,
    engine: {
      modelId,
      name,
      count,
      profile: () => engine.profile(),
      complete: (prompt, signal) => engine.complete(prompt, signal),
    },
  }
}
