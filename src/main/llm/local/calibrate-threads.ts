import type { LlamaContext, LlamaModel } from 'node-llama-cpp'

/** What one number of threads came to. */
type Trial = { threads: number; tokenMs: number }

const tokens = 16
/** What one trial may take; a single token may be all that it is enough for. */
const trialMs = 600
/** A token this slow may mean a large model, or that the cores are taken: only fewer threads can tell. */
const slowMs = 200
/** Prompts are read faster with more threads, so that fewer must be clearly better. */
const clearly = 0.95

/**
 * The number of threads with which a token takes the least time: all that are allowed, half of them, or one. `timeToken`
 * gives the time of one token in milliseconds. Takes up to a second for a small model and a few for a large one. Throws
 * when `signal` aborts.
 */
export async function calibrateThreads(
  most: number,
  timeToken: (threads: number) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  const [all = 1, ...fewer] = [...new Set([most, Math.ceil(most / 2), 1])]
  if (fewer.length === 0) return all
  let best = await tryThreads(all, timeToken, signal)
  for (const threads of fewer) {
    const trial = await tryThreads(threads, timeToken, signal)
    if (trial.tokenMs <= best.tokenMs * clearly) best = trial
    // Where fewer are no better, still fewer are worse; unless all of them wait for cores that others have.
    else if (best.tokenMs < slowMs) break
  }
  return best.threads
}

async function tryThreads(
  threads: number,
  timeToken: (threads: number) => Promise<number>,
  signal: AbortSignal,
): Promise<Trial> {
  const times: number[] = []
  let spent = 0
  // The first token after a change of threads pays for it.
  while (times.length <= tokens && spent < trialMs) {
    signal.throwIfAborted()
    const ms = await timeToken(threads)
    times.push(ms)
    spent += ms
  }
  const counted = times.slice(times.length > 1 ? 1 : 0).toSorted((a, b) => a - b)
  return { threads, tokenMs: counted[Math.floor(counted.length / 2)] ?? 0 }
}

/** Calibrate a model that was just loaded, in a sequence that is thrown away; `llama.maxThreads` is left at the result. */
export async function measureThreads(
  model: LlamaModel,
  context: LlamaContext,
  signal: AbortSignal,
): Promise<number> {
  const { llama } = model
  const most = llama.maxThreads
  const [first] = model.tokenize('The', false)
  if (most < 2 || first === undefined) return most
  const sequence = context.getSequence()
  try {
    const writer = sequence.evaluate([first], { temperature: 0, yieldEogToken: true })
    const timeToken = async (threads: number) => {
      llama.maxThreads = threads
      const startedAt = performance.now()
      await writer.next(first)
      return performance.now() - startedAt
    }
    const threads = await calibrateThreads(most, timeToken, signal)
    await writer.return()
    llama.maxThreads = threads
    return threads
  } finally {
    await sequence.dispose()
  }
}
