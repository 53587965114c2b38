import { Fault } from '../../../shared/rpc.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { printAside } from '../output/terminal-text.ts'

type Decision<Shown, Done> = {
  /** What is there now, with its hash. */
  look(): Promise<Shown>
  show(shown: Shown): void
  question: string
  /** What to say where nobody can answer. */
  unanswerable: string
  /** Agree without the question, to what was shown. */
  yes: boolean
  /** Agree to what was shown; a `conflict` Fault says that it is something else by now. */
  agree(shown: Shown): Promise<Done>
}

/**
 * Show something, ask, and agree to exactly that. What changed while the person read is shown and asked about anew; without a
 * question it is shown, and nothing is done. Resolves to nothing if the person says no.
 */
export async function agreeAsShown<Shown, Done>(decision: Decision<Shown, Done>): Promise<Done | undefined> {
  const { look, show, question, unanswerable, yes, agree } = decision
  for (;;) {
    const shown = await look()
    show(shown)
    if (!yes && !(await confirmOnTerminal(question, unanswerable))) return undefined
    try {
      return await agree(shown)
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'conflict')) throw error
      if (yes) {
        show(await look())
        throw error
      }
      printAside(error.message)
    }
  }
}
