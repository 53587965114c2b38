/** How long to render formulas before yielding to the window, in ms. */
const SLICE = 24

let waiting: (() => void)[] = []
let ended: (() => void)[] = []

let spent = 0
let isResting = false

/** Resolves once no formula is waiting to be rendered; the renderer may have to load first. */
export async function formulasAreSet(): Promise<void> {
  await import('./typeset.ts').catch(() => undefined)
  // Formulas that waited for the renderer start in the next frames.
  for (let frame = 0; frame < 3; frame++) await new Promise(resolve => requestAnimationFrame(resolve))
  if (waiting.length > 0) await new Promise<void>(resolve => ended.push(resolve))
}

/**
 * Run a small piece of work at once, so that it is done before the next paint; if this frame's time is used
 * up, in one of the next frames. Returns a function that cancels it.
 */
export function setInFrame(work: () => void): () => void {
  if (waiting.length === 0 && spent < SLICE) {
    measure(work)
    return () => {}
  }
  waiting.push(work)
  rest()
  return () => {
    waiting = waiting.filter(each => each !== work)
  }
}

function measure(work: () => void): void {
  const begun = performance.now()
  work()
  spent += performance.now() - begun
  rest()
}

function rest(): void {
  if (isResting) return
  isResting = true
  requestAnimationFrame(() => {
    isResting = false
    spent = 0
    while (spent < SLICE) {
      const work = waiting.shift()
      if (!work) break
      measure(work)
    }
    if (waiting.length > 0) return rest()
    for (const tell of ended) tell()
    ended = []
  })
}
